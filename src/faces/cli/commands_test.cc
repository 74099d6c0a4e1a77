#include "cli/commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace gossamer::cli {
namespace {

// The spelling in a manual page.
std::string in_troff(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '-' ? std::string("\\-") : std::string(1, c);
  return out;
}

TEST(Commands, HaveUniqueNames) {
  for (const Command* a : commands()) {
    EXPECT_FALSE(a->summary.empty()) << a->name;
    for (const Command* b : commands()) EXPECT_TRUE(a == b || a->name != b->name) << a->name;
  }
}

TEST(Commands, DeclareTheirOptionsWithoutRunning) {
  for (const Command* command : commands()) {
    for (const options::CommandTable& table : tables_of(*command)) {
      EXPECT_TRUE(table.name.starts_with(command->name)) << table.name;
      EXPECT_FALSE(table.summary.empty()) << table.name;
      for (const options::Option& option : table.options) {
        EXPECT_FALSE(option.help.empty()) << table.name << " " << option.key;
        EXPECT_FALSE(option.help.contains('[')) << option.help << ": defaults come from values";
      }
    }
  }
}

TEST(Commands, KnowNoneOfTheForeignOptions) {
  for (const Command* command : {&crawl_command, &check_command}) {
    const std::vector<options::CommandTable> tables = tables_of(*command);
    ASSERT_EQ(tables.size(), 1U);
    EXPECT_FALSE(tables[0].foreign.empty());
    for (const options::ForeignOption& foreign : tables[0].foreign) {
      for (const options::Option& option : tables[0].options) {
        for (const std::string& name : option.names) EXPECT_FALSE(foreign.has_name(name)) << name;
      }
    }
  }
}

TEST(Commands, AreFoundByAllTheirWords) {
  const FoundCommand found = find_command({"warc", "ls", "a.warc"});
  ASSERT_EQ(found.command, &warc_ls_command);
  EXPECT_EQ(found.words, std::vector<std::string>{"a.warc"});
  EXPECT_EQ(find_command({"crwal"}).command, nullptr);
  EXPECT_EQ(find_command({"inspect", "url", "join"}).command, &url_join_command);
  EXPECT_EQ(find_command({"warc", "lost"}).command->name, "warc");
}

TEST(Program, EveryOptionIsInTheCompletionsAndTheManualPage) {
  const options::Program all = program();
  const std::string bash = options::bash_completion(all);
  const std::string zsh = options::zsh_completion(all);
  const std::string fish = options::fish_completion(all);
  for (const options::CommandEntry& command : all) {
    const std::string man = options::man_page(command);
    EXPECT_TRUE(options::man_page(all).contains("gossamer\\-" + in_troff(command.name)));
    for (const options::CommandTable& table : command.tables) {
      for (const options::Option& option : table.options) {
        for (const std::string& name : option.shown_names()) {
          EXPECT_TRUE(man.contains(in_troff(name))) << table.name << " " << name;
          EXPECT_TRUE(bash.contains(name)) << table.name << " " << name;
          EXPECT_TRUE(zsh.contains(name)) << table.name << " " << name;
          const bool is_long = name.starts_with("--");
          const std::string in_fish = is_long ? "-l " + name.substr(2) : "-s " + name.substr(1);
          EXPECT_TRUE(fish.contains(in_fish)) << table.name << " " << name;
        }
      }
    }
  }
}

TEST(Crawl, HasAUniqueKeyForEveryOption) {
  std::vector<std::string> keys;
  for (const options::Option& option : crawl_command.declared(crawl_command).options) {
    const bool has_key = !option.key.empty();
    const bool is_about_configuration = option.group == "Configuration";
    EXPECT_EQ(has_key, option.use != options::Use::action && !is_about_configuration)
        << option.help;
    if (has_key) keys.push_back(option.key);
  }
  EXPECT_GT(keys.size(), 40u);
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

TEST(Configurations, EverySettingSaysWhomItConcernsAndWhatItCanDo) {
  std::size_t settings = 0;
  for (const Command* const command : commands()) {
    if (!command->is_configurable) continue;
    const options::CommandTable table = command->declared(*command);
    for (const auto& list : {table.options, table.host_options}) {
      for (const options::Option& option : list) {
        if (option.key.empty()) continue;
        ++settings;
        EXPECT_NE(option.power, options::Power::unknown) << table.name << " " << option.key;
        EXPECT_NE(option.concern, options::Concern::unknown) << table.name << " " << option.key;
        // A secret is never a setting that others may make.
        const bool is_hidden = option.is_secret != nullptr || option.hides("x");
        EXPECT_TRUE(!is_hidden || option.power != options::Power::none) << option.key;
        const bool names_files =
            option.kind == options::Kind::file || option.kind == options::Kind::folder;
        EXPECT_TRUE(!names_files || option.power != options::Power::none) << option.key;
      }
    }
  }
  EXPECT_GT(settings, 100u);
}

TEST(Crawl, ShowsTheDefaultsOfTheLibrary) {
  const options::CommandTable table = crawl_command.declared(crawl_command);
  const auto initial = [&table](std::string_view key) {
    return std::ranges::find(table.options, key, &options::Option::key)->initial;
  };
  EXPECT_EQ(initial("concurrency"), "64");
  EXPECT_EQ(initial("scope"), "host");
  EXPECT_EQ(initial("depth"), "inf");
  EXPECT_EQ(initial("dns-timeout"), "10s");
  EXPECT_EQ(initial("max-outage"), "5m");
  EXPECT_EQ(initial("warc-max-size"), "1000000000");
  EXPECT_EQ(initial("loop"), "auto");
}

}  // namespace
}  // namespace gossamer::cli
