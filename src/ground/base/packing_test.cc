#include "base/packing.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace gossamer::store {
namespace {

TEST(Packing, UnpacksWhatWasPacked) {
  Packer packer;
  packer.number(0);
  packer.number(127);
  packer.number(128);
  packer.number(std::numeric_limits<std::uint64_t>::max());
  packer.signed_number(-1);
  packer.signed_number(std::numeric_limits<std::int64_t>::min());
  packer.fixed64(0x0123456789ABCDEF);
  packer.text("https://a.example/");
  packer.text("");
  const std::string bytes = std::move(packer).take();

  Unpacker unpacker(bytes);
  EXPECT_EQ(unpacker.number(), 0U);
  EXPECT_EQ(unpacker.number(), 127U);
  EXPECT_EQ(unpacker.number(), 128U);
  EXPECT_EQ(unpacker.number(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(unpacker.signed_number(), -1);
  EXPECT_EQ(unpacker.signed_number(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(unpacker.fixed64(), 0x0123456789ABCDEFU);
  EXPECT_EQ(unpacker.text(), "https://a.example/");
  EXPECT_EQ(unpacker.text(), "");
  EXPECT_TRUE(unpacker.is_at_end());
  EXPECT_TRUE(unpacker.is_good());
}

TEST(Packing, DetectsEveryTruncation) {
  Packer packer;
  packer.number(1000);
  packer.text("text");
  packer.fixed64(7);
  const std::string bytes = std::move(packer).take();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Unpacker unpacker(std::string_view(bytes).substr(0, size));
    unpacker.number();
    unpacker.text();
    unpacker.fixed64();
    EXPECT_FALSE(unpacker.is_good()) << size;
  }
}

TEST(Packing, RejectsATextThatIsLongerThanTheData) {
  Unpacker unpacker("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
  EXPECT_EQ(unpacker.text(), "");
  EXPECT_FALSE(unpacker.is_good());
}

TEST(Packing, ReadsNothingAfterInvalidData) {
  Unpacker number("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x05");
  EXPECT_EQ(number.number(), 0U);
  Unpacker fixed("\x05\x05\x05");
  EXPECT_EQ(fixed.fixed64(), 0U);
  Unpacker text("\x09\x05\x05");
  EXPECT_EQ(text.text(), "");
  for (Unpacker* const each : {&number, &fixed, &text}) {
    EXPECT_TRUE(each->is_at_end());
    EXPECT_EQ(each->number(), 0U);
    EXPECT_EQ(each->text(), "");
    EXPECT_FALSE(each->is_good());
  }
}

TEST(Packing, ReadsAFixedNumberAtTheEnd) {
  Unpacker unpacker("\x01\x02\x03\x04\x05\x06\x07\x08");
  EXPECT_EQ(unpacker.fixed64(), 0x0807060504030201U);
  EXPECT_TRUE(unpacker.is_good());
  EXPECT_TRUE(unpacker.is_at_end());
}

}  // namespace
}  // namespace gossamer::store
