#include "options/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "options/config_file.h"
#include "options/program.h"

namespace gossamer::options {
namespace {

using Reason = Table::Stop::Reason;

struct Settings {
  bool is_quiet = false;
  bool obeys = true;
  std::uint32_t tries = 4;
  Duration timeout = 30s;
  std::string output;
  std::vector<std::string> kinds;
  std::string file;
};

void declare(Table& table, Settings& settings) {
  table.summary("Test.");
  table.word(file(settings.file), "the file");
  table.flag("q,quiet", settings.is_quiet, "be silent");
  table.negation("no-robots", settings.obeys, "ignore robots.txt");
  table.group("Limits");
  table.option("t,tries", count(settings.tries, 1), "attempts", Concern::crawl, Power::none);
  table.option("timeout", duration(settings.timeout), "until it answers", Concern::crawl,
               Power::none);
  table.option("o,output", file(settings.output), "goes there", Concern::crawl, Power::write_files)
      .unset = "stdout";
  table.repeated("kind", texts(settings.kinds, "KIND"), "only these");
  table.footer("The end.");
}

TEST(Table, WritesIntoTheSettings) {
  Settings settings;
  Table table("test");
  declare(table, settings);
  EXPECT_FALSE(
      table.parse({"f", "-q", "--no-robots", "--tries=7", "--timeout", "2m", "--kind", "a"}));
  EXPECT_TRUE(settings.is_quiet);
  EXPECT_FALSE(settings.obeys);
  EXPECT_EQ(settings.tries, 7u);
  EXPECT_EQ(settings.timeout, 2min);
  EXPECT_EQ(settings.kinds, (std::vector<std::string>{"a"}));
  EXPECT_EQ(settings.file, "f");
  EXPECT_TRUE(table.says("tries"));
  EXPECT_FALSE(table.says("output"));
}

TEST(Table, LeavesDefaultsAlone) {
  Settings settings;
  Table table("test");
  declare(table, settings);
  EXPECT_FALSE(table.parse({"f", "--quiet=false"}));
  EXPECT_TRUE(settings.obeys);
  EXPECT_EQ(settings.tries, 4u);
  EXPECT_FALSE(table.says("quiet")) << "it was reset";
}

TEST(Table, KnowsEverySpellingOfNo) {
  for (const char* no : {"false", "0", "no", "off"}) {
    Settings settings;
    Table table("test");
    declare(table, settings);
    EXPECT_FALSE(table.parse({"f", "--quiet=" + std::string(no)}));
    EXPECT_FALSE(table.says("quiet")) << no;
  }
  for (const char* yes : {"true", "1", "yes", "on"}) {
    Settings settings;
    Table table("test");
    declare(table, settings);
    EXPECT_FALSE(table.parse({"f", "--quiet=" + std::string(yes)}));
    EXPECT_TRUE(table.says("quiet")) << yes;
    const auto said = std::ranges::find(table.said(), "quiet",
                                        [](const SaidLine& line) { return line.option->key; });
    ASSERT_TRUE(said != table.said().end());
    EXPECT_EQ(said->value, "true") << yes;
  }
}

TEST(Table, ShowsTheDefaultsOfTheSettings) {
  Settings settings;
  settings.tries = 9;
  Table table("test");
  declare(table, settings);
  const auto stop = table.parse({"--help"});
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->reason, Reason::help);
  EXPECT_EQ(stop->text,
            "Test.\n"
            "Usage: gossamer test [OPTIONS] FILE\n"
            "\n"
            "Arguments:\n"
            "  FILE                          the file\n"
            "\n"
            "Options:\n"
            "  -h,--help                     show this help\n"
            "  -q,--quiet                    be silent\n"
            "  --no-robots                   ignore robots.txt\n"
            "\n"
            "Limits:\n"
            "  -t,--tries N                  attempts [9]\n"
            "  --timeout TIME                until it answers [30s]\n"
            "  -o,--output FILE              goes there [stdout]\n"
            "  --kind KIND                   only these\n"
            "\n"
            "The end.\n");
}

TEST(Table, NamesTheOptionOfABadValue) {
  Settings settings;
  Table table("test");
  declare(table, settings);
  const auto stop = table.parse({"f", "-t", "many"});
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->reason, Reason::usage_fault);
  EXPECT_EQ(stop->text, "`tries`: expected a whole number, not 'many'");
}

CommandTable declared_table() {
  Settings settings;
  Table table("test");
  declare(table, settings);
  table.read_configuration({});
  return table.declared();
}

TEST(CommentedConfiguration, HasEveryKeyWithItsDefault) {
  const CommandTable table = declared_table();
  const std::string text = commented_configuration({&table, 1});
  for (const char* line : {"\n# N: attempts [4]\n#tries = 4\n",
                           "\n# TIME: until it answers [30s]\n#timeout = \"30s\"\n",
                           "\n# FILE: goes there [stdout]; only with --trust\n#output = \"FILE\"\n",
                           "\n#kind = []\n", "\n#quiet = false\n"}) {
    EXPECT_TRUE(text.contains(line)) << line << text;
  }
  const auto entries = parse_config(text, "gossamer.toml", "test", {});
  ASSERT_TRUE(entries) << entries.error().detail();
  EXPECT_TRUE(entries->empty()) << "it changes nothing";
}

TEST(CommentedConfiguration, IsTomlWithoutItsCommentSigns) {
  const CommandTable table = declared_table();
  std::string text = commented_configuration({&table, 1});
  std::size_t keys = 0;
  for (const Option& option : table.options) {
    if (option.key.empty()) continue;
    text.erase(text.find("\n#" + option.key + " = ") + 1, 1);
    ++keys;
  }
  const auto entries = parse_config(text, "gossamer.toml", "test", {});
  ASSERT_TRUE(entries) << entries.error().detail();
  EXPECT_EQ(entries->size(), keys);
}

TEST(Completions, KnowTheActionsOfGroups) {
  const Program program = {
      {"crawl", "URL", "crawl it", {{.name = "crawl", .summary = "Crawl."}}},
      {"warc",
       "ls|cat",
       "read archives",
       {{.name = "warc ls", .summary = "List."}, {.name = "warc cat", .summary = "Print."}}}};
  const std::string bash = bash_completion(program);
  EXPECT_TRUE(bash.contains("'') next='crawl warc help version' ;;")) << bash;
  EXPECT_TRUE(bash.contains("'warc') next='ls cat' ;;")) << bash;
  EXPECT_TRUE(zsh_completion(program).contains("'ls:List.'"));
  EXPECT_TRUE(fish_completion(program).contains("'__gossamer_is warc; and not"));
}

}  // namespace
}  // namespace gossamer::options
