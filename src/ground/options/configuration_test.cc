#include "options/configuration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "options/config_text.h"
#include "options/table.h"

namespace gossamer::options {
namespace {

// A folder for the files of one test.
class ConfigurationTest : public testing::Test {
 protected:
  ConfigurationTest() {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = testing::TempDir() + "gossamer_configuration_" + test->name();
    std::filesystem::create_directories(folder_);
    world_.project_file = folder_ + "/gossamer.toml";
    world_.user_file = folder_ + "/config.toml";
  }
  ~ConfigurationTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
    return folder_ + "/" + name;
  }
  void project(const std::string& text) const { write("gossamer.toml", text); }
  void user(const std::string& text) const { write("config.toml", text); }

  struct Values {
    std::optional<Table::Stop> stop;
    bool json = false;
    std::string base = "none";
    std::uint64_t depth = 3;
    std::uint64_t verbosity = 0;
    std::vector<std::string> kinds;
    std::vector<std::string> urls;
    double rate = 0;
    bool lists = false;
    std::string out;
    std::string err;  // what is wrong
  };

  Values parse(const std::vector<std::string>& words) const {
    Values values;
    Table table("crawl");
    table.flag("j,json", values.json, "as JSON", Concern::crawl, Power::none);
    table.option("base", text(values.base, "URL"), "the base", Concern::crawl, Power::none);
    table.option("l,depth,level", count(values.depth), "how deep", Concern::crawl, Power::none);
    table.counted_flag("v,verbose", values.verbosity, "say more", Concern::crawl, Power::none);
    table.repeated("kind", texts(values.kinds, "KIND"), "only these", Concern::crawl, Power::none);
    Option& header = table.repeated("H,header", texts(values.kinds, "FIELD"), "send these",
                                    Concern::crawl, Power::send);
    header.is_secret = [](std::string_view value) { return !value.starts_with("Accept"); };
    header.is_harmless = [](std::string_view value) { return value.starts_with("Dnt"); };
    const auto take_rate = [&values](const std::string& given) {
      values.rate = std::stod(given);
      return std::string();
    };
    table.option("max-rate", custom("N", take_rate), "per second", Concern::crawl, Power::none);
    table.action("list", values.lists, "list all");
    table.optional_words(texts(values.urls, "URL"), "where to begin", Concern::crawl, Power::none);
    table.read_configuration(world_);
    values.stop = table.parse(words);
    if (!values.stop) return values;
    const bool is_shown = values.stop->reason == Table::Stop::Reason::configuration;
    (is_shown ? values.out : values.err) = values.stop->text;
    return values;
  }

  // Returns the error about the project's file, without the folder.
  std::string refusal_of(const std::string& text) const {
    project(text);
    const Values values = parse({});
    EXPECT_TRUE(values.stop) << text;
    EXPECT_EQ(values.err.find('\n'), std::string::npos) << values.err;
    const std::string before = folder_ + "/";
    EXPECT_TRUE(values.err.starts_with(before)) << values.err;
    return values.err.substr(std::min(before.size(), values.err.size()));
  }

  std::string folder_;
  ConfigWorld world_;
};

TEST_F(ConfigurationTest, ReadsTheStoredFileWhateverElseIsRead) {
  world_.stored = {.name = "job.toml", .text = "[crawl]\nbase = \"stored\"\ndepth = 7\n"};
  project("[crawl]\nbase = \"project\"\n");
  const std::string named = write("named.toml", "[crawl]\nbase = \"named\"\n");
  EXPECT_EQ(parse({}).base, "project");
  EXPECT_EQ(parse({"--config", named}).base, "named");
  EXPECT_EQ(parse({"--config", named}).depth, 7U);
  EXPECT_EQ(parse({"--no-config"}).base, "stored");
}

TEST_F(ConfigurationTest, EverySourceOverridesTheNext) {
  EXPECT_EQ(parse({}).depth, 3u);
  user("[crawl]\ndepth = 4\n");
  EXPECT_EQ(parse({}).depth, 4u);
  project("[crawl]\ndepth = 5\n");
  EXPECT_EQ(parse({}).depth, 5u);
  world_.environment["GOSSAMER_DEPTH"] = "6";
  EXPECT_EQ(parse({}).depth, 6u);
  EXPECT_EQ(parse({"--depth", "7"}).depth, 7u);
}

TEST_F(ConfigurationTest, OtherKeysOfALowerSourceStillApply) {
  user("[crawl]\nbase = 'http://u/'\ndepth = 1\n");
  project("[crawl]\ndepth = 2\n");
  const Values values = parse({"--json"});
  EXPECT_EQ(values.base, "http://u/");
  EXPECT_EQ(values.depth, 2u);
  EXPECT_TRUE(values.json);
}

TEST_F(ConfigurationTest, ANamedFileReplacesTheProjectFile) {
  project("[crawl]\ndepth = 5\nbase = 'p'\n");
  const std::string one = write("one.toml", "[crawl]\ndepth = 8\nkind = ['a']\n");
  const std::string two = write("two.toml", "[crawl]\ndepth = 9\n");
  const Values values = parse({"--config", one, "--config", two});
  EXPECT_EQ(values.depth, 9u);
  EXPECT_EQ(values.base, "none");
  EXPECT_EQ(values.kinds, (std::vector<std::string>{"a"}));
}

TEST_F(ConfigurationTest, ANamedFileMustExist) {
  const Values values = parse({"--config", folder_ + "/none.toml"});
  ASSERT_TRUE(values.stop);
  EXPECT_NE(values.err.find("cannot read " + folder_ + "/none.toml"), std::string::npos);
  EXPECT_TRUE(parse({"--config", folder_}).stop);
}

TEST_F(ConfigurationTest, APowerfulSettingOfTheFolderNeedsTrust) {
  project("[crawl]\ndepth = 5\nheader = ['Accept: b']\n");
  EXPECT_EQ(parse({}).err, world_.project_file +
                               ":3: header can lead requests and data elsewhere; add `trust` if "
                               "you trust this folder");
  EXPECT_EQ(parse({}).stop->reason, Table::Stop::Reason::configuration_fault);
  const Values trusted = parse({"--trust"});
  EXPECT_FALSE(trusted.stop) << trusted.err;
  EXPECT_EQ(trusted.kinds, (std::vector<std::string>{"Accept: b"}));
  EXPECT_FALSE(parse({"--config", world_.project_file}).stop) << "the user named the file";
  EXPECT_FALSE(parse({"--no-config"}).stop);
  EXPECT_FALSE(parse({"-H", "Accept: c"}).stop) << "that of the folder is not used";
  const std::string shown = parse({"--print-config"}).out;
  EXPECT_NE(shown.find("depth = 5  # " + world_.project_file + ":2\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find(world_.project_file + ":3; only with --trust\n"), std::string::npos)
      << shown;
  project("[crawl]\nheader = ['Dnt: 1']\n");
  EXPECT_FALSE(parse({}).stop);
  project("[crawl]\nheader = ['Dnt: 1', 'Accept: b']\n");
  EXPECT_TRUE(parse({}).stop);
}

TEST_F(ConfigurationTest, TheUserMaySetEverything) {
  user("[crawl]\nheader = ['Accept: b']\n");
  EXPECT_FALSE(parse({}).stop);
  world_.environment["GOSSAMER_HEADER"] = "Accept: c";
  project("[crawl]\nheader = ['Accept: d']\n");
  EXPECT_EQ(parse({}).kinds, (std::vector<std::string>{"Accept: c"}));
  world_.environment.clear();
  EXPECT_TRUE(parse({}).stop) << "that of the folder replaces that of the user";
}

TEST_F(ConfigurationTest, StoredSettingsSayWhomToTrust) {
  world_.stored = {.name = "museum/job.toml", .text = "[crawl]\nheader = ['A: b']\n"};
  EXPECT_FALSE(parse({}).stop) << "this user stored them";
  world_.stored->doubt = "museum";
  EXPECT_EQ(parse({}).err,
            "museum/job.toml:2: header can lead requests and data elsewhere; add `trust` if you "
            "trust museum");
  EXPECT_TRUE(parse({"--no-config"}).stop);
  EXPECT_FALSE(parse({"--trust"}).stop);
  world_.stored->text = "[crawl]\ndepth = 9\n";
  EXPECT_EQ(parse({}).depth, 9u);
}

TEST_F(ConfigurationTest, AnOptionWithoutADeclaredPowerMayDoAnything) {
  project("[crawl]\nmystery = 'x'\n");
  std::string mystery;
  Table table("crawl");
  table.option("mystery", text(mystery, "TEXT"), "nobody knows");
  table.read_configuration(world_);
  const auto stop = table.parse({});
  ASSERT_TRUE(stop);
  EXPECT_NE(stop->text.find("mystery can do anything"), std::string::npos) << stop->text;
}

TEST_F(ConfigurationTest, NoConfigReadsNothing) {
  project("this is not TOML");
  world_.environment["GOSSAMER_DEPTH"] = "6";
  const Values values = parse({"--no-config"});
  EXPECT_FALSE(values.stop) << values.err;
  EXPECT_EQ(values.depth, 3u);
}

TEST_F(ConfigurationTest, AcceptsEveryKindOfValue) {
  project(
      "[crawl]\njson = true\nbase = \"http://x/\"\ndepth = 12\nverbose = 2\nkind = ['a', 'b', 7]\n"
      "max-rate = 0.5\nurl = 'http://y/'\n");
  const Values values = parse({});
  EXPECT_FALSE(values.stop) << values.err;
  EXPECT_TRUE(values.json);
  EXPECT_EQ(values.base, "http://x/");
  EXPECT_EQ(values.depth, 12u);
  EXPECT_EQ(values.verbosity, 2u);
  EXPECT_EQ(values.kinds, (std::vector<std::string>{"a", "b", "7"}));
  EXPECT_EQ(values.rate, 0.5);
  EXPECT_EQ(values.urls, (std::vector<std::string>{"http://y/"}));
}

TEST_F(ConfigurationTest, TheEnvironmentAcceptsThemToo) {
  world_.environment = {{"GOSSAMER_JSON", "yes"},      {"GOSSAMER_VERBOSE", "true"},
                        {"GOSSAMER_KIND", "a b\nc\n"}, {"GOSSAMER_MAX_RATE", "2"},
                        {"GOSSAMER_BASE", ""},         {"GOSSAMER_TESTDATA", "/somewhere"}};
  const Values values = parse({});
  EXPECT_FALSE(values.stop) << values.err;
  EXPECT_TRUE(values.json);
  EXPECT_EQ(values.verbosity, 1u);
  EXPECT_EQ(values.kinds, (std::vector<std::string>{"a b", "c"}));
  EXPECT_EQ(values.rate, 2);
  EXPECT_EQ(values.base, "none") << "an empty variable is ignored";
}

TEST_F(ConfigurationTest, ListsAreReplacedNotJoined) {
  project("[crawl]\nkind = ['a', 'b']\nurl = ['http://p/']\n");
  const Values values = parse({"--kind", "c", "http://q/"});
  EXPECT_EQ(values.kinds, (std::vector<std::string>{"c"}));
  EXPECT_EQ(values.urls, (std::vector<std::string>{"http://q/"}));
}

TEST_F(ConfigurationTest, TheCommandLineResetsAFlagOfAFile) {
  project("[crawl]\njson = true\n");
  EXPECT_TRUE(parse({}).json);
  EXPECT_FALSE(parse({"--json=false"}).json);
}

TEST_F(ConfigurationTest, AnotherLongNameIsAKeyToo) {
  project("[crawl]\nlevel = 8\n");
  EXPECT_EQ(parse({}).depth, 8u);
  EXPECT_EQ(refusal_of("[crawl]\nlevel = 8\ndepth = 9\n"),
            "gossamer.toml:3: depth: line 2 already sets depth");
}

TEST_F(ConfigurationTest, RejectsUnknownKeysAndSuggestsTheNearest) {
  EXPECT_EQ(refusal_of("# first\n[crawl]\ndepth = 1\nkinds = ['a']\n"),
            "gossamer.toml:4: unknown key 'kinds' in [crawl]; did you mean kind?");
  EXPECT_EQ(refusal_of("[crawl]\nxylophone = 1\n"),
            "gossamer.toml:2: unknown key 'xylophone' in [crawl]");
  // Options that replace the command cannot be configured.
  for (const char* key : {"list", "config", "no-config", "print-config", "help"}) {
    EXPECT_TRUE(refusal_of(std::string("[crawl]\n") + key + " = true\n")
                    .starts_with("gossamer.toml:2: unknown key"))
        << key;
  }
}

TEST_F(ConfigurationTest, BadValuesHaveTheMessagesOfTheCommandLine) {
  EXPECT_EQ(refusal_of("[crawl]\n\ndepth = 'deep'\n"),
            "gossamer.toml:3: depth: expected a whole number, not 'deep'");
  EXPECT_EQ(refusal_of("[crawl]\njson = 'perhaps'\n"),
            "gossamer.toml:2: json: expected true or false, not 'perhaps'");
  EXPECT_NE(
      parse({"--no-config", "--depth", "deep"}).err.find("expected a whole number, not 'deep'"),
      std::string::npos);
  project("");
  world_.environment["GOSSAMER_DEPTH"] = "deep";
  EXPECT_EQ(parse({}).err,
            "environment GOSSAMER_DEPTH: depth: expected a whole number, not 'deep'");
}

TEST_F(ConfigurationTest, RejectsBadTypesWithTheirLine) {
  EXPECT_EQ(refusal_of("[crawl]\ndepth = [1]\n"),
            "gossamer.toml:2: depth: expected one value, not a list");
  EXPECT_EQ(refusal_of("[crawl]\ndepth = 1979-05-27\n"),
            "gossamer.toml:2: depth: expected a text, a number, true, false or a list of these");
  EXPECT_EQ(refusal_of("[crawl]\nkind = [\n 'a',\n ['b']]\n"),
            "gossamer.toml:4: kind: expected a text, a number, true, false or a list of these");
  EXPECT_EQ(refusal_of("depth = 1\n"),
            "gossamer.toml:1: 'depth' is outside a table; write [crawl] above it");
  EXPECT_EQ(refusal_of("[crawl]\ndepth = 1\n[crwal]\n"),
            "gossamer.toml:3: unknown table [crwal]; did you mean [crawl]?");
}

TEST_F(ConfigurationTest, RejectsInvalidTomlWithItsLine) {
  for (const char* rest : {"depth = \n", "depth\n", "= 3\n", "depth = 1 2\n", "[crawl\n", "a = '\n",
                           "depth = 1\ndepth = 2\n", "\x01\n", "k = \"\xff\"\n"}) {
    const std::string refusal = refusal_of(std::string("[crawl]\n# comment\n") + rest);
    EXPECT_TRUE(refusal.starts_with("gossamer.toml:")) << refusal;
    EXPECT_TRUE(refusal.find(":3: ") != std::string::npos ||
                refusal.find(":4: ") != std::string::npos)
        << refusal;
  }
}

TEST_F(ConfigurationTest, PrintsEachValueWithItsOrigin) {
  user("[crawl]\nbase = 'http://u/'\n");
  project("[crawl]\n\nkind = ['a', 'b']\n");
  world_.environment["GOSSAMER_MAX_RATE"] = "0.5";
  const Values values = parse({"--print-config", "-vv", "--json"});
  ASSERT_TRUE(values.stop);
  for (const std::string& line : std::vector<std::string>{
           "json = true  # command line\n", "base = \"http://u/\"  # " + world_.user_file + ":2\n",
           "#depth = 3  # default\n", "verbose = 2  # command line\n",
           "kind = [\"a\", \"b\"]  # " + world_.project_file + ":3\n",
           "max-rate = \"0.5\"  # environment GOSSAMER_MAX_RATE\n", "#url = []  # default\n"}) {
    EXPECT_NE(values.out.find("\n" + line), std::string::npos) << line << values.out;
  }
}

TEST_F(ConfigurationTest, PrintedConfigurationIsReadBackUnchanged) {
  const std::vector<std::string> words = {
      "--json", "-vvv",   "--depth", "007",  "--base",   "a\"b\\c\t\x7f#d\n",
      "--kind", "[x, y]", "--kind",  "it's", "http://z/"};
  std::vector<std::string> printing = words;
  printing.push_back("--print-config");
  const std::string saved = write("saved.toml", parse(printing).out);
  const Values values = parse({"--config", saved});
  const Values expected = parse(words);
  EXPECT_FALSE(values.stop) << values.err;
  EXPECT_EQ(values.json, expected.json);
  EXPECT_EQ(values.verbosity, expected.verbosity);
  EXPECT_EQ(values.depth, expected.depth);
  EXPECT_EQ(values.base, expected.base);
  EXPECT_EQ(values.kinds, expected.kinds);
  EXPECT_EQ(values.urls, expected.urls);
}

TEST_F(ConfigurationTest, SecretsAreNotPrinted) {
  const Values values =
      parse({"--print-config", "-H", "Authorization: Bearer abc", "-H", "Accept-Language: de", "-H",
             "X-Api-Key: abc", "--base", "http://me:abc@proxy/", "http://me:abc@site/"});
  EXPECT_EQ(values.out.find("abc"), std::string::npos) << values.out;
  EXPECT_NE(values.out.find("#header = [\"Accept-Language: de\"]  # command line; 2 values not "
                            "shown\n"),
            std::string::npos)
      << values.out;
  EXPECT_NE(values.out.find("#base =  # command line; value not shown\n"), std::string::npos)
      << values.out;
}

TEST(Secret, IsAPasswordNotAMailAddress) {
  const Option option = {.key = "proxy"};
  for (const char* secret : {"http://me:abc@proxy:80/", "me:abc@proxy:80", "socks5://:abc@proxy"}) {
    EXPECT_TRUE(option.hides(secret)) << secret;
  }
  for (const char* open : {"http://proxy:80/", "http://me@proxy/", "mailto:me@a.example", "",
                           "MyBot/1.0 (mail: me@a.example)", "http://a.example/?q=b:c@d"}) {
    EXPECT_FALSE(option.hides(open)) << open;
  }
  EXPECT_TRUE((Option{.key = "login-password"}).hides("abc"));
  EXPECT_FALSE((Option{.key = "password-env"}).hides("abc")) << "where it is, not what it is";
}

TEST_F(ConfigurationTest, NamesVariablesAfterTheirKeys) {
  EXPECT_EQ(environment_name("max-time"), "GOSSAMER_MAX_TIME");
  EXPECT_EQ(environment_name("url"), "GOSSAMER_URL");
}

}  // namespace
}  // namespace gossamer::options
