// Tests which settings a crawl directory keeps.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/crawl_arguments.h"

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
