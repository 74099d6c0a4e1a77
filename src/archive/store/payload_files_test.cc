#include "store/payload_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tests/support/open_descriptors.h>
#include <tests/support/short_files.h>
#include <tests/support/temporary_folder.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace gossamer::store {
namespace {

class PayloadFilesTest : public testing::Test {
 protected:
  std::string archive_with(std::string_view payload) const {
    std::ofstream(folder_.path() + "/a.warc", std::ios::binary)
        << "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
           "WARC-Date: 2024-05-06T07:08:09Z\r\nWARC-Target-URI: http://a.example/x\r\n"
        << fmt::format("Content-Length: {}\r\n\r\n{}\r\n\r\n", payload.size(), payload);
    return folder_.path() + "/a.warc";
  }
  void unpack(const std::string& archive) {
    auto files = PayloadFiles::open(
        out(), {},
        {.on_file = [this](std::string_view, std::string_view) { return ++written > 0; },
         .on_fault =
             [this](PayloadFiles::Fault fault, std::string_view, std::string_view) {
               if (fault == PayloadFiles::Fault::unwritable) ++unwritable;
             }});
    ASSERT_TRUE(files) << files.error().to_string();
    ASSERT_TRUE(walk(archive, **files));
  }
  std::string out() const { return folder_.path() + "/out"; }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(out() + "/a.example"), {}));
  }
  static mode_t mode_of(const std::string& path) {
    struct stat status = {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  const tests::TemporaryFolder folder_;
  int written = 0;
  int unwritable = 0;
};

TEST_F(PayloadFilesTest, ALargePayloadIsOneFile) {
  const std::string payload(1'000'000, 'x');
  const std::size_t before = support::open_descriptors();
  unpack(archive_with(payload));
  EXPECT_EQ(support::open_descriptors(), before);
  EXPECT_EQ(written, 1);
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(std::filesystem::file_size(out() + "/a.example/x"), payload.size());
}

TEST_F(PayloadFilesTest, FoldersHaveTheUsualPermissions) {
  const mode_t mask = umask(022);
  unpack(archive_with("x"));
  umask(mask);
  EXPECT_EQ(mode_of(out()), mode_t{0755});
  EXPECT_EQ(mode_of(out() + "/a.example"), mode_t{0755});
}

TEST_F(PayloadFilesTest, AFullDiskIsReportedOnce) {
  const std::string archive = archive_with(std::string(1'000'000, 'x'));
  const support::ShortFiles full(1000);
  unpack(archive);
  EXPECT_EQ(unwritable, 1);
}

}  // namespace
}  // namespace gossamer::store
