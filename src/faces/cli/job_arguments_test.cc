// Tests which settings a crawl directory and a shared crawl store.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/crawl_arguments.h"
#include "settings/job_settings.h"

namespace gossamer::cli {
namespace {

// A resumed crawl takes the same fields and texts as the first run.
TEST(JobArguments, KeepTheContentsOfPages) {
  const std::string folder = testing::TempDir() + "gossamer_job_arguments";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/rules.toml") << "[extract]\nprice = \".price\"\n";
  CrawlArguments first;
  const std::vector<std::string> words = {
      "http://a.example/", "--job",    folder + "/job",  "--extract",           "title=h1",
      "--content",         "markdown", "--extract-file", folder + "/rules.toml"};
  ASSERT_FALSE(read_crawl_arguments(words, {.project_file = {}}, first));
  std::filesystem::remove(folder + "/rules.toml");

  const options::StoredSettings stored = {
      .name = "job.toml", .text = first.crawl.job.configuration, .doubt = "another person"};
  CrawlArguments resumed;
  ASSERT_FALSE(read_crawl_arguments({"--job", folder + "/job"},
                                    {.project_file = {}, .stored = stored}, resumed));
  EXPECT_EQ(resumed.crawl.extract, (std::vector<std::string>{"title=h1", "price=.price"}));
  EXPECT_TRUE(resumed.crawl.keeps_markdown);
  EXPECT_FALSE(resumed.crawl.keeps_text);
  std::filesystem::remove_all(folder);
}

// A crawl of every kind of setting, with two host tables.
CrawlArguments crawl_of_all_kinds() {
  const options::StoredSettings hosts = {
      .name = "gossamer.toml",
      .text =
          "[crawl]\nassets = true\n"
          "[host.\"b.example\"]\nexclude = ['x']\ninclude = ['y']\ndelay = 60\n"
          "host-concurrency = 3\nuser = 'me'\nheader = ['X: y']\n"
          "[host.\"*.c.example\"]\nuser = 'me'\npassword = 'p'\n",
      .doubt = {}};
  const std::vector<std::string> words = {"http://127.0.0.1:9/",
                                          "--job=D",
                                          "--depth=3",
                                          "--limit=5",
                                          "--memory=64M",
                                          "--delay=90",
                                          "--max-wait=60",
                                          "--proxy=http://127.0.0.1:8",
                                          "--user=me:pw",
                                          "--extract=title=h1",
                                          "--max-size=1024K",
                                          "--no-trap=calendar",
                                          "--threads=2",
                                          "--output=/dev/null",
                                          "--control=c",
                                          "--index",
                                          "--insecure",
                                          "--report=r.html",
                                          "--warc-header=operator: X"};
  CrawlArguments arguments;
  EXPECT_FALSE(
      read_crawl_arguments(words, {.project_file = {}, .stored = hosts}, arguments).has_value());
  return arguments;
}

// Later versions read this text, and compare it with their own.
constexpr std::string_view kStored =
    "# The settings of this crawl. `gossamer resume` continues it.\n"
    "# format 1\n"
    "\n"
    "[crawl]\n"
    "url = [\"http://127.0.0.1:9/\"]\n"
    "extract = [\"title=h1\"]\n"
    "depth = 3\n"
    "assets = true\n"
    "no-trap = [\"calendar\"]\n"
    "delay = \"90s\"\n"
    "limit = 5\n"
    "max-size = \"1M\"\n"
    "max-wait = \"1m\"\n"
    "warc-header = [\"operator: X\"]\n"
    "index = true\n"
    "memory = \"64M\"\n"
    "user = \"me:pw\"\n"
    "insecure = true\n"
    "proxy = \"http://127.0.0.1:8\"\n"
    "threads = 2\n"
    "\n"
    "[host.\"*.c.example\"]\n"
    "user = \"me\"\n"
    "password = \"p\"\n"
    "\n"
    "[host.\"b.example\"]\n"
    "delay = \"1m\"\n"
    "host-concurrency = 3\n"
    "include = [\"y\"]\n"
    "exclude = [\"x\"]\n"
    "header = [\"X: y\"]\n"
    "user = \"me\"\n";

TEST(JobArguments, StoreWhatConcernsTheCrawl) {
  EXPECT_EQ(crawl_of_all_kinds().crawl.job.configuration, kStored);
}

// The nodes of a shared crawl compare this text. Redis must not have secrets.
TEST(JobArguments, TellOtherNodesWhatCanDoNothing) {
  EXPECT_EQ(crawl_of_all_kinds().crawl.cluster.agreed,
            "[crawl]\n"
            "url = [\"http://127.0.0.1:9/\"]\n"
            "extract = [\"title=h1\"]\n"
            "depth = 3\n"
            "assets = true\n"
            "no-trap = [\"calendar\"]\n"
            "delay = \"90s\"\n"
            "limit = 5\n"
            "max-size = \"1M\"\n"
            "max-wait = \"1m\"\n"
            "warc-header = [\"operator: X\"]\n"
            "index = true\n"
            "[host.\"*.c.example\"]\n"
            "[host.\"b.example\"]\n"
            "delay = \"1m\"\n"
            "host-concurrency = 3\n"
            "include = [\"y\"]\n"
            "exclude = [\"x\"]\n");
}

TEST(JobArguments, CompareTheSettingsOfAnEarlierRun) {
  const run::JobSettings job = crawl_of_all_kinds().crawl.job;
  const auto changes_of = [&job](std::string_view from, std::string_view to) {
    std::string text(kStored);
    text.replace(text.find(from), from.size(), to);
    const auto changes =
        run::differences("job.toml", text, job.configuration, settings::crawl_table());
    std::string texts;
    if (changes) {
      for (const run::SettingChange& change : *changes) texts += change.text + "\n";
    }
    return texts;
  };
  EXPECT_EQ(changes_of("depth = 3\n", "depth = 3\n"), "");
  EXPECT_EQ(changes_of("max-wait = \"1m\"\n", "max-wait = 9\ndurability = \"none\"\n"), "");
  EXPECT_EQ(changes_of("max-size = \"1M\"", "max-size = \"1024k\""), "");
  EXPECT_EQ(changes_of("proxy = \"http://127.0.0.1:8\"\n", ""),
            "proxy is new: \"http://127.0.0.1:8\"\n");
  EXPECT_EQ(changes_of("password = \"p\"", "password = \"q\""),
            "[host.\"*.c.example\"] password was (not shown) and is now (not shown)\n");
  EXPECT_EQ(changes_of("user = \"me:pw\"\n", "contact = \"me@a.example\"\n"),
            "contact was \"me@a.example\"\nuser is new: (not shown)\n");
}

TEST(JobArguments, RefuseContentsThatWouldBeLost) {
  const auto is_refused = [](std::vector<std::string> words) {
    words.insert(words.begin(), "http://a.example/");
    CrawlArguments arguments;
    return read_crawl_arguments(words, {.project_file = {}}, arguments).has_value();
  };
  EXPECT_TRUE(is_refused({"--fields", "url,text"}));
  EXPECT_TRUE(is_refused({"--fields", "url,markdown", "--content", "text"}));
  EXPECT_TRUE(is_refused({"--format", "text", "--extract", "a=b"}));
  EXPECT_TRUE(is_refused({"--format", "urls", "--content", "text"}));
  EXPECT_TRUE(is_refused({"--format", "csv", "--content", "text"}));
  EXPECT_TRUE(is_refused({"--extract", ""}));
  EXPECT_FALSE(is_refused({"--format", "csv", "--extract", "a=b"}));
  EXPECT_FALSE(is_refused({"--format", "text", "--extract", "a=b", "--fields", "url,extracted.a"}));
  EXPECT_FALSE(is_refused({"--fields", "url,text", "--content", "text"}));
}

}  // namespace
}  // namespace gossamer::cli
