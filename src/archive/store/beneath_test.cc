#include "store/beneath.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tests/support/open_descriptors.h>
#include <tests/support/temporary_folder.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace gossamer::store {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

namespace fs = std::filesystem;

// A folder beside a file of the user.
class BeneathTest : public testing::Test {
 protected:
  BeneathTest() {
    std::ofstream(victim) << "precious";
    std::ofstream(inside("file")) << "text";
    fs::create_directory(inside("inner"));
  }
  std::string inside(const std::string& name) const { return parent.path() + "/folder/" + name; }
  static Folder make_folder(const std::string& path) {
    fs::create_directory(path);
    return *Folder::open(path);
  }
  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const tests::TemporaryFolder parent;
  const std::string victim = parent.path() + "/victim";
  Folder folder = make_folder(parent.path() + "/folder");
};

TEST_F(BeneathTest, FilesOfTheFolderAreOpened) {
  EXPECT_EQ(folder.read("file").value(), "text");
  EXPECT_TRUE(folder.file("new", O_WRONLY | O_CREAT));
  EXPECT_TRUE(folder.has("new"));
  EXPECT_TRUE(folder.truncate("file", 2));
  EXPECT_EQ(folder.read("file").value(), "te");
  EXPECT_TRUE(folder.file("file", O_WRONLY | O_TRUNC));
  EXPECT_EQ(folder.read("file").value(), "");
  EXPECT_TRUE(folder.rename("file", "other"));
  EXPECT_TRUE(folder.remove("other"));
  EXPECT_FALSE(folder.has("other"));
  EXPECT_TRUE(folder.folder("inner")->is_empty());
  EXPECT_FALSE(folder.is_empty());
  EXPECT_TRUE(folder.sync());
  EXPECT_TRUE(folder.refuse_links());
}

TEST_F(BeneathTest, NoLinkIsFollowed) {
  fs::create_symlink(victim, inside("link"));
  fs::create_symlink(parent.path(), inside("up"));
  fs::create_symlink(parent.path() + "/made", inside("dangling"));
  for (const int flags : {O_RDONLY, O_WRONLY | O_TRUNC, O_RDWR | O_CREAT}) {
    for (const std::string name : {"link", "dangling"}) {
      const auto opened = folder.file(name, flags);
      ASSERT_FALSE(opened) << name;
      EXPECT_EQ(opened.error(), Errc::io_failed);
      EXPECT_THAT(opened.error().detail(), HasSubstr(inside(name) + " is a symbolic link"));
    }
  }
  EXPECT_FALSE(folder.truncate("link", 0));
  EXPECT_FALSE(folder.read("link"));
  EXPECT_FALSE(folder.folder("up"));
  EXPECT_EQ(content(victim), "precious");
  EXPECT_FALSE(fs::exists(parent.path() + "/made"));
  EXPECT_TRUE(folder.has("link"));
  EXPECT_THAT(folder.refuse_links().error().detail(), HasSubstr("is a symbolic link"));
  EXPECT_TRUE(folder.remove("link"));
  EXPECT_EQ(content(victim), "precious");
}

TEST_F(BeneathTest, NoNameLeadsOutOfTheFolder) {
  for (const std::string name : {"../victim", "..", ".", "", "inner/../file", "/etc/passwd"}) {
    EXPECT_FALSE(folder.file(name, O_RDONLY)) << name;
    EXPECT_FALSE(folder.folder(name)) << name;
    EXPECT_EQ(open_beneath_by_name(folder.descriptor(), name, O_RDONLY, 0), -1) << name;
    EXPECT_EQ(errno, EXDEV);
  }
}

TEST_F(BeneathTest, WithoutOpenat2TheNameDecides) {
  fs::create_symlink(victim, inside("link"));
  EXPECT_EQ(open_beneath_by_name(folder.descriptor(), "link", O_RDONLY, 0), -1);
  EXPECT_EQ(errno, ELOOP);
  EXPECT_EQ(open_beneath_by_name(folder.descriptor(), "link", O_RDWR | O_CREAT, 0600), -1);
  const FileHandle file(open_beneath_by_name(folder.descriptor(), "file", O_RDONLY | O_CLOEXEC, 0));
  EXPECT_TRUE(file.is_open());
}

TEST_F(BeneathTest, APipeDoesNotBlock) {
  ASSERT_EQ(mkfifo(inside("pipe").c_str(), 0600), 0);
  EXPECT_THAT(folder.read("pipe").error().detail(), HasSubstr("is not a file"));
  EXPECT_FALSE(folder.file("pipe", O_WRONLY));
  EXPECT_THAT(folder.refuse_links().error().detail(), HasSubstr("is not a file"));
  EXPECT_FALSE(folder.file("inner", O_RDONLY)) << "a folder is not a file";
}

TEST_F(BeneathTest, EverythingIsListed) {
  fs::create_symlink(victim, inside("link"));
  std::vector<std::string> names;
  EXPECT_TRUE(
      folder.for_each([&](const std::string& name, const struct stat&) { names.push_back(name); }));
  EXPECT_THAT(names, UnorderedElementsAre("file", "inner", "link"));
}

TEST_F(BeneathTest, NoDescriptorIsLeft) {
  const std::size_t before = support::open_descriptors();
  {
    const auto again = Folder::open(parent.path() + "/folder");
    ASSERT_TRUE(again);
    static_cast<void>(again->is_empty());
    static_cast<void>(again->read("file"));
    static_cast<void>(again->sync());
    static_cast<void>(again->file("inner", O_RDONLY));
  }
  EXPECT_EQ(support::open_descriptors(), before);
  EXPECT_EQ(Folder::open(parent.path() + "/none").error(), Errc::not_found);
  EXPECT_FALSE(Folder::open(victim)) << "it is a file";
}

}  // namespace
}  // namespace gossamer::store
