#include "store/archive_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/open_descriptors.h>
#include <tests/support/temporary_folder.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "store/archive_file.h"

namespace gossamer::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

class FolderFilesTest : public testing::Test {
 protected:
  void write(const std::string& name, std::string_view bytes) {
    std::ofstream(files.path_of(name), std::ios::binary) << bytes;
  }
  std::string content(const std::string& name) const {
    std::ifstream file(files.path_of(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // "NAME BYTES"
  std::vector<std::string> listed() {
    std::vector<std::string> lines;
    auto all = files.list();
    EXPECT_TRUE(all);
    for (const ArchiveFiles::Listed& file : *all) {
      lines.push_back(file.name + " " + std::to_string(file.bytes));
    }
    return lines;
  }

  const tests::TemporaryFolder folder;
  FolderFiles files = *FolderFiles::open(folder.path() + "/a/b");
};

TEST_F(FolderFilesTest, AreListedByNameWithoutFolders) {
  EXPECT_THAT(listed(), IsEmpty());
  for (const std::string name : {"c", "a", "b"}) write(name, name + name);
  fs::create_directory(files.path_of("folder"));
  EXPECT_THAT(listed(), ElementsAre("a 2", "b 2", "c 2"));
  fs::remove_all(files.folder());
  EXPECT_FALSE(files.list());
}

// Another user who can write beside the folder puts a link there while it is open.
TEST_F(FolderFilesTest, LeadIntoTheOpenFolderWhenALinkTakesItsName) {
  const std::string at = files.folder();
  const std::string victim = folder.path() + "/victim";
  fs::create_directory(victim);
  fs::rename(at, at + ".moved");
  fs::create_directory_symlink(victim, at);
  std::ofstream(files.pinned_path_of("a")) << "bytes";
  EXPECT_TRUE(fs::is_empty(victim));
  EXPECT_THAT(listed(), ElementsAre("a 5"));
  EXPECT_FALSE(FolderFiles::open_inner(at)) << "the folder of a crawl directory";
  EXPECT_TRUE(FolderFiles::open(at)) << "the user named it";
}

TEST_F(FolderFilesTest, NoLinkIsOpenedInAFolder) {
  const std::string victim = folder.path() + "/victim";
  std::ofstream(victim) << "secret";
  fs::create_directory(files.path_of("archive"));
  write("archive/a", "bytes");
  fs::create_symlink(victim, files.path_of("archive/link"));
  fs::create_directory_symlink(files.path_of("archive"), folder.path() + "/archive");
  EXPECT_TRUE(open_in_folder(files.path_of("archive/a")));
  EXPECT_FALSE(open_in_folder(files.path_of("archive/link")));
  EXPECT_FALSE(open_in_folder(folder.path() + "/archive/a")) << "its folder is a link";
}

TEST_F(FolderFilesTest, ATruncatedFileKeepsItsBeginning) {
  write("a", "12345");
  EXPECT_TRUE(files.truncate("a", 3));
  EXPECT_EQ(content("a"), "123");
  EXPECT_EQ(files.truncate("none", 3).error(), Errc::not_found);
}

TEST_F(FolderFilesTest, ARenamedFileReplacesAnother) {
  write("a", "new");
  write("b", "old");
  EXPECT_TRUE(files.rename("a", "b"));
  EXPECT_THAT(listed(), ElementsAre("b 3"));
  EXPECT_EQ(content("b"), "new");
  EXPECT_EQ(files.rename("none", "b").error(), Errc::not_found);
}

TEST_F(FolderFilesTest, ARemovedFileIsGone) {
  write("a", "x");
  EXPECT_TRUE(files.remove("a"));
  EXPECT_THAT(listed(), IsEmpty());
  EXPECT_EQ(files.remove("a").error(), Errc::not_found);
}

TEST_F(FolderFilesTest, AFileIsReadInPiecesUntilTheReaderFails) {
  const std::string large(1'000'000, 'x');
  write("a", large);
  std::string read;
  EXPECT_TRUE(files.read("a", [&](Bytes piece) -> Result<void> {
    read += as_text(piece);
    return {};
  }));
  EXPECT_TRUE(read == large);
  int pieces = 0;
  const auto stopped = files.read("a", [&](Bytes) -> Result<void> {
    ++pieces;
    return fail(Errc::over_limit);
  });
  EXPECT_EQ(stopped.error(), Errc::over_limit);
  EXPECT_EQ(pieces, 1);
  EXPECT_EQ(files.read("none", [](Bytes) -> Result<void> { return {}; }).error(), Errc::not_found);
  EXPECT_FALSE(files.read("", [](Bytes) -> Result<void> { return {}; })) << "it is a folder";
}

TEST_F(FolderFilesTest, AFileIsWrittenCompletelyOrNotAtAll) {
  const auto write_whole = [&](bool fails) {
    return files.write_whole("a", [fails](ArchiveFiles::Use& put) -> Result<void> {
      for (const std::string_view piece : {"new ", "text"}) {
        if (auto done = put(as_bytes(piece)); !done) return done;
      }
      if (fails) return fail(Errc::no_space);
      return {};
    });
  };
  write("a", "old");
  write("a.1234.part", "the draft of a process that was killed");
  write("ab.1234.part", "of another file");
  EXPECT_EQ(write_whole(true).error(), Errc::no_space);
  EXPECT_EQ(content("a"), "old");
  EXPECT_TRUE(write_whole(false));
  EXPECT_EQ(content("a"), "new text");
  EXPECT_THAT(listed(), ElementsAre("a 8", "ab.1234.part 15"));
}

TEST_F(FolderFilesTest, NamesOfAFolderThatIsGoneCannotBeSynced) {
  EXPECT_TRUE(files.sync_names());
  fs::remove_all(files.folder());
  EXPECT_EQ(files.sync_names().error(), Errc::not_found);
}

TEST_F(FolderFilesTest, AFileInPlaceOfTheFolderIsAnError) {
  write("file", "x");
  EXPECT_FALSE(FolderFiles::open(files.path_of("file/inside")));
  EXPECT_EQ(FolderFiles::open("")->folder(), ".");
}

TEST_F(FolderFilesTest, AFileOfOneByteIsRead) {
  write("a", "x");
  std::string read;
  errno = EINTR;  // of an earlier call
  EXPECT_TRUE(files.read("a", [&](Bytes piece) -> Result<void> {
    read += as_text(piece);
    return {};
  }));
  EXPECT_EQ(read, "x");
}

TEST_F(FolderFilesTest, AllDraftsAreRemoved) {
  for (const char* const draft : {"a.1.part", "a.2.part", "a.3.part"}) write(draft, "x");
  EXPECT_TRUE(files.write_whole(
      "a", [](ArchiveFiles::Use& put) { return put(as_bytes(std::string_view("text"))); }));
  EXPECT_THAT(listed(), ElementsAre("a 4"));
}

TEST_F(FolderFilesTest, AnArchiveFileIsReadToItsEndAndClosed) {
  write("a.open", "12345");
  const std::size_t before = support::open_descriptors();
  {
    ArchiveFile file;
    ASSERT_TRUE(file.open(files.path_of("a"), 2));
    errno = EINTR;  // of an earlier call
    const auto piece = file.read();
    ASSERT_TRUE(piece);
    EXPECT_EQ(as_text(*piece), "345");
    errno = EINTR;
    EXPECT_TRUE(file.read()->empty());
  }
  EXPECT_EQ(support::open_descriptors(), before);
  ArchiveFile folder_as_file;
  ASSERT_TRUE(folder_as_file.open(files.folder(), 0));
  EXPECT_FALSE(folder_as_file.read());
  EXPECT_EQ(ArchiveFile().open(files.path_of("none"), 0).error(), Errc::not_found);
}

}  // namespace
}  // namespace gossamer::store
