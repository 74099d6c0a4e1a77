// `gossamer search` and `gossamer serve` with search indexes that are damaged or old.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "crawl_run.h"
#include "serve_run.h"
#include "tests/support/places.h"

namespace gossamer::cli {
namespace {

namespace fs = std::filesystem;
using support::TestFolder;

class SearchDamageTest : public testing::Test {
 protected:
  SearchDamageTest() : site_(plain_site(40)) {
    CommandRun crawled(crawl_words(
        {"-j", job(), "-q", "--no-progress", "--index", "-o", "/dev/null", site_.url("/")}));
    EXPECT_EQ(crawled.wait(), 0) << crawled.err();
  }

  std::string job() const { return folder_.file("job"); }
  std::string index() const { return job() + "/search.db"; }

  // Flips bits of every page but the first.
  void damage() const {
    std::string content = support::file_content(index());
    for (std::size_t at = 4096 + 100; at < content.size(); at += 4096) {
      content[at] = static_cast<char>(content[at] ^ 1);
    }
    std::ofstream(index(), std::ios::binary | std::ios::trunc) << content;
  }

  TestFolder folder_;
  SiteThread site_;
};

TEST_F(SearchDamageTest, NamesTheDamageAndItsRemedy) {
  CommandRun whole({"search", job(), "page"});
  EXPECT_EQ(whole.wait(), 0) << whole.err();
  damage();
  CommandRun damaged({"search", job(), "page"});
  EXPECT_GT(damaged.wait(), 1);
  EXPECT_TRUE(has(damaged.err(), "gossamer index")) << damaged.err();
  EXPECT_EQ(damaged.out(), "");
  CommandRun rebuilt({"index", "--rebuild", job()});
  EXPECT_EQ(rebuilt.wait(), 0) << rebuilt.err();
  CommandRun again({"search", job(), "page", "--json"});
  CommandRun before({"search", job(), "page"});
  EXPECT_EQ(again.wait(), 0) << again.err();
  EXPECT_EQ(before.wait(), 0);
  EXPECT_EQ(before.out(), whole.out());
}

TEST_F(SearchDamageTest, TheDashboardSaysWhatItCouldNotSearch) {
  const std::string other = folder_.file("other");
  fs::copy(job(), other, fs::copy_options::recursive);
  fs::permissions(other + "/tables", fs::perms::owner_all);
  damage();
  const ServeRun serve({job(), other});
  const std::string answer = serve.api("search?q=page");
  const Json found = Json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
  EXPECT_GT(found["total"], 0) << "of the other directory";
  ASSERT_EQ(found["failures"].size(), 1U) << answer;
  EXPECT_TRUE(has(found["failures"][0], index())) << answer;
  const ServeRun alone({job()});
  EXPECT_FALSE(has(alone.api("search?q=page"), " 200 "));
}

// stored_job/search_format_4.db.gz was written by the last version without checksums, from an
// archive of three pages.
TEST(FormerSearchIndexTest, IsSearchedAndContinued) {
  const TestFolder folder;
  const std::string old = folder.file("search.db");
  CommandRun unpacked(
      {"-dc", support::source_path("tests/end_to_end/stored_job/") + "search_format_4.db.gz"}, {},
      {.program = "/usr/bin/gzip"});
  ASSERT_EQ(unpacked.wait(), 0) << unpacked.err();
  std::ofstream(old, std::ios::binary) << unpacked.out();
  CommandRun search({"search", old, "amber"});
  EXPECT_EQ(search.wait(), 0);
  EXPECT_TRUE(has(search.out(), "3 pages found")) << search.out();
  EXPECT_EQ(search.err(), "");
  const std::string block =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>New</title><p>amber words";
  std::ofstream(folder.file("b.warc"), std::ios::binary)
      << "WARC/1.1\r\nWARC-Record-ID: <urn:uuid:9>\r\nWARC-Type: response\r\n"
         "WARC-Target-URI: http://a.example/9\r\nWARC-Date: 2026-01-02T00:00:00Z\r\n"
         "Content-Type: application/http\r\nContent-Length: "
      << block.size() << "\r\n\r\n"
      << block << "\r\n\r\n";
  CommandRun added({"index", folder.file("b.warc"), "-o", old, "--check"});
  EXPECT_EQ(added.wait(), 0) << added.err();
  EXPECT_EQ(added.err(), "") << "it is neither damaged nor outdated";
  CommandRun again({"search", old, "amber"});
  EXPECT_EQ(again.wait(), 0);
  EXPECT_TRUE(has(again.out(), "4 pages found")) << again.out();
}

}  // namespace
}  // namespace gossamer::cli
