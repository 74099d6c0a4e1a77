#include "html/encoding/encoder.h"

#include <gtest/gtest.h>

#include <string>

#include "html/encoding/decoder.h"

namespace gossamer::html {
namespace {

TEST(Encode, WritesTheBytesOfTheEncoding) {
  EXPECT_EQ(encode(Encoding::windows_1251, "a\u0436"), "a\xE6");
  EXPECT_EQ(encode(Encoding::shift_jis, "\u65e5\u672c\uff76"), "\x93\xFA\x96\x7B\xB6");
  EXPECT_EQ(encode(Encoding::gb18030, "\u20ac\U0001f600"), "\xA2\xE3\x94\x39\xFC\x36");
  EXPECT_EQ(encode(Encoding::gbk, "\u20ac"), "\x80");
  EXPECT_EQ(encode(Encoding::iso_2022_jp, "a\u65e5b"), "a\x1B$B\x46\x7C\x1B(Bb");
  EXPECT_EQ(encode(Encoding::utf_16le, "\u0436"), "\u0436");
}

TEST(Encode, WritesAReferenceForWhatTheEncodingDoesNotHave) {
  EXPECT_EQ(encode(Encoding::windows_1251, "\u65e5!"), "&#26085;!");
  EXPECT_EQ(encode(Encoding::iso_2022_jp, "\u65e5\U0001f600"), "\x1B$B\x46\x7C\x1B(B&#128512;");
  EXPECT_EQ(encode(Encoding::iso_2022_jp, "\u00a5"), "\x1B(J\\\x1B(B");
  EXPECT_EQ(encode(Encoding::windows_1252, "\xFF"), "&#65533;");
}

// https://encoding.spec.whatwg.org/#euc-jp-encoder
TEST(Encode, WritesJapaneseSignsThatHaveTheirOwnRules) {
  EXPECT_EQ(encode(Encoding::euc_jp, "\uff61\uff76\uff9f"), "\x8E\xA1\x8E\xB6\x8E\xDF");
  EXPECT_EQ(encode(Encoding::euc_jp, "\u00a5\u203e\u2212"), "\x5C\x7E\xA1\xDD");
  EXPECT_EQ(encode(Encoding::shift_jis, "\uff61\uff9f"), "\xA1\xDF");
  EXPECT_EQ(encode(Encoding::shift_jis, "\u00a5\u203e\u2212"), "\x5C\x7E\x81\x7C");
  EXPECT_EQ(encode(Encoding::iso_2022_jp, "\uff76"), "\x1B$B\x25\x2B\x1B(B") << "the full width";
}

TEST(Encode, IsUndoneByDecode) {
  std::string text;
  for (int byte = 0x80; byte < 0x100; ++byte) text.push_back(static_cast<char>(byte));
  for (const Encoding encoding : {Encoding::koi8_r, Encoding::ibm866, Encoding::x_user_defined}) {
    const std::string decoded = decode(encoding, text);
    EXPECT_EQ(encode(encoding, decoded), text) << name(encoding);
  }
  const std::string chinese = "\u4e2d\u6587 \u3042";
  for (const Encoding encoding :
       {Encoding::gbk, Encoding::gb18030, Encoding::big5, Encoding::euc_jp, Encoding::iso_2022_jp,
        Encoding::shift_jis, Encoding::euc_kr, Encoding::utf_8}) {
    EXPECT_EQ(decode(encoding, encode(encoding, chinese)), chinese) << name(encoding);
  }
}

TEST(Encoder, StopsAtWhatItCannotExpress) {
  Encoder encoder(Encoding::windows_1251);
  std::string bytes;
  const auto step = encoder.encode("\u0436\u65e5z", bytes);
  EXPECT_EQ(bytes, "\xE6");
  EXPECT_EQ(step.consumed, 5U);
  EXPECT_EQ(step.refused, U'\u65e5');
}

}  // namespace
}  // namespace gossamer::html
