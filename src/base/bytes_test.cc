#include "base/bytes.h"

#include <gtest/gtest.h>

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

TEST(Bytes, OfNothingAreEmpty) {
  EXPECT_TRUE(as_bytes({}).empty());
  EXPECT_EQ(as_text(Bytes()), "");
}

}  // namespace
}  // namespace gossamer::base
