// Tests that --memory limits the whole process, whatever servers send.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "crawl_run.h"
#include "tests/support/memory_group.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"
#include "tests/support/suite.h"

namespace gossamer::cli {
namespace {

using support::TestFolder;

constexpr std::uint64_t kMegabyte = 1024 * 1024;
// 64 MiB and a tenth.
constexpr std::uint64_t kLimit = 70 * kMegabyte;

struct Case {
  std::string kind;
  std::string options = {};
};

// Names of tests have no other signs.
std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.kind; }

class CrawlMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (support::kIsSanitized) GTEST_SKIP() << "sanitizers need memory of their own";
    if (!support::is_installed(support::kPython)) GTEST_SKIP() << "python3 is not installed";
    if (group_.path().empty()) GTEST_SKIP() << "no memory cgroup can be made";
  }

  // Starts heavy_site.py.
  void serve(int count, std::uint64_t bytes) {
    port_ = support::free_port();
    site_ = std::make_unique<support::Program>(std::vector<std::string>{
        support::kPython, support::source_path("tests/end_to_end/heavy_site.py"),
        std::to_string(port_), std::to_string(count), std::to_string(bytes)});
    ASSERT_TRUE(site_->wait_until_listening(port_));
  }

  // Crawls with --memory 64M. Returns the exit code.
  int crawl_within_limit(const std::string& path, const std::string& options) {
    const std::string command = group_.prefix() + support::gossamer_program() +
                                " crawl -q --no-progress --memory 64M -j " + folder_.file("job") +
                                " -o " + folder_.file("records.jsonl") + " " + options +
                                " http://127.0.0.1:" + std::to_string(port_) + path;
    support::Program run({"/bin/sh", "-c", command}, folder_.file("log"));
    return run.wait_for_end();
  }
  std::string log() const { return support::file_content(folder_.file("log")); }
  std::size_t whole_pages() const {
    std::size_t whole = 0;
    for (const Json& record : records_in(folder_.file("records.jsonl"))) {
      if (record["status"] == 200 && record["truncated"] == false) ++whole;
    }
    return whole;
  }

  TestFolder folder_;
  const support::MemoryGroup group_{kLimit};
  std::uint16_t port_ = 0;
  std::unique_ptr<support::Program> site_;
};

class CrawlMemoryTest : public CrawlMemory, public testing::WithParamInterface<Case> {};

TEST_P(CrawlMemoryTest, BodiesThatEndTogether) {
  const int count = support::is_long_suite() ? 64 : 16;
  const int megabytes = support::is_long_suite() ? 16 : 2;
  serve(count, megabytes * kMegabyte);
  const auto& [kind, options] = GetParam();
  const std::string limit = " --limit " + std::to_string(count + 1);  // bodies have links, too
  EXPECT_EQ(crawl_within_limit("/" + kind, options + limit), 0) << log();
  EXPECT_EQ(whole_pages(), static_cast<std::size_t>(count) + 1);
}

// Each of these hosts has a file that must not be cut.
TEST_F(CrawlMemory, RulesOfManyHosts) {
  constexpr int kHosts = 64;
  serve(kHosts, 500'000);
  const std::string proxy = "--proxy http://127.0.0.1:" + std::to_string(port_);
  for (const std::string kind : {"/hosts", "/rules"}) {
    std::filesystem::remove_all(folder_.file("job"));
    EXPECT_EQ(crawl_within_limit(kind, "--scope any " + proxy), 0) << log();
    EXPECT_EQ(whole_pages(), 2U * kHosts + 1) << kind << ": /secret is forbidden";
  }
}

// They are on the disk while they wait for the archive. A group of version 1 counts what is not yet
// there, and nothing slows the writers down.
TEST_F(CrawlMemory, LargeBodiesThatWaitForTheArchive) {
  const int count = support::is_long_suite() ? 64 : 16;
  const int megabytes = support::is_long_suite() ? 64 : 16;
  serve(count, megabytes * kMegabyte);
  EXPECT_EQ(crawl_within_limit("/plain", "--content markdown --max-size 1G"), 0) << log();
  EXPECT_EQ(whole_pages(), count + 1U);
}

TEST_F(CrawlMemory, APageWithVeryManyHosts) {
  serve(support::is_long_suite() ? 1'000'000 : 100'000, 1000);
  EXPECT_EQ(crawl_within_limit("/hosts", "--scope any --limit 1"), 1) << log();
  EXPECT_EQ(whole_pages(), 1U);
}

// 500 bodies arrive at the same time, on one connection.
TEST_F(CrawlMemory, ManyStreamsOfHttp2) {
  constexpr std::size_t kStreams = 500;
  const char* const server = "/usr/sbin/nghttpd";
  if (!support::is_installed(server)) GTEST_SKIP() << "nghttpd is not installed";
  std::string list;
  for (std::size_t i = 0; i < kStreams; ++i)
    list += "<a href=/p.html?" + std::to_string(i) + ">x</a>";
  folder_.write("index.html", list);
  std::string page;
  const std::size_t bytes = support::is_long_suite() ? 4 * kMegabyte : kMegabyte / 2;
  while (page.size() < bytes) page += "<p>A sentence that says little.</p><a href=/leaf>leaf</a>\n";
  folder_.write("p.html", page);
  port_ = support::free_port();
  support::Program site({server, "--no-tls", "-d", folder_.path(), "-m", std::to_string(kStreams),
                         std::to_string(port_)});
  ASSERT_TRUE(site.wait_until_listening(port_));
  const std::string options =
      "--http2-prior-knowledge --exclude /leaf --concurrency " + std::to_string(kStreams);
  EXPECT_EQ(crawl_within_limit("/", options), 0) << log();
  EXPECT_EQ(whole_pages(), kStreams + 1);
}

INSTANTIATE_TEST_SUITE_P(OfKind, CrawlMemoryTest,
                         testing::Values(Case{.kind = "text", .options = "--content markdown"},
                                         Case{.kind = "tags", .options = "--content markdown"},
                                         Case{.kind = "links", .options = "--warc-metadata"},
                                         Case{.kind = "styles", .options = "--assets"},
                                         Case{.kind = "packed",
                                              .options = "--content text --metadata"},
                                         Case{.kind = "dense", .options = "--content text"}),
                         name_of);

}  // namespace
}  // namespace gossamer::cli
