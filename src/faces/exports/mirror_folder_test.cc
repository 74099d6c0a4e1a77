#include "exports/mirror_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tests/support/temporary_folder.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace gossamer::exports {
namespace {

namespace fs = std::filesystem;

class MirrorFolderTest : public testing::Test {
 protected:
  MirrorFolderTest() : path_(outer_.path() + "/out") {}

  // Returns an empty string on success.
  std::string failure_of(const MirrorFolder& folder, std::string_view name) {
    auto file = folder.create(name);
    if (!file) return file.error().to_string();
    EXPECT_TRUE(file->write(as_bytes("text")));
    return {};
  }

  tests::TemporaryFolder outer_;
  std::string path_;
};

TEST_F(MirrorFolderTest, MakesFilesInFolders) {
  auto folder = MirrorFolder::open(path_);
  ASSERT_TRUE(folder) << folder.error().to_string();
  EXPECT_EQ(failure_of(*folder, "a/b/c"), "");
  EXPECT_EQ(failure_of(*folder, "a/b/d"), "");
  EXPECT_EQ(failure_of(*folder, "e"), "");
  EXPECT_FALSE(fs::exists(path_)) << "before it is complete";
  EXPECT_TRUE(folder->commit());
  EXPECT_EQ(fs::file_size(path_ + "/a/b/c"), 4U);
  EXPECT_EQ(fs::file_size(path_ + "/e"), 4U);
}

TEST_F(MirrorFolderTest, OverwritesNothing) {
  {
    auto folder = MirrorFolder::open(path_);
    ASSERT_TRUE(folder);
    EXPECT_EQ(failure_of(*folder, "a"), "");
    EXPECT_EQ(folder->create("a").error(), Errc::exists);
    EXPECT_FALSE(folder->create("a/b"));  // it is not a folder
    EXPECT_TRUE(folder->commit());
  }
  EXPECT_EQ(MirrorFolder::open(path_).error(), Errc::exists);
  EXPECT_FALSE(MirrorFolder::open(path_ + "/a"));
}

TEST_F(MirrorFolderTest, RemovesAnUnfinishedDraft) {
  {
    auto folder = MirrorFolder::open(path_);
    ASSERT_TRUE(folder);
    EXPECT_EQ(failure_of(*folder, "a/b"), "");
  }
  EXPECT_TRUE(fs::is_empty(outer_.path()));
}

// A killed process left a draft.
TEST_F(MirrorFolderTest, RemovesAnOldDraft) {
  fs::create_directories(path_ + ".gossamer-part/a");
  {
    auto folder = MirrorFolder::open(path_);
    ASSERT_TRUE(folder) << folder.error().to_string();
    EXPECT_EQ(failure_of(*folder, "b"), "");
    EXPECT_EQ(MirrorFolder::open(path_).error(), Errc::exists)
        << "another process is writing there";
    EXPECT_TRUE(folder->commit());
  }
  EXPECT_FALSE(fs::exists(path_ + "/a"));
  EXPECT_TRUE(fs::exists(path_ + "/b"));
}

// The folder may be a mount point.
TEST_F(MirrorFolderTest, FillsAnExistingEmptyFolder) {
  fs::create_directories(path_ + "/.gossamer-part/old");
  fs::create_directory_symlink(path_, outer_.path() + "/link");
  {
    auto folder = MirrorFolder::open(outer_.path() + "/link/");
    ASSERT_TRUE(folder) << folder.error().to_string();
    EXPECT_EQ(failure_of(*folder, "a/b"), "");
    EXPECT_EQ(failure_of(*folder, "c"), "");
    EXPECT_TRUE(folder->commit());
  }
  EXPECT_EQ(fs::file_size(path_ + "/a/b"), 4U);
  EXPECT_TRUE(fs::exists(path_ + "/c"));
  EXPECT_FALSE(fs::exists(path_ + "/.gossamer-part"));
}

TEST_F(MirrorFolderTest, RejectsNamesThatLeadElsewhere) {
  auto folder = MirrorFolder::open(path_);
  ASSERT_TRUE(folder);
  const std::string zero("a\0b", 3);
  for (const std::string& name :
       {std::string("../x"), std::string("a/../../x"), std::string("/x"), std::string(""),
        std::string("a//b"), std::string("a/"), std::string("."), std::string(".."), zero}) {
    const auto file = folder->create(name);
    ASSERT_FALSE(file) << name;
    EXPECT_EQ(file.error(), Errc::invalid_argument) << name;
  }
  EXPECT_FALSE(fs::exists(outer_.path() + "/x"));
}

TEST_F(MirrorFolderTest, FollowsNoLinks) {
  fs::create_directory(outer_.path() + "/elsewhere");
  std::ofstream(outer_.path() + "/victim") << "mine";
  auto folder = MirrorFolder::open(path_);
  ASSERT_TRUE(folder);
  // Another process adds links while we write.
  const std::string draft = path_ + ".gossamer-part";
  fs::create_directory_symlink(outer_.path() + "/elsewhere", draft + "/folder");
  fs::create_symlink(outer_.path() + "/victim", draft + "/file");
  fs::create_symlink(outer_.path() + "/new", draft + "/dangling");
  EXPECT_NE(failure_of(*folder, "folder/x"), "");
  EXPECT_NE(failure_of(*folder, "file"), "");
  EXPECT_NE(failure_of(*folder, "dangling"), "");
  EXPECT_TRUE(fs::is_empty(outer_.path() + "/elsewhere"));
  EXPECT_EQ(fs::file_size(outer_.path() + "/victim"), 4U);
  EXPECT_FALSE(fs::exists(outer_.path() + "/new"));
}

}  // namespace
}  // namespace gossamer::exports
