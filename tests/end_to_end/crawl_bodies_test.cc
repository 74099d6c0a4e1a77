// Tests that bodies are whole, or that everything says that they are not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "async/driver.h"
#include "crawl_run.h"
#include "tests/support/memory_group.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

using support::TestFolder;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

constexpr std::uintmax_t kLong = 80 * 1024 * 1024;

class CrawlBodiesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_installed(support::kPython)) GTEST_SKIP() << "python3 is not installed";
    port_ = support::free_port();
    site_ = std::make_unique<support::Program>(std::vector<std::string>{
        support::kPython, support::source_path("tests/end_to_end/body_site.py"),
        std::to_string(port_)});
    ASSERT_TRUE(site_->wait_until_listening(port_));
  }

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  // "disconnect" and so on, by path; "" for a whole body.
  std::map<std::string, std::string> truncations(const std::string& records) const {
    std::map<std::string, std::string> found;
    for (const Json& record : records_in(records)) {
      const std::string path = std::string(record["url"]).substr(url("").size());
      found[path] = record.value("truncated_by", "");
      EXPECT_EQ(record["truncated"].get<bool>(), record.contains("truncated_by")) << path;
    }
    return found;
  }

  TestFolder folder_;
  std::uint16_t port_ = 0;
  std::unique_ptr<support::Program> site_;
};

// Only whole bodies are copied, whatever their size.
TEST_F(CrawlBodiesTest, AMirrorHasWholeFilesAndLinksToTheWebForOthers) {
  const std::string copy = folder_.file("copy");
  CommandRun run({"mirror", url("/"), copy, "--", "--no-progress", "--max-tries", "1"});
  EXPECT_NE(run.wait(), 0);
  EXPECT_THAT(run.err(), HasSubstr("but 4 bodies are incomplete"));
  EXPECT_THAT(run.err(), HasSubstr(url("/cut")));
  std::map<std::string, std::uintmax_t> sizes;
  for (const auto& entry : fs::recursive_directory_iterator(copy)) {
    const std::string path = entry.path();
    if (entry.is_regular_file() && !path.contains("/.crawl/")) {
      sizes[entry.path().filename()] = entry.file_size();
    }
  }
  EXPECT_EQ(sizes.size(), 3U);
  EXPECT_EQ(sizes["video.mp4"], kLong);
  EXPECT_EQ(sizes["table"], kLong);
  std::string index;
  for (const auto& entry : fs::recursive_directory_iterator(copy)) {
    if (entry.path().filename() == "index.html") index = support::file_content(entry.path());
  }
  for (const std::string path : {"/cut", "/chunks", "/gzip", "/page.html"}) {
    EXPECT_THAT(index, HasSubstr("href=\"" + url(path) + '"'));
  }
  EXPECT_THAT(index, Not(HasSubstr(url("/video"))));
}

TEST_F(CrawlBodiesTest, ACrawlDirectorySaysWhatIsIncomplete) {
  const std::string job = folder_.file("job");
  const std::string records = folder_.file("records.jsonl");
  const Outcome crawled =
      crawl({"-j", job, "--no-progress", "--max-tries", "1", "-o", records, url("/")});
  constexpr int kDisconnected = 4;
  EXPECT_EQ(crawled.exit_code, kDisconnected);
  const std::map<std::string, std::string> expected = {{"/", ""},
                                                       {"/video", ""},
                                                       {"/table", ""},
                                                       {"/cut", "disconnect"},
                                                       {"/chunks", "unspecified"},
                                                       {"/gzip", "unspecified"},
                                                       {"/page.html", "disconnect"}};
  EXPECT_EQ(truncations(records), expected);
  const std::string exported = folder_.file("exported.jsonl");
  CommandRun again({"job", "export", job, "--jsonl", exported});
  EXPECT_EQ(again.wait(), 0) << again.err();
  EXPECT_EQ(truncations(exported), expected);
  CommandRun check({"warc", "check", job + "/archive/crawl-00001.warc.gz"});
  EXPECT_EQ(check.wait(), 0) << check.out() << check.err();
  CommandRun extracted(
      {"warc", "extract", job + "/archive/crawl-00001.warc.gz", "-o", folder_.file("files")});
  EXPECT_EQ(extracted.wait(), 1);
  EXPECT_THAT(extracted.err(), HasSubstr("/cut is incomplete (WARC-Truncated: disconnect)"));
  EXPECT_THAT(extracted.err(), HasSubstr("/gzip is incomplete, so it has no file"));
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_.file("files"))) {
    if (entry.is_regular_file()) ++files;
  }
  constexpr std::size_t kFiles = 3;
  EXPECT_EQ(files, kFiles);
}

// What the user limits is limited.
TEST_F(CrawlBodiesTest, AGivenLimitAppliesToAllBodies) {
  const std::string records = folder_.file("records.jsonl");
  const Outcome crawled = crawl({"--no-progress", "--max-size", "1M", "--warc-file",
                                 folder_.file("archive"), "-o", records, url("/video")});
  EXPECT_EQ(crawled.exit_code, 1);
  EXPECT_THAT(crawled.err, HasSubstr("but one body is incomplete"));
  const std::map<std::string, std::string> expected = {{"/video", "length"}};
  EXPECT_EQ(truncations(records), expected);
}

// A write of the event loop fails.
TEST_F(CrawlBodiesTest, AFileThatMustNotGrowEndsTheCrawlAndTheNextRunFinishesIt) {
  for (const std::string loop : {"epoll", "io_uring"}) {
    if (loop == "io_uring" && !async::make_driver(async::DriverKind::io_uring)) continue;
    const std::string job = folder_.file("job");
    const std::string records = folder_.file("records.jsonl");
    fs::remove_all(job);
    const std::string crawl = support::gossamer_program() +
                              " crawl --no-proxy --no-progress --loop " + loop + " -j " + job +
                              " -o " + records + " " + url("/video");
    CommandRun limited({"-c", "ulimit -f 3000; exec " + crawl}, {}, {.program = "/bin/bash"});
    EXPECT_EQ(limited.wait(), 3) << loop << limited.err();
    EXPECT_THAT(limited.err(), HasSubstr("File too large, while storing a large body"));
    CommandRun again({"-c", crawl}, {}, {.program = "/bin/bash"});
    EXPECT_EQ(again.wait(), 0) << loop << again.err();
    const std::map<std::string, std::string> whole = {{"/video", ""}};
    EXPECT_EQ(truncations(records), whole);
  }
}

// Four bodies of 80 MiB arrive at the same time.
TEST_F(CrawlBodiesTest, LargeBodiesDoNotNeedMemory) {
  constexpr std::uint64_t kLimit = 160 * 1024 * 1024;
  const support::MemoryGroup group(kLimit);
  if (group.path().empty()) GTEST_SKIP() << "no memory cgroup can be made";
  const std::string records = folder_.file("records.jsonl");
  const std::string command = group.prefix() + support::gossamer_program() +
                              " crawl -q --no-progress --memory 64M -j " + folder_.file("job") +
                              " -o " + records + " " + url("/videos");
  support::Program run({"/bin/sh", "-c", command});
  EXPECT_EQ(run.wait_for_end(), 0);
  const auto found = truncations(records);
  EXPECT_EQ(found.size(), 5U);
  for (const auto& [path, why] : found) EXPECT_EQ(why, "") << path;
}

}  // namespace
}  // namespace gossamer::cli
