// Tests the refresh of a crawl directory: only changed pages are transferred, and they are listed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "crawl_run.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class RefreshTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_installed(support::kPython)) GTEST_SKIP() << "python3 is not installed";
    port_ = support::free_port();
    site_ = std::make_unique<support::Program>(std::vector<std::string>{
        support::kPython, support::source_path("tests/end_to_end/changing_site.py"),
        std::to_string(port_)});
    ASSERT_TRUE(site_->wait_until_listening(port_));
  }

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::string job() const { return folder_.file("job"); }

  int crawl_again(std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"-j", job(), "-q", "--no-progress", "-o", "/dev/null"};
    words.push_back(url("/"));
    words.insert(words.end(), more.begin(), more.end());
    return crawl(std::move(words)).exit_code;
  }

  std::string fetch(const std::string& path) const {
    CommandRun run({"fetch", "--no-proxy", url(path)});
    EXPECT_EQ(run.wait(), 0) << run.err();
    return run.out();
  }

  // The requests since the site changed, and their statuses.
  std::map<std::string, int> heard() const {
    std::map<std::string, int> answers;
    for (const auto& entry : Json::parse(fetch("/log"))) {
      EXPECT_TRUE(answers.emplace(entry[0], entry[1]).second) << entry;
    }
    answers.erase("/robots.txt");
    return answers;
  }

  std::vector<std::string> changes() const {
    CommandRun run({"job", "changes", job(), "--json"});
    EXPECT_EQ(run.wait(), 0) << run.err();
    std::vector<std::string> lines;
    for (const std::string& line : run.out_lines()) {
      const Json change = Json::parse(line);
      const std::string place = change["url"];
      lines.push_back(std::string(change["change"]) + " " + place.substr(url("").size()));
    }
    return lines;
  }

  support::TestFolder folder_;
  std::uint16_t port_ = 0;
  std::unique_ptr<support::Program> site_;
};

TEST_F(RefreshTest, OnlyWhatHasChangedComesAndIsTold) {
  EXPECT_EQ(crawl_again(), 0);
  fetch("/advance");
  EXPECT_EQ(crawl_again({"--refresh"}) & ~8, 0);
  EXPECT_THAT(heard(),
              UnorderedElementsAre(Pair("/", 200), Pair("/same", 304), Pair("/changes", 200),
                                   Pair("/goes", 404), Pair("/comes", 200)));
  EXPECT_THAT(changes(),
              UnorderedElementsAre("changed /", "changed /changes", "gone /goes", "new /comes"));
  // The page that has not changed keeps its record, and the archive refers to it.
  CommandRun list({"job", "list", job(), "--state", "done"});
  EXPECT_EQ(list.wait(), 0);
  EXPECT_THAT(list.out(), HasSubstr("/same"));
  for (const std::string& line : list.out_lines()) EXPECT_NE(Json::parse(line)["status"], 304);
  CommandRun records({"warc", "ls", "--json", job() + "/archive/crawl-00002.warc.gz"});
  EXPECT_EQ(records.wait(), 0) << records.err();
  std::vector<std::string> revisits;
  for (const std::string& line : records.out_lines()) {
    const Json record = Json::parse(line);
    if (record["type"] == "revisit") revisits.push_back(record["url"]);
  }
  EXPECT_THAT(revisits, ElementsAre(url("/same")));
  CommandRun check({"warc", "check", job() + "/archive/crawl-00002.warc.gz"});
  EXPECT_EQ(check.wait(), 0) << check.out();
}

TEST_F(RefreshTest, ALimitThatWasReachedIsNoReasonNotToAskAgain) {
  EXPECT_EQ(crawl_again({"--limit", "4"}), 0);
  fetch("/advance");
  EXPECT_EQ(crawl_again({"--limit", "4", "--refresh"}) & ~8, 0);
  EXPECT_EQ(heard().count("/same"), 1U);
}

TEST_F(RefreshTest, WhatIsYoungIsLeftAlone) {
  EXPECT_EQ(crawl_again(), 0);
  fetch("/advance");
  EXPECT_EQ(crawl_again({"--refresh", "--older-than", "1h"}), 0);
  EXPECT_TRUE(heard().empty());
  EXPECT_TRUE(changes().empty());
}

TEST_F(RefreshTest, AMirrorIsMadeAndUpdatedByOneCommand) {
  namespace fs = std::filesystem;
  const std::string copy = folder_.file("copy");
  const auto mirror = [&](const std::string& folder, int exit_code) {
    CommandRun run({"mirror", url("/"), folder, "--", "--no-proxy", "-q"});
    EXPECT_EQ(run.wait(), exit_code) << run.err();
    if (exit_code == 2) EXPECT_THAT(run.err(), HasSubstr("not a mirror"));
    return run.out_lines();
  };
  CommandRun quiet({"mirror", "-q", url("/"), folder_.file("quiet"), "--", "--no-proxy"});
  EXPECT_EQ(quiet.wait(), 0);
  EXPECT_EQ(quiet.out() + quiet.err(), "");
  const std::vector<std::string> printed = mirror(copy, 0);
  ASSERT_EQ(printed.size(), 1U);
  const fs::path page = fs::path(printed.front()).parent_path() / "changes.html";
  EXPECT_EQ(support::file_content(page), "before");
  fetch("/advance");
  constexpr int kSomeMissing = 8;  // a page is gone
  EXPECT_EQ(mirror(copy, kSomeMissing), printed);
  EXPECT_EQ(support::file_content(page), "after");
  EXPECT_FALSE(fs::exists(copy + "/.new"));
  EXPECT_FALSE(fs::exists(copy + "/.old"));
  mirror(folder_.file("."), 2);
}

TEST_F(RefreshTest, AMirrorThatWasInterruptedContinuesWithAnotherRate) {
  const std::string copy = folder_.file("copy");
  CommandRun begun({"crawl", url("/"), "--job", copy + "/.crawl", "--assets", "--limit", "2",
                    "--no-proxy", "-q", "-o", "/dev/null"});
  EXPECT_EQ(begun.wait(), 0) << begun.err();
  CommandRun mirror({"mirror", url("/"), copy, "--", "--no-proxy", "-q", "--rate", "1000"});
  EXPECT_EQ(mirror.wait(), 0) << mirror.err();
  EXPECT_EQ(heard().size(), 4U) << "each page was requested once";
  CommandRun deeper({"mirror", url("/"), copy, "--", "--no-proxy", "-q", "--depth", "1"});
  EXPECT_EQ(deeper.wait(), 2);
  EXPECT_THAT(deeper.err(), HasSubstr("add `-- --change-settings`"));
  CommandRun changed(
      {"mirror", url("/"), copy, "--", "--no-proxy", "-q", "--depth", "1", "--change-settings"});
  EXPECT_EQ(changed.wait(), 0) << changed.err();
}

}  // namespace
}  // namespace gossamer::cli
