#include "store/job_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tests/support/open_descriptors.h>
#include <tests/support/short_files.h>
#include <tests/support/temporary_folder.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace gossamer::store {
namespace {

using Access = JobFolder::Access;

TEST(JobFolder, IsCreatedOnceAndReopened) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/a/job";
  {
    auto job = JobFolder::open(path, Access::write);
    ASSERT_TRUE(job) << job.error().to_string();
    EXPECT_TRUE(job->is_new());
    ASSERT_TRUE(job->write_configuration("[crawl]\n"));
    EXPECT_FALSE(job->is_new());
  }
  auto again = JobFolder::open(path, Access::write);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->read_configuration().value(), "[crawl]\n");
  EXPECT_GT(again->free_bytes().value(), 0U);
}

TEST(JobFolder, HasOneWriterAndAnyNumberOfReaders) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/job";
  auto job = JobFolder::open(path, Access::write);
  ASSERT_TRUE(job);
  const auto second = JobFolder::open(path, Access::write);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(), Errc::denied);
  EXPECT_THAT(second.error().detail(), testing::HasSubstr("(" + std::to_string(getpid()) + ")"));
  EXPECT_TRUE(JobFolder::open(path, Access::read));
}

TEST(JobFolder, LeavesNoDescriptorWhenItIsLocked) {
  const tests::TemporaryFolder folder;
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  const auto job = JobFolder::open(folder.path(), Access::write);
  ASSERT_TRUE(job);
  const auto before = descriptors();
  ASSERT_FALSE(JobFolder::open(folder.path(), Access::write));
  EXPECT_EQ(descriptors(), before);
}

TEST(JobFolder, IsRecognisedByItsConfigurationAlone) {
  const tests::TemporaryFolder folder;
  ASSERT_TRUE(JobFolder::open(folder.path(), Access::write)->write_configuration("[crawl]\n"));
  std::filesystem::remove(folder.path() + "/lock");
  EXPECT_TRUE(JobFolder::open(folder.path(), Access::read));
}

TEST(JobFolder, TablesAreOnlyForTheirOwner) {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/tables");
  ASSERT_TRUE(JobFolder::open(folder.path() + "/a", Access::write)->write_configuration(""));
  std::filesystem::rename(folder.path() + "/a/job.toml", folder.path() + "/job.toml");
  chmod((folder.path() + "/tables").c_str(), 0755);
  ASSERT_TRUE(JobFolder::open(folder.path(), Access::write));
  struct stat status = {};
  ASSERT_EQ(stat((folder.path() + "/tables").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
}

TEST(JobFolder, DoesNotTakeOverAnotherFolder) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder.path() + "/thesis.tex") << "text";
  const auto job = JobFolder::open(folder.path(), Access::write);
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error(), Errc::exists);
  const auto none = JobFolder::open(folder.path() + "/none", Access::read);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), Errc::not_found);
}

TEST(JobFolder, RejectsUnknownFormats) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/job";
  const auto opens = [&](JobFolder::Access access) { return JobFolder::open(path, access); };
  ASSERT_TRUE(opens(JobFolder::Access::write)->write_configuration("# A crawl\n# format 7\n"));
  for (const auto access : {JobFolder::Access::read, JobFolder::Access::write}) {
    const auto opened = opens(access);
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error(), Errc::unsupported);
    EXPECT_NE(opened.error().to_string().find("has format 7"), std::string::npos);
  }
}

TEST(JobFolder, ConfigurationIsReadableOnlyByItsOwner) {
  const tests::TemporaryFolder folder;
  auto job = JobFolder::open(folder.path() + "/job", Access::write);
  ASSERT_TRUE(job);
  ASSERT_TRUE(job->write_configuration("secret"));
  struct stat status = {};
  ASSERT_EQ(stat(job->configuration().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST(JobFolder, LeavesNoDescriptorWhenItWasWritten) {
  const tests::TemporaryFolder folder;
  const std::size_t before = support::open_descriptors();
  {
    const auto job = JobFolder::open(folder.path(), Access::write);
    ASSERT_TRUE(job);
    const std::size_t open = support::open_descriptors();
    ASSERT_TRUE(job->write_configuration("[crawl]\n"));
    EXPECT_EQ(support::open_descriptors(), open);
  }
  EXPECT_EQ(support::open_descriptors(), before);
}

TEST(JobFolder, HasNoLinks) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/job";
  const std::string victim = folder.path() + "/victim";
  std::ofstream(victim) << "precious";
  ASSERT_TRUE(JobFolder::open(path, Access::write)->write_configuration("[crawl]\n"));
  std::filesystem::create_directory(path + "/archive");
  std::filesystem::remove(path + "/lock");
  for (const std::string name :
       {"lock", "job.toml.new", "crawl.log", "any", "tables/000001.log", "archive/a.warc.gz"}) {
    std::filesystem::create_symlink(victim, path + "/" + name);
    for (const auto access : {Access::read, Access::write}) {
      const auto opened = JobFolder::open(path, access);
      ASSERT_FALSE(opened) << name;
      EXPECT_EQ(opened.error(), Errc::io_failed);
      EXPECT_THAT(opened.error().detail(), testing::HasSubstr(name + " is a symbolic link"));
    }
    std::filesystem::remove(path + "/" + name);
  }
  const auto job = JobFolder::open(path, Access::write);
  ASSERT_TRUE(job);
  std::filesystem::create_symlink(victim, path + "/job.toml.new");
  EXPECT_FALSE(job->write_configuration("[crawl]\ndepth = 1\n")) << "it appeared meanwhile";
  std::ifstream file(victim);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "precious");
}

// Another process puts links into the directory after it was checked.
TEST(JobFolder, FollowsNoLaterLinks) {
  namespace fs = std::filesystem;
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/job";
  const std::string secret = folder.path() + "/secret";
  std::ofstream(secret) << "mine";
  const auto job = JobFolder::open(path, Access::write);
  ASSERT_TRUE(job);
  ASSERT_TRUE(job->write_configuration("[crawl]\n"));
  fs::remove(path + "/job.toml");
  for (const char* const name : {"job.toml", "job.toml.new", "seal", "seal.new"}) {
    fs::create_symlink(secret, path + "/" + name);
  }
  EXPECT_EQ(job->read_configuration().error(), Errc::io_failed);
  EXPECT_EQ(job->accept_configuration().error(), Errc::io_failed);
  EXPECT_EQ(job->write_configuration("[crawl]\n").error(), Errc::io_failed);
  EXPECT_EQ(job->damage().error(), Errc::io_failed);
  EXPECT_EQ(job->seal().error(), Errc::io_failed);
  std::ifstream file(secret);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "mine");
}

TEST(JobFolder, IsNotBusyWithoutALock) {
  const tests::TemporaryFolder folder;
  ASSERT_TRUE(JobFolder::open(folder.path(), Access::write)->write_configuration(""));
  std::filesystem::remove(folder.path() + "/lock");
  const auto job = JobFolder::open(folder.path(), Access::read);
  ASSERT_TRUE(job);
  EXPECT_FALSE(job->is_busy());
}

TEST(JobFolder, KeepsItsConfigurationIfTheNextCannotBeWritten) {
  const tests::TemporaryFolder folder;
  const auto job = JobFolder::open(folder.path(), Access::write);
  ASSERT_TRUE(job);
  errno = EINTR;  // of an earlier call
  ASSERT_TRUE(job->write_configuration("# old\n"));
  {
    const support::ShortFiles files(3);
    EXPECT_FALSE(job->write_configuration("# new and longer\n"));
  }
  EXPECT_EQ(job->read_configuration().value(), "# old\n");
}

}  // namespace
}  // namespace gossamer::store
