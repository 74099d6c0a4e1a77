// Tests the files of `gossamer job export --markdown`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "crawl_run.h"
#include "site/site_options.h"

namespace gossamer::cli {
namespace {

using support::TestFolder;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class ExportMarkdownTest : public testing::Test {
 protected:
  std::string job() const { return folder_.file("job"); }
  std::string out() const { return folder_.file("out"); }

  std::vector<std::string> files() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(out())) {
      if (entry.is_regular_file()) found.push_back(entry.path());
    }
    return found;
  }
  static std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  TestFolder folder_;
};

TEST_F(ExportMarkdownTest, WritesAFileForEachPage) {
  SiteThread server(plain_site(5));
  const Outcome crawled =
      crawl({"-j", job(), "-q", "--no-progress", "-o", "/dev/null", server.url("/")});
  ASSERT_EQ(crawled.exit_code, 0) << crawled.err;
  server.stop();
  CommandRun run({"job", "export", job(), "--markdown", out()});
  EXPECT_EQ(run.wait(), 0) << run.err();
  const std::vector<std::string> found = files();
  EXPECT_EQ(found.size(), 5U);
  for (const std::string& path : found) {
    EXPECT_TRUE(path.ends_with(".md")) << path;
    const std::string content = content_of(path);
    EXPECT_TRUE(content.starts_with("---\nurl: \"http://127.0.0.1:")) << content;
    EXPECT_THAT(content, HasSubstr("\ntitle: \""));
    EXPECT_THAT(content, HasSubstr("\nfetched: \"20"));
    EXPECT_GT(content.size(), content.find("\n---\n\n") + 10) << content;
  }
  CommandRun again({"job", "export", job(), "--markdown", out()});
  EXPECT_EQ(again.wait(), 2) << "the folder is not empty";
}

}  // namespace
}  // namespace gossamer::cli
