// Tests the [host."NAME"] tables of configuration files.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "options/table.h"
#include "settings/crawl_arguments.h"

namespace gossamer::settings {
namespace {

class HostTablesTest : public testing::Test {
 protected:
  HostTablesTest() {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = testing::TempDir() + "gossamer_hosts_" + test->name();
    std::filesystem::create_directories(folder_);
    world_.project_file = folder_ + "/gossamer.toml";
    world_.user_file = folder_ + "/config.toml";
  }
  ~HostTablesTest() override { std::filesystem::remove_all(folder_); }

  void project(const std::string& text) const { std::ofstream(world_.project_file) << text; }
  void user(const std::string& text) const { std::ofstream(world_.user_file) << text; }

  struct Read {
    std::optional<options::Table::Stop> stop;
    run::IdentitySettings words;
    std::string out;
    std::string err;
  };

  Read parse(std::vector<std::string> given, bool has_hosts = true, bool trusts = true) const {
    if (trusts) given.emplace_back("--trust");
    Read read;
    CrawlArguments arguments;
    options::Table table("crawl");
    if (has_hosts) declare_crawl_settings(table, arguments);
    table.read_configuration(world_);
    read.stop = table.parse(given);
    read.words = std::move(arguments.crawl.own_identity);
    if (!read.stop) return read;
    const bool is_shown = read.stop->reason == options::Table::Stop::Reason::configuration;
    (is_shown ? read.out : read.err) = read.stop->text;
    return read;
  }

  // Returns the error about the project's file, starting at its line number.
  std::string refusal_of(const std::string& text) const {
    project(text);
    const Read read = parse({});
    EXPECT_TRUE(read.stop) << text;
    const std::string before = world_.project_file + ":";
    EXPECT_TRUE(read.err.starts_with(before)) << read.err;
    return read.err.substr(std::min(before.size(), read.err.size()));
  }

  std::string folder_;
  options::ConfigWorld world_;
};

TEST_F(HostTablesTest, OfTheFolderNeedTrustForSecrets) {
  project("[host.\"a.example\"]\ndelay = '5s'\n");
  EXPECT_FALSE(parse({}, true, false).stop);
  for (const std::string key : {"header = ['X-Token: abc']", "user = 'me'", "password = 'p'",
                                "password-env = 'HOME'", "login-url = 'http://a.example/'",
                                "login-fields = {pin = 'env:HOME'}", "login-check = 'x'"}) {
    project("[host.\"a.example\"]\n" + key + "\n");
    const Read read = parse({}, true, false);
    ASSERT_TRUE(read.stop) << key;
    EXPECT_TRUE(read.err.contains("add `trust`")) << read.err;
    EXPECT_FALSE(parse({}).stop) << key;
  }
  user("[host.\"a.example\"]\nuser = 'me'\n");
  project("");
  EXPECT_FALSE(parse({}, true, false).stop);
}

TEST_F(HostTablesTest, SetOptionsOfAHost) {
  user("[host.\"a.example\"]\ndelay = 1\nuser = 'you'\nhost-concurrency = 2\n");
  project(
      "[crawl]\ndelay = '1s'\n[host.\"A.example\"]\ndelay = '5s'\nheader = ['X-Token: abc']\n"
      "[host.\"*.b.example\"]\nexclude = ['x', 'y']\n"
      "login-fields = {user = 'me', pin = 7}\n");
  const Read read = parse({});
  EXPECT_FALSE(read.stop) << read.err;
  ASSERT_EQ(read.words.hosts.size(), 2u);
  const run::HostSettings& one = read.words.hosts.at("a.example");
  EXPECT_EQ(one.options.delay, 5s);
  EXPECT_EQ(one.options.concurrency, 2u);
  EXPECT_EQ(one.login.user, "you") << "from the user's file; the project's file does not set it";
  ASSERT_EQ(one.fields.size(), 1u);
  EXPECT_EQ(one.fields[0].value, "abc");
  const run::HostSettings& other = read.words.hosts.at("*.b.example");
  EXPECT_EQ(other.options.exclude, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(other.login.fields, (std::vector<std::string>{"pin=7", "user=me"}));
  EXPECT_TRUE(parse({"--no-config"}).words.hosts.empty());
}

TEST_F(HostTablesTest, ErrorsHaveTheirLine) {
  EXPECT_EQ(refusal_of("[host.\"a.example\"]\ndealy = 1\n"),
            "2: unknown key 'dealy' in [host.\"a.example\"]; did you mean delay?");
  EXPECT_EQ(refusal_of("[host.\"a.example\"]\ndelay = 'fast'\n"),
            "2: delay: expected a time such as 10s, 500ms or 2m, not 'fast'");
  EXPECT_EQ(refusal_of("[host.\"a b\"]\ndelay = 1\n"),
            "2: 'a b' is not a host; write example.com, or *.example.com for its subdomains");
  EXPECT_EQ(refusal_of("[host]\ndelay = 1\n"),
            "2: host tables require a quoted name: [host.\"example.com\"]");
  EXPECT_EQ(refusal_of("[host.a.example]\ndelay = 1\n"),
            "1: host tables require a quoted name: [host.\"example.com\"]");
  EXPECT_EQ(refusal_of("[host.\"a.example\"]\ndelay = 1\n[host.\"A.EXAMPLE\"]\ndelay = 2\n"),
            "4: delay: line 2 already sets delay");
  EXPECT_EQ(refusal_of("[host.\"a.example\"]\ndelay = {a = 1}\n"),
            "2: delay: expected a text, a number, true, false or a list of these");
  EXPECT_EQ(refusal_of("[host.\"a.example\"]\nexclude = ['(']\n").substr(0, 12), "2: exclude: ");
  EXPECT_EQ(refusal_of("[host.\"a.example\"]\nhost-concurrency = 0\n"),
            "2: host-concurrency: expected a whole number of at least 1, not '0'");
  EXPECT_EQ(refusal_of("[host.\"a.example\"]\nheader = ['hunter2']\n"),
            "2: header: expected 'Name: value'");
  EXPECT_EQ(refusal_of("[host.\"a.example\"]\nlogin-field = ['hunter2']\n"),
            "2: login-field: expected NAME=VALUE");
  EXPECT_EQ(refusal_of("[hots.\"a.example\"]\ndelay = 1\n"),
            "1: unknown table [hots]; did you mean [host]?");
}

TEST_F(HostTablesTest, AreShownWithTheirOriginsAndWithoutSecrets) {
  project(
      "[host.\"a.example\"]\ndelay = 5\nuser = 'me'\npassword = 'hunter2'\n"
      "password-env = 'NAME'\nheader = ['X-Token: hunter2', 'Accept-Language: de']\n"
      "login-field = ['pin=hunter2', 'word=env:NAME']\n");
  const Read read = parse({"--print-config"});
  const std::string file = world_.project_file;
  EXPECT_NE(read.out.find("\n[host.\"a.example\"]\ndelay = 5  # " + file + ":2\n"),
            std::string::npos)
      << read.out;
  for (const std::string& line :
       {"user = \"me\"  # " + file + ":3\n", "#password =  # " + file + ":4; value not shown\n",
        "password-env = \"NAME\"  # " + file + ":5\n",
        "#header = [\"Accept-Language: de\"]  # " + file + ":6; 1 values not shown\n",
        "#login-field = [\"word=env:NAME\"]  # " + file + ":7; 1 values not shown\n"}) {
    EXPECT_NE(read.out.find("\n" + line), std::string::npos) << line << read.out;
  }
  EXPECT_EQ(read.out.find("hunter2"), std::string::npos) << read.out;
}

TEST_F(HostTablesTest, AreIgnoredByCommandsWithoutThem) {
  project("[host.\"a.example\"]\nwhatever = 1\n");
  EXPECT_FALSE(parse({}, false).stop);
}

// The nodes of a shared crawl compare lines in this order.
TEST(HostKeys, HaveAFixedOrder) {
  CrawlArguments arguments;
  options::Table table("crawl");
  declare_crawl_settings(table, arguments);
  std::string keys;
  for (const options::Option& option : table.declared().host_options) keys += option.key + " ";
  EXPECT_EQ(keys,
            "delay host-concurrency include exclude header user password password-env login-url "
            "login-field login-check ");
}

}  // namespace
}  // namespace gossamer::settings
