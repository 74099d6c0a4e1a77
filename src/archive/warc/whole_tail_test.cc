#include "warc/whole_tail.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "warc/record_writer.h"

namespace gossamer::warc {
namespace {

std::uint64_t whole_bytes(std::string_view file, std::size_t piece) {
  WholeTail tail;
  for (std::size_t at = 0; at < file.size(); at += piece) {
    tail.feed(as_bytes(file.substr(at, piece)));
  }
  return tail.finish();
}

TEST(WholeTail, IsTheLastRecordThatWasWrittenWhereverTheFileIsCut) {
  for (const bool compress : {true, false}) {
    RecordWriter writer({.compress = compress});
    std::string file;
    std::vector<std::size_t> ends = {0};
    for (int i = 0; i < 3; ++i) {
      const std::array<std::byte, 16> random = {static_cast<std::byte>(i)};
      const std::string body(static_cast<std::size_t>(i) * 50, 'x');
      writer.append(resource_record(RecordId(random), {.target_uri = "http://h/", .date = {}},
                                    "text/plain", as_bytes(body)),
                    file);
      ends.push_back(file.size());
    }
    std::size_t whole = 0;
    for (std::size_t size = 0; size <= file.size(); ++size) {
      if (whole + 1 < ends.size() && size == ends[whole + 1]) ++whole;
      const std::string_view cut = std::string_view(file).substr(0, size);
      EXPECT_EQ(whole_bytes(cut, 7), ends[whole]) << size << (compress ? " in gzip" : " plain");
    }
  }
}

TEST(WholeTail, EndsAtTheFirstDamage) {
  std::string file;
  const std::array<std::byte, 16> random = {};
  RecordWriter().append(
      resource_record(RecordId(random), {.target_uri = "http://h/", .date = {}}, "", {}), file);
  const std::size_t size = file.size();
  EXPECT_EQ(whole_bytes(file + file, 1000), 2 * size);
  EXPECT_EQ(whole_bytes(file + "junk" + file, 1000), size);
  EXPECT_EQ(whole_bytes("junk" + file, 1000), 0U);
}

}  // namespace
}  // namespace gossamer::warc
