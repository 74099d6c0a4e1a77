// Crawl directories of earlier versions resume. stored_job/ has one per version whose format
// differs: a crawl of site_server --port 10431 --pages 40 --seed 9, killed twice half-way.

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/command_run.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

using support::CommandRun;

const std::vector<std::string> kStoredSite = {"--port", "10431", "--pages", "40", "--seed", "9"};

class StoredJobTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string stored =
        support::source_path("tests/end_to_end/stored_job/") + GetParam() + ".tar.gz";
    support::Program unpack({"/usr/bin/tar", "-xzf", stored, "-C", folder_.path().string()});
    ASSERT_EQ(unpack.wait_for_end(), 0);
    std::vector<std::string> words = kStoredSite;
    words.insert(words.begin(), support::site_server_program());
    site_.emplace(std::move(words), folder_.file("site.log"));
    ASSERT_TRUE(site_->wait_until_listening(10'431))
        << support::file_content(folder_.file("site.log"));
  }

  support::TestFolder folder_;
  std::optional<support::Program> site_;
};

TEST_P(StoredJobTest, ResumesAndFetchesTheRest) {
  const std::string job = folder_.file("job");
  CommandRun status({"job", "status", job});
  EXPECT_EQ(status.wait(), 0) << status.err();
  EXPECT_TRUE(support::has(status.out(), "20 URLs fetched, 23 queued")) << status.out();

  // Nobody has signed it, and it has a setting that can do something.
  CommandRun doubted({"resume", job});
  EXPECT_EQ(doubted.wait(), 2);
  EXPECT_TRUE(support::has(doubted.err(),
                           "no-proxy can lead requests and data elsewhere; add "
                           "--trust if you trust " +
                               job +
                               ", whose settings were "
                               "written by an earlier version"))
      << doubted.err();
  CommandRun resume({"resume", job, "--trust"});
  EXPECT_EQ(resume.wait(), 8) << "some links are dead\n" << resume.err();
  CommandRun pages({"job", "export", job, "--jsonl", "-"});
  EXPECT_EQ(pages.wait(), 0) << pages.err();
  std::vector<std::string> words = kStoredSite;
  words.insert(words.end(), {"--compare", "-"});
  CommandRun compared(words, {.input = pages.out()}, {.program = support::site_server_program()});
  EXPECT_EQ(compared.wait(), 0) << compared.out() << compared.err();
  std::vector<std::string> check = {"warc", "check"};
  for (const auto& file : std::filesystem::directory_iterator(folder_.file("job/archive"))) {
    check.push_back(file.path().string());
  }
  EXPECT_GE(check.size(), 5u) << "two files of then, one of now";
  CommandRun archive(check);
  EXPECT_EQ(archive.wait(), 0) << archive.out() << archive.err();
}

INSTANTIATE_TEST_SUITE_P(Versions, StoredJobTest, testing::Values("version_0_1"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace gossamer::cli
