#include "store/run_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <tests/support/open_descriptors.h>
#include <tests/support/temporary_folder.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <system_error>
#include <unordered_set>
#include <vector>

#include "base/random.h"
#include "scope/seen_set.h"

namespace gossamer::store {
namespace {

std::vector<std::uint64_t> keys(std::size_t count, std::uint64_t first) {
  std::vector<std::uint64_t> all(count);
  std::iota(all.begin(), all.end(), first);
  return all;
}

std::vector<std::uint64_t> read(const RunFile& file, std::size_t place, std::size_t first,
                                std::size_t count) {
  std::vector<std::uint64_t> all(count);
  EXPECT_TRUE(file.read(place, first, all));
  return all;
}

TEST(RunFile, ReadsTheLastWrite) {
  const tests::TemporaryFolder folder;
  RunFile file(folder.path());
  ASSERT_TRUE(file.write(3, keys(1000, 5)));
  ASSERT_TRUE(file.write(200, keys(10, 7)));
  EXPECT_EQ(read(file, 3, 0, 1000), keys(1000, 5));
  EXPECT_EQ(read(file, 3, 990, 10), keys(10, 995));
  for (const std::size_t count : {2000, 3000, 10}) {
    ASSERT_TRUE(file.write(3, keys(count, count)));
    EXPECT_EQ(read(file, 3, 0, count), keys(count, count));
  }
  EXPECT_EQ(read(file, 200, 0, 10), keys(10, 7));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "it has a name";
}

TEST(RunFile, FailsWithoutItsFolder) {
  RunFile file("/nonexistent/folder");
  EXPECT_FALSE(file.write(0, keys(1, 1)));
}

TEST(RunFile, FailsAfterTheEndOfItsFile) {
  const tests::TemporaryFolder folder;
  RunFile file(folder.path());
  ASSERT_TRUE(file.write(0, keys(10, 1)));
  std::vector<std::uint64_t> all(100);
  EXPECT_FALSE(file.read(0, 5, all));
}

// A limit for the length of files simulates a full disk.
class FullRunFile : public testing::Test {
 protected:
  FullRunFile() {
    getrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FullRunFile() override { setrlimit(RLIMIT_FSIZE, &before_); }

  void end_files_at(rlim_t bytes) {
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  void allow_all() { setrlimit(RLIMIT_FSIZE, &before_); }

  const tests::TemporaryFolder folder_;
  rlimit before_ = {};
};

TEST_F(FullRunFile, KeepsThePreviousRunIfAWriteFails) {
  RunFile file(folder_.path());
  ASSERT_TRUE(file.write(0, keys(1000, 1)));  // in the second half
  ASSERT_TRUE(file.write(0, keys(1000, 5)));  // in the first
  end_files_at(1);
  EXPECT_FALSE(file.write(0, keys(1001, 9)));
  EXPECT_EQ(read(file, 0, 0, 1000), keys(1000, 5));
  allow_all();
  ASSERT_TRUE(file.write(0, keys(1001, 9)));
  EXPECT_EQ(read(file, 0, 0, 1001), keys(1001, 9));
}

TEST_F(FullRunFile, ASeenSetThatCannotSpillStaysInMemory) {
  RunFile file(folder_.path());
  crawler::SeenSet seen(7);
  seen.spill_to({.bytes_max = 600'000, .storage = &file});
  std::unordered_set<std::uint64_t> expected;
  base::Random random(2);
  for (int i = 0; i < 240'000; ++i) {
    if (i == 80'000) end_files_at(1);
    if (i == 160'000) allow_all();
    const std::uint64_t value = random.below(400'000);
    ASSERT_EQ(seen.insert(value), expected.insert(value).second) << i;
    if (i == 159'999) EXPECT_GT(seen.memory_bytes(), 900'000u) << "the storage was full";
  }
  EXPECT_EQ(seen.size(), expected.size());
  EXPECT_GT(seen.spilled(), expected.size() / 2);
  for (const std::uint64_t value : expected) ASSERT_TRUE(seen.contains(value));
}

TEST(RunFile, ClosesItsFile) {
  const tests::TemporaryFolder folder;
  const std::size_t before = support::open_descriptors();
  {
    RunFile file(folder.path());
    ASSERT_TRUE(file.write(0, keys(10, 1)));
    EXPECT_EQ(support::open_descriptors(), before + 1);
    ASSERT_TRUE(file.write(1, keys(10, 1)));
    EXPECT_EQ(support::open_descriptors(), before + 1);
  }
  EXPECT_EQ(support::open_descriptors(), before);
}

TEST(RunFile, SaysWhereItCannotBeCreated) {
  RunFile file("/nonexistent/folder");
  const auto written = file.write(0, keys(1, 1));
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().to_string().find("cannot create a file in /nonexistent/folder"),
            std::string::npos);
}

TEST(RunFile, DoesNotConfuseAnEarlierInterruptionWithItsOwn) {
  const tests::TemporaryFolder folder;
  RunFile file(folder.path());
  errno = EINTR;
  ASSERT_TRUE(file.write(0, keys(10, 1)));
  std::vector<std::uint64_t> all(10);
  errno = EINTR;
  EXPECT_TRUE(file.read(0, 0, all));
  EXPECT_EQ(all, keys(10, 1));
  errno = EINTR;
  EXPECT_FALSE(file.read(0, 5, all)) << "there are only five";
}

// The bytes on the disk of the file in this folder that has no name.
std::uint64_t bytes_of_unnamed(const std::string& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const auto file = std::filesystem::read_symlink(entry.path(), gone);
    struct stat status = {};
    if (!file.string().starts_with(folder) || stat(entry.path().c_str(), &status) != 0) continue;
    bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
  }
  return bytes;
}

TEST(RunFile, FreesTheSpaceOfThePreviousRun) {
  const tests::TemporaryFolder folder;
  RunFile file(folder.path());
  const std::size_t count = 64 * 1024;
  ASSERT_TRUE(file.write(0, keys(count, 1)));
  const std::uint64_t one = bytes_of_unnamed(folder.path());
  if (one < count * 8) GTEST_SKIP() << "the file system counts them later";
  for (std::uint64_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(file.write(0, keys(count, i)));
    EXPECT_LT(bytes_of_unnamed(folder.path()), one + count * 4);
  }
}

TEST_F(FullRunFile, FreesThePartOfARunThatFailed) {
  RunFile file(folder_.path());
  const std::size_t count = 64 * 1024;
  ASSERT_TRUE(file.write(0, keys(count, 1)));  // in the second half
  const std::uint64_t one = bytes_of_unnamed(folder_.path());
  if (one < count * 8) GTEST_SKIP() << "the file system counts them later";
  end_files_at(count * 4);
  EXPECT_FALSE(file.write(0, keys(count, 5)));
  EXPECT_LE(bytes_of_unnamed(folder_.path()), one);
}

}  // namespace
}  // namespace gossamer::store
