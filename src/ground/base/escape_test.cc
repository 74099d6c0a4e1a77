#include "base/escape.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace gossamer::base {
namespace {

TEST(Escape, LetsPrintableTextPass) {
  for (const std::string_view text :
       {"", "https://a.example/?q=1&r=%20", "back\\slash", "caf\xc3\xa9",
        "\xe6\x97\xa5\xe6\x9c\xac", "\xf0\x9f\x95\xb8", "\xc2\xa0", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(escape_for_terminal(text), text);
  }
}

TEST(Escape, HasNoExceptionAmongTheControlCharacters) {
  EXPECT_EQ(escape_for_terminal("a\nb\rc\td"), "a\\x0ab\\x0dc\\x09d");
  EXPECT_EQ(escape_for_terminal("\x1b[2J\x07\x7f"), "\\x1b[2J\\x07\\x7f");
  EXPECT_EQ(escape_for_terminal(std::string_view("\0", 1)), "\\x00");
  for (char c = 0; c < 0x20; ++c) {
    EXPECT_EQ(escape_for_terminal(std::string_view(&c, 1)).size(), 4u) << int{c};
  }
}

struct Case {
  std::string_view text;
  std::string_view escaped;
};

TEST(Escape, ShowsHarmfulCodePointsByTheirNumber) {
  const std::vector<Case> cases = {
      {"\xc2\x80", "\\u{80}"},        // the first of C1
      {"\xc2\x85", "\\u{85}"},        // next line
      {"\xc2\x9b", "\\u{9b}"},        // control sequence introducer
      {"\xc2\x9f", "\\u{9f}"},        // the last of C1
      {"\xd8\x9c", "\\u{61c}"},       // Arabic letter mark
      {"\xe2\x80\x8e", "\\u{200e}"},  // left-to-right mark
      {"\xe2\x80\x8f", "\\u{200f}"},  // right-to-left mark
      {"\xe2\x80\xa8", "\\u{2028}"},  // line separator
      {"\xe2\x80\xa9", "\\u{2029}"},  // paragraph separator
      {"\xe2\x80\xaa", "\\u{202a}"},  // left-to-right embedding
      {"\xe2\x80\xae", "\\u{202e}"},  // right-to-left override
      {"\xe2\x81\xa6", "\\u{2066}"},  // left-to-right isolate
      {"\xe2\x81\xa9", "\\u{2069}"},  // pop directional isolate
      {"a\xe2\x80\xaegpj", "a\\u{202e}gpj"},
  };
  for (const Case& c : cases) EXPECT_EQ(escape_for_terminal(c.text), c.escaped);
}

TEST(Escape, LeavesTheNeighboursOfHarmfulCodePointsAlone) {
  for (const std::string_view text :
       {"\xc2\xa0", "\xd8\x9b", "\xd8\x9d", "\xe2\x80\x8d", "\xe2\x80\x90", "\xe2\x80\xa7",
        "\xe2\x80\xaf", "\xe2\x81\xa5", "\xe2\x81\xaa"}) {
    EXPECT_EQ(escape_for_terminal(text), text);
  }
}

TEST(Escape, ShowsBytesThatAreNotUtf8) {
  const std::vector<Case> cases = {
      {"\x80", "\\x80"},                             // a continuation without a lead
      {"\x9b", "\\x9b"},                             // C1 as a single byte
      {"\xff\xfe", "\\xff\\xfe"},                    // never in UTF-8
      {"\xc3", "\\xc3"},                             // cut off
      {"\xe2\x80", "\\xe2\\x80"},                    // cut off
      {"\xf0\x9f\x95", "\\xf0\\x9f\\x95"},           // cut off
      {"\xc3(", "\\xc3("},                           // the next character survives
      {"\xe2\x80\n", "\\xe2\\x80\\x0a"},             // and is judged by itself
      {"\xc0\x8a", "\\xc0\\x8a"},                    // a newline, overlong
      {"\xc1\xbf", "\\xc1\\xbf"},                    // overlong
      {"\xe0\x80\x8a", "\\xe0\\x80\\x8a"},           // overlong
      {"\xf0\x80\x80\x8a", "\\xf0\\x80\\x80\\x8a"},  // overlong
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // a surrogate
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // beyond U+10FFFF
      {"\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"},  // beyond U+10FFFF
      {"\xe2\xe2\x80\xae", "\\xe2\\u{202e}"},        // a lead before a whole sequence
  };
  for (const Case& c : cases) EXPECT_EQ(escape_for_terminal(c.text), c.escaped);
}

TEST(Escape, AppendsToWhatIsThere) {
  std::string out = "kept\n";
  append_escaped(out, "new\n");
  EXPECT_EQ(out, "kept\nnew\\x0a");
}

// Random bytes, weighted towards the beginnings of sequences and in blocks of exactly their size,
// so that AddressSanitizer sees a read beyond the end.
TEST(Escape, MakesAnythingSafeAndIsThenDone) {
  constexpr std::string_view kLikely = "\xc2\x9b\xe2\x80\xae\xf0\x1b\n\xed\xa0";
  Random random(17);
  for (int round = 0; round < 5000; ++round) {
    const std::size_t size = random.below(12);
    const auto block = std::make_unique_for_overwrite<char[]>(size);
    for (std::size_t i = 0; i < size; ++i) {
      block[i] = random.chance(0.5) ? kLikely[random.below(kLikely.size())]
                                    : static_cast<char>(random.below(256));
    }
    const std::string escaped = escape_for_terminal(std::string_view(block.get(), size));
    for (const char c : escaped) ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
    ASSERT_EQ(escape_for_terminal(escaped), escaped);
  }
}

TEST(EscapeAttributeTest, PassesAllButAmpersandsAndQuotes) {
  EXPECT_EQ(escape_attribute("?a=1&b=\"'<\xFF\n"), "?a=1&amp;b=&quot;'<\xFF\n");
  EXPECT_EQ(escape_attribute(""), "");
}

TEST(EscapeHtmlTest, EscapesWhatMeansSomething) {
  EXPECT_EQ(escape_html("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST(EscapeHtmlTest, MakesVisibleWhatTurnsTheOrderOfReading) {
  EXPECT_EQ(escape_html("a\xE2\x80\xAE"
                        "b"),
            "a\\u{202e}b");
  EXPECT_EQ(escape_html(std::string("\0\n\xFF", 3)), "\\x00\\x0a\\xff");
  EXPECT_EQ(escape_html("caf\xC3\xA9"), "caf\xC3\xA9");
}

TEST(EscapeXmlTest, ReplacesWhatXmlDoesNotKnow) {
  EXPECT_EQ(escape_xml("<\xEF\xBF\xBE\xEF\xBF\xBF>"), "&lt;\xEF\xBF\xBD\xEF\xBF\xBD&gt;");
  EXPECT_EQ(escape_html("\xEF\xBF\xBE"), "\xEF\xBF\xBE");
}

}  // namespace
}  // namespace gossamer::base
