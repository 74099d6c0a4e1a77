#include "html/encoding/encoding.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::html {
namespace {

TEST(Encoding, IsNamedAsInTheStandard) {
  EXPECT_EQ(name(Encoding::utf_8), "UTF-8");
  EXPECT_EQ(name(Encoding::shift_jis), "Shift_JIS");
  EXPECT_EQ(name(Encoding::x_user_defined), "x-user-defined");
}

TEST(Encoding, HasItsOwnNameAsALabel) {
  for (std::size_t i = 0; i < kEncodingCount; ++i) {
    const auto encoding = static_cast<Encoding>(i);
    EXPECT_EQ(encoding_from_label(name(encoding)), encoding) << name(encoding);
  }
}

TEST(Encoding, IsFoundWhateverTheCaseAndTheSpaceAroundItsLabel) {
  EXPECT_EQ(encoding_from_label(" \t\r\n\fLaTin1 "), Encoding::windows_1252);
  EXPECT_EQ(encoding_from_label("ISO-2022-KR"), Encoding::replacement);
}

TEST(Encoding, IsNotFoundUnderALabelThatTheStandardDoesNotKnow) {
  for (const char* label : {"", " ", "utf_8", "utf 8", "utf-8\x0b", "utf-32", "cp437"}) {
    EXPECT_EQ(encoding_from_label(label), std::nullopt) << label;
  }
  EXPECT_EQ(encoding_from_label(std::string(1'000'000, 'a')), std::nullopt);
}

TEST(Encoding, IsNeverUtf16ForFormsAndUrls) {
  EXPECT_EQ(output_encoding(Encoding::utf_16le), Encoding::utf_8);
  EXPECT_EQ(output_encoding(Encoding::replacement), Encoding::utf_8);
  EXPECT_EQ(output_encoding(Encoding::koi8_r), Encoding::koi8_r);
}

}  // namespace
}  // namespace gossamer::html
