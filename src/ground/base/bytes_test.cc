#include "base/bytes.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gossamer::base {
namespace {

TEST(Bytes, GoToTextAndBackWithoutMoving) {
  const std::string_view text("a\0\xff", 3);
  const Bytes bytes = as_bytes(text);
  EXPECT_EQ(bytes.size(), 3u);
  EXPECT_EQ(bytes[2], std::byte{0xff});
  EXPECT_EQ(as_text(bytes), text);
  EXPECT_EQ(as_text(bytes).data(), text.data());
}

TEST(Bytes, AreEmptyForAnEmptyText) {
  EXPECT_TRUE(as_bytes({}).empty());
  EXPECT_EQ(as_text(Bytes()), "");
}

// A copy of the text would have another address.
TEST(Bytes, AppendLargeGivesALargeTextAllItsRoom) {
  constexpr std::size_t kMost = 8 * 1024 * 1024;
  const std::string piece(64 * 1024, 'x');
  std::string text;
  std::size_t moves_when_large = 0;
  while (text.size() < kMost) {
    const char* const before = text.data();
    const bool is_large = text.size() > 1024 * 1024;
    append_large(text, piece, kMost);
    if (is_large && text.data() != before) ++moves_when_large;
  }
  EXPECT_EQ(moves_when_large, 0u);
  EXPECT_EQ(text.size(), kMost);
}

TEST(Bytes, AppendLargeGoesBeyondWhatWasExpected) {
  std::string text(2 * 1024 * 1024, 'x');
  append_large(text, "y", 10);
  append_large(text, std::string(3 * 1024 * 1024, 'z'), 10);
  EXPECT_EQ(text.size(), 5u * 1024 * 1024 + 1);
  EXPECT_EQ(text[2 * 1024 * 1024], 'y');
}

}  // namespace
}  // namespace gossamer::base
