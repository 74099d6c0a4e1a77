// Tests that --memory limits the whole process, whatever servers send.

#include <gtest/gtest.h>

#include <cstdint>
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

class CrawlMemoryTest : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (support::kIsSanitized) GTEST_SKIP() << "sanitizers need memory of their own";
    if (!support::is_installed(support::kPython)) GTEST_SKIP() << "python3 is not installed";
    if (group_.path().empty()) GTEST_SKIP() << "no memory cgroup can be made";
  }

  // Crawls bodies that all end together, with --memory 64M.
  void crawl_heavy(const std::string& kind, const std::string& options) {
    const int count = support::is_long_suite() ? 64 : 16;
    const int megabytes = support::is_long_suite() ? 16 : 2;
    const std::uint16_t port = support::free_port();
    support::Program site({support::kPython, support::source_path("tests/end_to_end/heavy_site.py"),
                           std::to_string(port), std::to_string(count),
                           std::to_string(megabytes * kMegabyte)});
    ASSERT_TRUE(site.wait_until_listening(port));
    const std::string records = folder_.file("records.jsonl");
    const std::string command = group_.prefix() + support::gossamer_program() +
                                " crawl -q --no-progress --memory 64M -j " + folder_.file("job") +
                                " -o " + records + " --limit " + std::to_string(count + 1) + " " +
                                options + " http://127.0.0.1:" + std::to_string(port) + "/" + kind;
    support::Program run({"/bin/sh", "-c", command}, folder_.file("log"));
    EXPECT_EQ(run.wait_for_end(), 0) << support::file_content(folder_.file("log"));
    std::size_t whole = 0;
    for (const Json& record : records_in(records)) {
      if (record["status"] == 200 && record["truncated"] == false) ++whole;
    }
    EXPECT_EQ(whole, static_cast<std::size_t>(count) + 1);
  }

  TestFolder folder_;
  const support::MemoryGroup group_{kLimit};
};

TEST_P(CrawlMemoryTest, BodiesThatEndTogether) {
  const Case& wanted = GetParam();
  crawl_heavy(wanted.kind, wanted.options);
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
