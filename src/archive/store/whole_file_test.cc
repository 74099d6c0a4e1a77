#include "store/whole_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <tests/support/open_descriptors.h>
#include <tests/support/short_files.h>
#include <tests/support/temporary_folder.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "store/archive_files.h"

namespace gossamer::store {
namespace {

namespace fs = std::filesystem;

class WholeFileTest : public testing::Test {
 protected:
  WholeFileTest() {
    std::string name = (fs::temp_directory_path() / "gossamer-whole-file-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~WholeFileTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

TEST_F(WholeFileTest, ReplacesAnExistingFile) {
  std::ofstream(path("a")) << "old";
  auto file = WholeFile::open(path("a"));
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_EQ(content("a"), "old");
  const std::string large(3'000'000, 'x');
  EXPECT_TRUE(file->write(large));
  EXPECT_EQ(content("a"), large);
  EXPECT_EQ(files(), 1u);
}

TEST_F(WholeFileTest, LeavesNoDraftIfItIsNeverWritten) {
  {
    auto file = WholeFile::open(path("a"));
    ASSERT_TRUE(file);
    const WholeFile moved = std::move(*file);
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(WholeFileTest, FailsEarlyIfItCannotBeWritten) {
  EXPECT_EQ(WholeFile::open(path("no/such/folder")).error(), Errc::io_failed);
  EXPECT_EQ(WholeFile::open(folder_.string()).error(), Errc::io_failed);
}

TEST_F(WholeFileTest, CanBeOpenTwice) {
  auto one = WholeFile::open(path("a"));
  auto other = WholeFile::open(path("a"));
  ASSERT_TRUE(one && other);
  EXPECT_TRUE(other->write("other"));
  EXPECT_TRUE(one->write("one"));
  EXPECT_EQ(content("a"), "one");
  EXPECT_EQ(files(), 1u);
}

TEST_F(WholeFileTest, AppendsToWhatADescriptorLeadsTo) {
  const int descriptor = open(path("log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(write(descriptor, "before ", 7), 7);
  auto file = WholeFile::open("/dev/fd/" + std::to_string(descriptor));
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_TRUE(file->write("after"));
  close(descriptor);
  EXPECT_EQ(content("log"), "before after");
}

TEST(WholeFile, ReplacesAFileInSharedMemory) {
  const std::string path = "/dev/shm/gossamer-whole-file-" + std::to_string(getpid());
  for (const std::string text : {"first", "second"}) {
    auto file = WholeFile::open(path);
    ASSERT_TRUE(file) << file.error().to_string();
    EXPECT_TRUE(file->write(text));
    std::ifstream written(path, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(written), {}), text);
  }
  unlink(path.c_str());
}

TEST_F(WholeFileTest, OfAnArchiveRemovesTheDraftsOfProcessesThatWereKilled) {
  std::ofstream(path("a.wacz.4711-0.part")) << "a draft";
  std::ofstream(path("b.wacz.4711-0.part")) << "the draft of another file";
  auto archive = FolderFiles::open(folder_.string());
  ASSERT_TRUE(archive);
  const std::string text = "content";
  EXPECT_TRUE(archive->write_whole(
      "a.wacz", [&text](ArchiveFiles::Use& put) { return put(as_bytes(text)); }));
  EXPECT_EQ(content("a.wacz"), text);
  EXPECT_EQ(files(), 2u);
}

// Renaming would replace /dev/null with a file.
TEST(WholeFile, WritesDevicesAndPipesDirectly) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  auto file = WholeFile::open(path);
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_TRUE(file->write("text"));
  char read_back[8] = {};
  EXPECT_EQ(::read(reader, read_back, sizeof read_back), 4);
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_TRUE(S_ISFIFO(status.st_mode));
  close(reader);
}

TEST(WholeFile, ReplacesTheTargetOfALink) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder.path() + "/real") << "old";
  ASSERT_EQ(symlink("real", (folder.path() + "/link").c_str()), 0);
  auto file = WholeFile::open(folder.path() + "/link");
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_TRUE(file->append("n"));
  EXPECT_TRUE(file->append("ew!"));
  EXPECT_TRUE(file->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() + "/link"));
  EXPECT_EQ(std::filesystem::file_size(folder.path() + "/real"), 4U);
}

// A draft of the same name may be that of the next writer.
TEST_F(WholeFileTest, ThatIsWrittenRemovesNoDraft) {
  auto first = WholeFile::open(path("a"));
  ASSERT_TRUE(first);
  std::optional<WholeFile> one(std::move(*first));
  EXPECT_TRUE(one->write("one"));
  auto next = WholeFile::open(path("a"));
  ASSERT_TRUE(next);
  one.reset();
  EXPECT_TRUE(next->write("next"));
  EXPECT_EQ(content("a"), "next");
}

TEST_F(WholeFileTest, LeavesNoDescriptor) {
  const std::size_t before = support::open_descriptors();
  {
    EXPECT_TRUE(WholeFile::open(path("a"))->write("a"));
  }
  {
    EXPECT_TRUE(WholeFile::open(path("b")));
  }
  {
    EXPECT_TRUE(WholeFile::open("/dev/null"));
  }
  EXPECT_EQ(support::open_descriptors(), before);
}

TEST_F(WholeFileTest, StaysAsItIsIfTheDiskIsFull) {
  std::ofstream(path("a")) << "old";
  {
    auto file = WholeFile::open(path("a"));
    const support::ShortFiles files(3);
    EXPECT_EQ(file->write("longer").error(), Errc::io_failed);
  }
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(WholeFileTest, AppendsToWhatStandardOutputAndErrorLeadTo) {
  for (const auto& [number, device] :
       {std::pair(STDOUT_FILENO, "/dev/stdout"), std::pair(STDERR_FILENO, "/dev/stderr")}) {
    const int before = dup(number);
    const int log = ::open(path("log").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ASSERT_EQ(write(log, "before ", 7), 7);
    ASSERT_EQ(dup2(log, number), number);
    close(log);
    auto file = WholeFile::open(device);
    const bool is_written = file && file->write("after");
    dup2(before, number);
    close(before);
    EXPECT_TRUE(is_written) << device;
    EXPECT_EQ(content("log"), "before after") << device;
  }
}

// Only the sync of the folder opens something then.
TEST_F(WholeFileTest, IsNotDurableIfItsFolderCannotBeSynced) {
  auto file = WholeFile::open(path("a"));
  ASSERT_TRUE(file);
  rlimit before = {};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none = {.rlim_cur = 3, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto written = file->write("text");
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_FALSE(written);
  EXPECT_EQ(content("a"), "text");
}

TEST_F(WholeFileTest, MayBeInAFolderThatCannotBeRead) {
  const bool is_root = geteuid() == 0;
  ASSERT_EQ(chmod(folder_.c_str(), is_root ? 0733 : 0300), 0);
  if (is_root) ASSERT_EQ(seteuid(65534), 0);  // root can read everything
  const bool is_reached = faccessat(AT_FDCWD, folder_.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
  const auto written = [&] {
    auto file = WholeFile::open(path("a"));
    return file && file->write("text");
  }();
  if (is_root) ASSERT_EQ(seteuid(0), 0);
  chmod(folder_.c_str(), 0700);
  if (!is_reached) GTEST_SKIP() << "other users cannot reach the folder of temporary files";
  EXPECT_TRUE(written);
  EXPECT_EQ(content("a"), "text");
}

}  // namespace
}  // namespace gossamer::store
