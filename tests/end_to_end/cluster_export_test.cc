// Tests `gossamer cluster export`: the directories of nodes become one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "crawl_run.h"

namespace gossamer::cli {
namespace {

using support::TestFolder;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

class ClusterExportTest : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.file(name); }

  // Crawls a part of a site into a directory, as a node would.
  void crawl_part(const std::string& site, const std::string& name, const std::string& limit) {
    const Outcome crawled = crawl({"-j", file(name), "-q", "--no-progress", "--limit", limit, "-o",
                                   file(name + ".jsonl"), site});
    EXPECT_LT(crawled.exit_code, 20) << crawled.err;
  }
  std::map<std::string, int> urls_in(const std::string& path) const {
    std::map<std::string, int> urls;
    for (const std::string& line : lines_of(path)) {
      ++urls[Json::parse(line)["url"].get<std::string>()];
    }
    return urls;
  }

  TestFolder folder_;
};

TEST_F(ClusterExportTest, EveryUrlHasOneRecordAndItsPage) {
  const SiteThread server(plain_site(40));
  const std::string site = server.url("/");
  crawl_part(site, "one", "12");
  crawl_part(site, "two", "30");
  std::set<std::string> all;
  for (const std::string name : {"one", "two"}) {
    for (const auto& [url, times] : urls_in(file(name + ".jsonl"))) all.insert(url);
  }
  CommandRun merge({"cluster", "export", file("one"), file("two"), "--job", file("both"), "--jsonl",
                    file("both.jsonl"), "--sqlite", file("both.db"), "--mirror", file("copy"),
                    "--cdxj", file("both.cdxj")});
  EXPECT_EQ(merge.wait(), 0) << merge.err();
  const std::map<std::string, int> merged = urls_in(file("both.jsonl"));
  EXPECT_EQ(merged.size(), all.size());
  for (const auto& [url, times] : merged) {
    EXPECT_EQ(times, 1) << url;
    EXPECT_TRUE(all.contains(url)) << url;
  }
  EXPECT_THAT(merge.err(), HasSubstr(" of 2 nodes, "));
  EXPECT_GT(fs::file_size(file("both.db")), 0u);
  EXPECT_FALSE(fs::is_empty(file("copy"))) << "pages are read from the archives of both";
  std::size_t of_first = 0;
  for (const std::string& line : lines_of(file("both.cdxj"))) {
    if (line.contains("n1-")) ++of_first;
  }
  EXPECT_GT(of_first, 0u);
  CommandRun status({"job", "status", file("both"), "--json"});
  EXPECT_EQ(status.wait(), 0) << status.err();
  EXPECT_THAT(status.out(), HasSubstr("\"pages\": " + std::to_string(merged.size()) + ","));
}

TEST_F(ClusterExportTest, NothingIsOverwrittenOrHalfMade) {
  const SiteThread server(plain_site(5));
  crawl_part(server.url("/"), "one", "3");
  CommandRun missing({"cluster", "export", file("one"), file("none"), "--job", file("both")});
  EXPECT_NE(missing.wait(), 0);
  EXPECT_FALSE(fs::exists(file("both")));
  CommandRun used({"cluster", "export", file("one"), "--job", file("one")});
  EXPECT_EQ(used.wait(), 2) << used.err();
  EXPECT_THAT(used.err(), HasSubstr("is not empty"));
  CommandRun nowhere({"cluster", "export", file("one")});
  EXPECT_EQ(nowhere.wait(), 2);
}

}  // namespace
}  // namespace gossamer::cli
