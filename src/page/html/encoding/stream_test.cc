#include "html/encoding/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace gossamer::html {
namespace {

struct Read {
  std::string text;
  SniffedEncoding sniffed;
};

Read read(std::string_view bytes, std::size_t piece_bytes, SniffOptions options = {}) {
  DecodingStream stream(options);
  std::string text, scratch;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece_bytes, bytes.size()))) {
    text += stream.decode(bytes.substr(0, piece_bytes), scratch);
  }
  text += stream.finish(scratch);
  return {text, stream.sniffed().value()};
}

TEST(DecodingStream, DecodesAPageByItsOwnDeclaration) {
  const std::string page = "<title>\xF0\xD2\xC9</title><meta charset=koi8-r>\xF0";
  for (const std::size_t piece_bytes : {1, 2, 10, 100}) {
    EXPECT_EQ(read(page, piece_bytes).text,
              "<title>\u041f\u0440\u0438</title><meta charset=koi8-r>\u041f");
  }
}

TEST(DecodingStream, NeedsNoRestartForALateMeta) {
  const std::string page = "<title>\xF0</title>" + std::string(5000, ' ') + "<meta charset=koi8-r>";
  for (const std::size_t piece_bytes : {1, 1000, 4096, 10'000}) {
    const Read result = read(page, piece_bytes);
    EXPECT_EQ(result.sniffed.encoding, Encoding::koi8_r);
    EXPECT_TRUE(result.text.starts_with("<title>\u041f</title>"));
    EXPECT_EQ(result.text.size(), page.size() + 1);
  }
}

TEST(DecodingStream, GivesBackAPieceThatNeedsNoChange) {
  const std::string page = "<meta charset=utf-8>\u00fc";
  DecodingStream stream({});
  std::string scratch;
  EXPECT_EQ(stream.decode(page, scratch).data(), page.data());
}

TEST(DecodingStream, HoldsBackNoMoreThanItsBound) {
  DecodingStream stream({.bytes_max = 2048});
  std::string scratch, text;
  for (int i = 0; i < 2048; ++i) text += stream.decode(" ", scratch);
  EXPECT_EQ(text.size(), 2048U);
  EXPECT_EQ(stream.sniffed()->source, EncodingSource::fallback);
}

TEST(DecodingStream, TakesAnEmptyPageForTheFallback) {
  EXPECT_EQ(read("", 1).text, "");
  EXPECT_EQ(read("", 1).sniffed.source, EncodingSource::fallback);
  EXPECT_EQ(read("\xEF\xBB\xBF", 1).text, "");
}

TEST(DecodingStream, UndeclaredUtf8IsFoundHoweverLateItComes) {
  const std::string page = "<title>" + std::string(200'000, 'a') + "\u00fc</title>\u20ac\U0001f600";
  for (const std::size_t piece_bytes : {1, 7, 1000, 4096, 1'000'000}) {
    const Read result = read(page, piece_bytes);
    EXPECT_EQ(result.text, page);
    EXPECT_EQ(result.sniffed, (SniffedEncoding{Encoding::utf_8, EncodingSource::content}));
  }
}

TEST(DecodingStream, UndeclaredTextThatIsNotUtf8IsInTheFallback) {
  const std::string page =
      std::string(5000, 'a') + "caf\xE9 \xC3\xA9 na\xEFve " + std::string(3000, 'b');
  for (const std::size_t piece_bytes : {1, 7, 1000, 4096, 1'000'000}) {
    const Read result = read(page, piece_bytes);
    EXPECT_EQ(result.sniffed, (SniffedEncoding{Encoding::windows_1252, EncodingSource::fallback}));
    EXPECT_EQ(result.text, std::string(5000, 'a') + "caf\u00e9 \u00c3\u00a9 na\u00efve " +
                               std::string(3000, 'b'));
  }
}

TEST(DecodingStream, AStrayByteDoesNotHideUtf8) {
  EXPECT_EQ(read("\u00fcber \u00e4lter \xE9 \u00f6ffnen", 3).text,
            "\u00fcber \u00e4lter \ufffd \u00f6ffnen");
}

TEST(DecodingStream, PassesAsciiWhileNothingIsDecided) {
  DecodingStream stream({.kind = DocumentKind::text});
  std::string scratch;
  const std::string piece(3000, 'a');
  EXPECT_EQ(stream.decode(piece, scratch).data(), piece.data());
  EXPECT_EQ(stream.decode("b\xC3", scratch), "b");
  EXPECT_EQ(stream.decode("\xBC", scratch), "");
  EXPECT_EQ(stream.finish(scratch), "\u00fc");
}

TEST(DecodingStream, HoldsNoMoreBackThanDecides) {
  DecodingStream stream({.kind = DocumentKind::text});
  std::string scratch;
  EXPECT_EQ(stream.decode("\u00fc" + std::string(kDecisiveBytes - 3, 'a'), scratch), "");
  EXPECT_EQ(stream.decode("a", scratch).size(), kDecisiveBytes);
}

TEST(DecodingStream, AMarkInsideUndeclaredTextIsACharacter) {
  EXPECT_EQ(read("a\uFEFF\u00fc", 1).text, "a\uFEFF\u00fc");
}

}  // namespace
}  // namespace gossamer::html
