#include "cli/whole_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace gossamer::cli {
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

TEST_F(WholeFileTest, TakesThePlaceOfTheOneBefore) {
  std::ofstream(path("a")) << "old";
  auto file = WholeFile::open(path("a"));
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_EQ(content("a"), "old");
  const std::string large(3'000'000, 'x');
  EXPECT_TRUE(file->write(large));
  EXPECT_EQ(content("a"), large);
  EXPECT_EQ(files(), 1u);
}

TEST_F(WholeFileTest, LeavesNothingBehindIfItIsNeverWritten) {
  {
    auto file = WholeFile::open(path("a"));
    ASSERT_TRUE(file);
    const WholeFile moved = std::move(*file);
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(WholeFileTest, SaysAtOnceThatItCannotBeWritten) {
  EXPECT_EQ(WholeFile::open(path("no/such/folder")).error(), Errc::io_failed);
  EXPECT_EQ(WholeFile::open(folder_.string()).error(), Errc::io_failed);
}

TEST_F(WholeFileTest, MayBeOpenTwice) {
  auto one = WholeFile::open(path("a"));
  auto other = WholeFile::open(path("a"));
  ASSERT_TRUE(one && other);
  EXPECT_TRUE(other->write("other"));
  EXPECT_TRUE(one->write("one"));
  EXPECT_EQ(content("a"), "one");
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace gossamer::cli
