#include "cli/serve_site_command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/standard_output.h"

namespace gossamer::cli {
namespace {

const std::vector<std::string> kSite = {"--port", "8080", "--pages", "50", "--seed", "3"};

std::vector<std::string> with(std::vector<std::string> words) {
  words.insert(words.begin(), kSite.begin(), kSite.end());
  return words;
}

// The lines of the truth that must be fetched: they have what is read of a crawl's results.
std::vector<std::string> perfect_crawl() {
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_serve_site_command(with({"--truth"})), kOk);
  EXPECT_TRUE(standard_output().flush());
  const std::string truth = testing::internal::GetCapturedStdout();
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < truth.size();) {
    const std::size_t end = truth.find('\n', at);
    const std::string line = truth.substr(at, end - at);
    if (line.find("\"must_fetch\": true") != std::string::npos) lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

int compare(const std::vector<std::string>& lines, std::string& said) {
  const std::string path = testing::TempDir() + "serve_site_command_test.jsonl";
  std::ofstream file(path);
  for (const std::string& line : lines) file << line << "\n";
  file.close();
  testing::internal::CaptureStdout();
  const int exit_code = run_serve_site_command(with({"--compare", path}));
  EXPECT_TRUE(standard_output().flush());
  said = testing::internal::GetCapturedStdout();
  std::remove(path.c_str());
  return exit_code;
}

TEST(ServeSiteCommandTest, FindsACrawlEqualToTheTruth) {
  std::string said;
  EXPECT_EQ(compare(perfect_crawl(), said), kOk);
  EXPECT_TRUE(said.starts_with("equal: ")) << said;
}

TEST(ServeSiteCommandTest, FindsWhatACrawlMissed) {
  auto crawl = perfect_crawl();
  ASSERT_GT(crawl.size(), 40u);
  crawl.pop_back();
  std::string said;
  EXPECT_EQ(compare(crawl, said), kFailed);
  EXPECT_TRUE(said.starts_with("missing: http://127.0.0.1:8080/")) << said;
}

TEST(ServeSiteCommandTest, RefusesWhatMakesNoSense) {
  EXPECT_EQ(run_serve_site_command({"--truth"}), kUsage);
  EXPECT_EQ(run_serve_site_command({"--port", "70000"}), kUsage);
  EXPECT_EQ(run_serve_site_command({"--hosts", "0"}), kUsage);
  EXPECT_EQ(run_serve_site_command({"--pages", "0"}), kUsage);
  EXPECT_EQ(run_serve_site_command({"--faults", "few"}), kUsage);
  EXPECT_EQ(run_serve_site_command(with({"--compare", "/no/such/file"})), kFileFailed);
}

}  // namespace
}  // namespace gossamer::cli
