#include "html/encoding/decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "html/encoding/utf8.h"

namespace gossamer::html {
namespace {

using namespace std::string_literals;

// Feeds pieces of `piece_bytes`, each in a heap block of exactly its size.
std::string decode_in_pieces(Encoding encoding, std::string_view bytes, std::size_t piece_bytes) {
  Decoder decoder(encoding);
  std::string text, scratch;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece_bytes, bytes.size()))) {
    const std::string_view piece = bytes.substr(0, piece_bytes);
    const auto block = std::make_unique<char[]>(piece.size());
    std::memcpy(block.get(), piece.data(), piece.size());
    text += decoder.decode({block.get(), piece.size()}, scratch);
  }
  return text += decoder.finish(scratch);
}

std::vector<Encoding> all_encodings() {
  std::vector<Encoding> encodings;
  for (std::size_t i = 0; i < kEncodingCount; ++i) encodings.push_back(static_cast<Encoding>(i));
  return encodings;
}

TEST(Decoder, ReadsLegacyTextAsUtf8) {
  EXPECT_EQ(decode(Encoding::windows_1252, "caf\xE9 \x80"), "caf\u00e9 \u20ac");
  EXPECT_EQ(decode(Encoding::koi8_r, "\xF0\xD2\xC9"), "\u041f\u0440\u0438");
  EXPECT_EQ(decode(Encoding::shift_jis, "\x93\xFA\x96\x7B"), "\u65e5\u672c");
  EXPECT_EQ(decode(Encoding::euc_kr, "\xC7\xD1"), "\ud55c");
  EXPECT_EQ(decode(Encoding::gb18030, "\x84\x31\xA4\x37"), "\ufffd");
  EXPECT_EQ(decode(Encoding::big5, "\x88\x62"), "\u00ca\u0304");
  EXPECT_EQ(decode(Encoding::iso_2022_jp, "\x1B$B\x46\x7C\x1B(B!"), "\u65e5!");
  EXPECT_EQ(decode(Encoding::utf_16le, "\x3D\xD8\x00\xDE"s), "\U0001f600");
  EXPECT_EQ(decode(Encoding::x_user_defined, "\xFF"), "\uf7ff");
}

// https://encoding.spec.whatwg.org/#iso-2022-jp-decoder
TEST(Decoder, ReadsTheModesOfIso2022JpAndTheirErrors) {
  const auto read = [](std::string_view bytes) { return decode(Encoding::iso_2022_jp, bytes); };
  EXPECT_EQ(read("\x1B(J\x5C\x7E"), "\u00a5\u203e");
  EXPECT_EQ(read("\x1B(I\x21\x5F\x60"), "\uff61\uff9f\ufffd");
  EXPECT_EQ(read("a\x0E\x80z"), "a\ufffd\ufffdz");
  EXPECT_EQ(read("\x1B$B\x46\x7F"), "\ufffd");
  EXPECT_EQ(read("\x1B(Xz"), "\ufffd(Xz") << "the rest of an invalid escape is text";
}

TEST(Decoder, WritesOneReplacementForEachError) {
  EXPECT_EQ(decode(Encoding::utf_8, "a\xFF\xC3"), "a\ufffd\ufffd");
  EXPECT_EQ(decode(Encoding::utf_8, "\xE2\x82z"), "\ufffdz");
  EXPECT_EQ(decode(Encoding::utf_8, "\xED\xA0\x80"), "\ufffd\ufffd\ufffd");
  EXPECT_EQ(decode(Encoding::utf_16be, "\xD8\x00\x00z"s), "\ufffdz");
  EXPECT_EQ(decode(Encoding::euc_jp, "\x80\xA0z\xFF"), "\ufffd\ufffdz\ufffd");
  EXPECT_EQ(decode(Encoding::shift_jis, "\xA0z\xFD"), "\ufffdz\ufffd");
  EXPECT_EQ(decode(Encoding::replacement, "whatever"), "\ufffd");
  Decoder decoder(Encoding::utf_8);
  std::string text;
  decoder.decode_to("\xFF\xFF\xC3", text);
  EXPECT_EQ(decoder.errors(), 2U);
  decoder.finish_to(text);
  EXPECT_EQ(decoder.errors(), 3U);
}

TEST(Decoder, DoesNotSwallowMarkupAfterABrokenCharacter) {
  EXPECT_EQ(decode(Encoding::shift_jis, "\x81<a>"), "\ufffd<a>");
  EXPECT_EQ(decode(Encoding::gb18030, "\x81<a>"), "\ufffd<a>");
  EXPECT_EQ(decode(Encoding::gb18030, "\x81\x30\x81<a>"), "\ufffd0\ufffd<a>");
  EXPECT_EQ(decode(Encoding::euc_jp, "\x8F\xA1<a>"), "\ufffd<a>");
}

TEST(Decoder, RemovesTheMarkOfItsOwnEncodingUnlessItIsToBeKept) {
  EXPECT_EQ(decode(Encoding::utf_8, "\xEF\xBB\xBFz"), "z");
  EXPECT_EQ(decode(Encoding::utf_8, "\xEF\xBB\xBF\xEF\xBB\xBF"), "\ufeff");
  EXPECT_EQ(decode(Encoding::utf_8, "\xEF\xBB\xBFz", ByteOrderMark::kept), "\ufeffz");
  EXPECT_EQ(decode(Encoding::utf_16le, "\xFF\xFEz\0"s), "z");
  EXPECT_EQ(decode_in_pieces(Encoding::utf_8, "\xEF\xBB\xBFz", 1), "z");
  EXPECT_EQ(decode(Encoding::windows_1252, "\xEF\xBB\xBF"), "\u00ef\u00bb\u00bf");
}

TEST(Decoder, CopiesNothingThatIsUtf8Already) {
  const std::string text = "plain and \u00fcmlaut";
  std::string scratch;
  Decoder utf_8(Encoding::utf_8);
  EXPECT_EQ(utf_8.decode(text, scratch).data(), text.data());
  const std::string cut = text + "\xC3";
  EXPECT_EQ(utf_8.decode(cut, scratch).data(), cut.data());
  EXPECT_EQ(utf_8.decode("\xBC", scratch), "\u00fc");
  Decoder koi8(Encoding::koi8_r);
  const std::string ascii = "plain";
  EXPECT_EQ(koi8.decode(ascii, scratch).data(), ascii.data());
}

TEST(Decoder, IsAsNewAfterTheEnd) {
  std::string text;
  Decoder decoder(Encoding::utf_8);
  for (int i = 0; i < 2; ++i) {
    decoder.decode_to("\xEF\xBB\xBFz\xC3", text);
    decoder.finish_to(text);
  }
  EXPECT_EQ(text, "z\ufffdz\ufffd");
}

// Bytes that are likely to mean something: leads, trails, digits and escapes.
std::string noise(base::Random& random, std::size_t size) {
  static constexpr std::string_view kLikely = "\x1B$B(J0159<a>\x7F\x80\x81\x8E\x8F\xA1\xC3\xD8\xDC";
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t draw = random.next();
    bytes += (draw & 0x100) != 0 ? kLikely[draw % kLikely.size()] : static_cast<char>(draw);
  }
  return bytes;
}

TEST(Decoder, GivesTheSameValidTextHoweverTheInputIsCut) {
  base::Random random(1);
  for (const Encoding encoding : all_encodings()) {
    for (int round = 0; round < 40; ++round) {
      const std::string bytes = noise(random, 1 + round * 7);
      const std::string whole = decode(encoding, bytes);
      ASSERT_EQ(valid_utf8_prefix(whole), whole.size()) << name(encoding);
      for (const std::size_t piece_bytes : {1, 2, 3, 7, 64}) {
        ASSERT_EQ(decode_in_pieces(encoding, bytes, piece_bytes), whole) << name(encoding);
      }
    }
  }
}

TEST(Decoder, HandlesInputLongerThanItsBlocks) {
  std::string bytes, expected;
  for (int i = 0; i < 50'000; ++i) {
    bytes += "a\x93\xFA";
    expected += "a\u65e5";
  }
  EXPECT_EQ(decode(Encoding::shift_jis, bytes), expected);
}

TEST(ValidUtf8Prefix, EndsBeforeTheFirstBrokenOrUnfinishedCharacter) {
  for (const std::string_view bad :
       {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\x80", "\xFF", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xE2\x28\xA1"}) {
    for (const std::size_t before : {0, 1, 7, 8, 31, 32, 33, 70}) {
      const std::string text = std::string(before, 'a') + "\u20ac" + std::string(bad);
      EXPECT_EQ(valid_utf8_prefix(text), before + 3) << before;
    }
  }
  EXPECT_EQ(valid_utf8_prefix("\U0010ffff\ud7ff\ue000\U00010000"), 14U);
}

// Whatever precedes it, and wherever the blocks begin.
TEST(ValidUtf8Prefix, EndsBeforeTheFirstBrokenPieceOfMany) {
  const std::vector<std::string> pieces = {"a",
                                           "\u00a0",
                                           "\u20ac",
                                           "\U0001f600",
                                           "\xC3",
                                           "\xED\xA0\x80",
                                           "\xE2\x82",
                                           "\xFF",
                                           std::string(60, 'b'),
                                           std::string(200, 'c')};
  base::Random random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    const std::uint64_t valid_kinds = round % 3 == 0 ? pieces.size() : 4;
    std::size_t expected = 0;
    bool is_valid = true;
    for (std::uint64_t i = random.below(40); i > 0; --i) {
      std::uint64_t kind = random.below(valid_kinds + 2);
      if (kind >= valid_kinds) kind = pieces.size() - 1 - (kind - valid_kinds);
      is_valid = is_valid && (kind < 4 || kind >= 8);
      text += pieces[kind];
      if (is_valid) expected = text.size();
    }
    // In a block of exactly its size.
    const auto block = std::make_unique<char[]>(text.size());
    std::memcpy(block.get(), text.data(), text.size());
    const std::string_view bytes(block.get(), text.size());
    ASSERT_EQ(valid_utf8_prefix(bytes), expected) << round;
    const auto first_high = std::ranges::find_if(bytes, [](char c) { return (c & 0x80) != 0; });
    ASSERT_EQ(ascii_prefix(bytes), static_cast<std::size_t>(first_high - bytes.begin())) << round;
  }
}

}  // namespace
}  // namespace gossamer::html
