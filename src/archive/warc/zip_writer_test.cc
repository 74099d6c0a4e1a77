#include "warc/zip_writer.h"

#include <gtest/gtest.h>

#include <string>

#include "warc/zip_format.h"
#include "warc/zip_reader.h"

namespace gossamer::warc {
namespace {

constexpr WallTime kMemberDate = {.seconds = 1'642'482'874};  // 2022-01-18T05:14:34Z
constexpr std::uint64_t kNumberMax = 0xFFFFFFFE;  // the largest number of 32 bits in use

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(bytes.at(at + i));
  }
  return number;
}

// The date and time of a member, as MS-DOS has them.
std::uint64_t dos_time_of(WallTime date) {
  return number_at(ZipWriter().begin("a", 0, 0, date), 10, 4);
}

std::uint64_t dos(unsigned year, unsigned month, unsigned day, unsigned hour, unsigned minute,
                  unsigned second) {
  return std::uint64_t{(year - 1980) << 9 | month << 5 | day} << 16 |
         (hour << 11 | minute << 5 | second / 2);
}

TEST(ZipWriter, WritesDatesFrom1980To2107) {
  EXPECT_EQ(dos_time_of(kMemberDate), dos(2022, 1, 18, 5, 14, 34));
  EXPECT_EQ(dos_time_of({.seconds = 315'532'800}), dos(1980, 1, 1, 0, 0, 0));
  EXPECT_EQ(dos_time_of({.seconds = 0}), dos(1980, 1, 1, 0, 0, 0));
  EXPECT_EQ(dos_time_of({.seconds = 4'354'819'199}), dos(2107, 12, 31, 23, 59, 58));
  EXPECT_EQ(dos_time_of({.seconds = 9'999'999'999}), dos(2107, 12, 31, 23, 59, 58));
}

TEST(ZipWriter, WritesTheHeadersOfTheStandard) {
  ZipWriter writer;
  const std::string local = writer.begin("name", 5, 0x12345678, kMemberDate);
  ASSERT_EQ(local.size(), 30U + 4);
  EXPECT_EQ(number_at(local, 0, 4), zip::kLocalHeader);
  EXPECT_EQ(number_at(local, 4, 2), 20U) << "version 2.0 can extract it";
  EXPECT_EQ(number_at(local, 6, 2), 0x0800U) << "names are UTF-8";
  EXPECT_EQ(number_at(local, 8, 2), 0U) << "it is stored";
  EXPECT_EQ(number_at(local, 14, 4), 0x12345678U);
  EXPECT_EQ(number_at(local, 18, 4), 5U);
  EXPECT_EQ(number_at(local, 22, 4), 5U);
  EXPECT_EQ(number_at(local, 26, 2), 4U);
  EXPECT_EQ(number_at(local, 28, 2), 0U);
  EXPECT_EQ(local.substr(30), "name");
  EXPECT_EQ(writer.size(), local.size() + 5);
  const std::string directory = writer.finish();
  ASSERT_EQ(directory.size(), 46U + 4 + 22);
  EXPECT_EQ(number_at(directory, 0, 4), zip::kCentralHeader);
  EXPECT_EQ(number_at(directory, 16, 4), 0x12345678U);
  EXPECT_EQ(number_at(directory, 42, 4), 0U) << "its local header is the first byte";
  const std::size_t end = 50;
  EXPECT_EQ(number_at(directory, end, 4), zip::kEnd);
  EXPECT_EQ(number_at(directory, end + 8, 2), 1U);
  EXPECT_EQ(number_at(directory, end + 10, 2), 1U);
  EXPECT_EQ(number_at(directory, end + 12, 4), 50U);
  EXPECT_EQ(number_at(directory, end + 16, 4), local.size() + 5);
  EXPECT_EQ(writer.size(), local.size() + 5 + directory.size());
}

// 0xFFFFFFFF itself means that the number is elsewhere.
TEST(ZipWriter, WritesLargeSizesElsewhere) {
  for (const std::uint64_t bytes : {kNumberMax, kNumberMax + 1, std::uint64_t{1} << 40}) {
    const bool is_large = bytes > kNumberMax;
    ZipWriter writer;
    const std::string local = writer.begin("a", bytes, 7, kMemberDate);
    ASSERT_EQ(local.size(), 31U + (is_large ? 20U : 0U)) << bytes;
    EXPECT_EQ(number_at(local, 4, 2), is_large ? 45U : 20U);
    EXPECT_EQ(number_at(local, 22, 4), is_large ? 0xFFFFFFFFU : bytes);
    const std::string directory = writer.finish();
    EXPECT_EQ(number_at(directory, 24, 4), is_large ? 0xFFFFFFFFU : bytes);
    EXPECT_EQ(number_at(directory, 30, 2), is_large ? 20U : 0U);
    if (!is_large) continue;
    EXPECT_EQ(number_at(local, 31, 2), 1U);
    EXPECT_EQ(number_at(local, 33, 2), 16U);
    EXPECT_EQ(number_at(local, 35, 8), bytes);
    EXPECT_EQ(number_at(local, 43, 8), bytes);
    EXPECT_EQ(number_at(directory, 47, 2), 1U);
    EXPECT_EQ(number_at(directory, 49, 2), 16U);
    EXPECT_EQ(number_at(directory, 51, 8), bytes);
    EXPECT_EQ(number_at(directory, 59, 8), bytes);
  }
}

TEST(ZipWriter, WritesLargeOffsetsElsewhere) {
  for (const std::uint64_t offset : {kNumberMax, kNumberMax + 1}) {
    const bool is_large = offset > kNumberMax;
    ZipWriter writer;
    writer.begin("a", offset - 31, 7, kMemberDate);
    ASSERT_EQ(writer.size(), offset);
    writer.begin("b", 3, 7, kMemberDate);
    const std::string directory = writer.finish();
    const std::size_t second = 47;
    EXPECT_EQ(number_at(directory, second + 24, 4), 3U);
    EXPECT_EQ(number_at(directory, second + 30, 2), is_large ? 12U : 0U);
    EXPECT_EQ(number_at(directory, second + 42, 4), is_large ? 0xFFFFFFFFU : offset);
    if (is_large) EXPECT_EQ(number_at(directory, second + 51, 8), offset);
  }
}

TEST(ZipWriter, WritesALargeEndRecordIfANumberDoesNotFit) {
  for (const std::uint64_t offset : {kNumberMax, kNumberMax + 1}) {
    ZipWriter writer;
    writer.begin("a", offset - 31, 7, kMemberDate);
    const std::string directory = writer.finish();
    const bool is_large = offset > kNumberMax;
    ASSERT_EQ(directory.size(), 47U + (is_large ? 56U + 20U : 0U) + 22U);
    const std::size_t end = directory.size() - 22;
    EXPECT_EQ(number_at(directory, end + 10, 2), 1U);
    EXPECT_EQ(number_at(directory, end + 12, 4), 47U);
    EXPECT_EQ(number_at(directory, end + 16, 4), is_large ? 0xFFFFFFFFU : offset);
    if (!is_large) continue;
    EXPECT_EQ(number_at(directory, 47, 4), zip::kEnd64);
    EXPECT_EQ(number_at(directory, 51, 8), 44U) << "the bytes that follow";
    EXPECT_EQ(number_at(directory, 71, 8), 1U);
    EXPECT_EQ(number_at(directory, 79, 8), 1U);
    EXPECT_EQ(number_at(directory, 87, 8), 47U);
    EXPECT_EQ(number_at(directory, 95, 8), offset);
    EXPECT_EQ(number_at(directory, 103, 4), zip::kEnd64Locator);
    EXPECT_EQ(number_at(directory, 111, 8), offset + 47);
    EXPECT_EQ(number_at(directory, 119, 4), 1U) << "one disk";
  }
}

TEST(ZipWriter, CountsUpTo65534MembersInTheSmallEndRecord) {
  for (const std::size_t count : {65'534U, 65'535U}) {
    ZipWriter writer;
    std::string file;
    for (std::size_t i = 0; i < count; ++i) file += writer.begin("a", 0, 0, kMemberDate);
    file += writer.finish();
    const bool is_large = file.find("PK\x06\x06") != std::string::npos;
    EXPECT_EQ(is_large, count == 65'535U);
    EXPECT_EQ(number_at(file, file.size() - 12, 2), count);
    EXPECT_EQ(ZipArchive::open(as_bytes(file))->entries().size(), count);
  }
}

}  // namespace
}  // namespace gossamer::warc
