// Style sheets with faults, read as the standard says.
// https://drafts.csswg.org/css-syntax-3/#tokenization

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "html/links/css_urls.h"

namespace gossamer::html {
namespace {

using std::string_view_literals::operator""sv;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> addresses_in(std::string_view css) {
  CssUrls reader(css);
  std::vector<std::string> found;
  while (reader.next()) {
    found.push_back((reader.is_import() ? "@" : "") + std::string(reader.url()));
  }
  return found;
}

TEST(CssUrlsFaults, AStringEndsAtItsLine) {
  for (const char* newline : {"\n", "\r", "\f"}) {
    EXPECT_THAT(addresses_in("@import 'a" + std::string(newline) + "; @import 'b'"),
                ElementsAre("@b"));
  }
  EXPECT_THAT(addresses_in("@import \"a"), ElementsAre("@a")) << "the end of the text ends it well";
}

TEST(CssUrlsFaults, AnEscapedLineEndContinuesAString) {
  EXPECT_THAT(addresses_in("@import 'a\\\nb'; @import 'c\\\r\nd'; @import 'e\\\rf\\\fg'"),
              ElementsAre("@ab", "@cd", "@efg"));
}

TEST(CssUrlsFaults, AStringHoldsTheOtherQuote) {
  EXPECT_THAT(addresses_in("@import 'a\"b'; @import \"c'd\""), ElementsAre("@a\"b", "@c'd"));
}

TEST(CssUrlsFaults, ABackslashAtTheEndOfAStringIsNothing) {
  EXPECT_THAT(addresses_in("@import 'a\\"), ElementsAre("@a"));
}

TEST(CssUrlsFaults, NulIsTheReplacementCharacter) {
  EXPECT_THAT(addresses_in("@import 'a\0b'; c{d:url(e\0f)}"sv), ElementsAre("@a\xEF\xBF\xBD"
                                                                            "b",
                                                                            "e\xEF\xBF\xBD"
                                                                            "f"));
}

TEST(CssUrlsFaults, HexEscapesTakeSixDigitsAndOneSpace) {
  EXPECT_THAT(addresses_in("url(\\41 b)"), ElementsAre("Ab"));
  EXPECT_THAT(addresses_in("url(\\0000411)"), ElementsAre("A1"));
  EXPECT_THAT(addresses_in("url(\\000041 1)"), ElementsAre("A1"));
  EXPECT_THAT(addresses_in("url(\\41\r\nb)"), ElementsAre("Ab"));
  EXPECT_THAT(addresses_in("url(\\41\tb)"), ElementsAre("Ab"));
  EXPECT_THAT(addresses_in("url(\\4A\\4a\\6F)"), ElementsAre("JJo"));
  EXPECT_THAT(addresses_in("url(\\41  b)"), IsEmpty()) << "the second space is one in the address";
}

TEST(CssUrlsFaults, EscapesOfNoCharacterAreTheReplacementCharacter) {
  const char* const kReplacement = "\xEF\xBF\xBD";
  EXPECT_THAT(addresses_in("url(\\0)"), ElementsAre(kReplacement));
  EXPECT_THAT(addresses_in("url(\\d800)"), ElementsAre(kReplacement));
  EXPECT_THAT(addresses_in("url(\\dfff)"), ElementsAre(kReplacement));
  EXPECT_THAT(addresses_in("url(\\110000)"), ElementsAre(kReplacement));
  EXPECT_THAT(addresses_in("url(\\10ffff)"), ElementsAre("\xF4\x8F\xBF\xBF"));
  EXPECT_THAT(addresses_in("url(\\d7ff)"), ElementsAre("\xED\x9F\xBF"));
  EXPECT_THAT(addresses_in("url(\\e000)"), ElementsAre("\xEE\x80\x80"));
  EXPECT_THAT(addresses_in("url(\\"), ElementsAre(kReplacement));
}

TEST(CssUrlsFaults, AnEscapedLetterIsThatLetter) {
  EXPECT_THAT(addresses_in("url(\\g\\(\\)\\'\\ )"), ElementsAre("g()' "));
  EXPECT_THAT(addresses_in("\\75 \\72 \\6c(a)"), ElementsAre("a"));
  EXPECT_THAT(addresses_in("@\\69mport 'a'"), ElementsAre("@a"));
}

TEST(CssUrlsFaults, ABadAddressEndsAtItsBracket) {
  EXPECT_THAT(addresses_in("url(a b) url(c)"), ElementsAre("c"));
  EXPECT_THAT(addresses_in("url(a\"b) url(c)"), ElementsAre("c"));
  EXPECT_THAT(addresses_in("url(a(b) url(c)"), ElementsAre("c"));
  EXPECT_THAT(addresses_in("url(a\x01z) url(c)"), ElementsAre("c"));
  EXPECT_THAT(addresses_in("url(a\x7Fz) url(c)"), ElementsAre("c"));
  EXPECT_THAT(addresses_in("url(a\\\nz) url(c)"), ElementsAre("c"));
  EXPECT_THAT(addresses_in("url(a b\\) url(c) url(d)"), ElementsAre("d"))
      << "an escaped bracket does not end it";
  EXPECT_THAT(addresses_in("url(a b"), IsEmpty());
}

TEST(CssUrlsFaults, AnAddressEndsWithTheText) {
  EXPECT_THAT(addresses_in("url(a"), ElementsAre("a"));
  EXPECT_THAT(addresses_in("url(a "), ElementsAre("a"));
  EXPECT_THAT(addresses_in("url('a'"), ElementsAre("a"));
  EXPECT_THAT(addresses_in("url('a' "), ElementsAre("a"));
  EXPECT_THAT(addresses_in("url('a"), ElementsAre("a"));
  EXPECT_THAT(addresses_in("url("), ElementsAre(""));
}

TEST(CssUrlsFaults, OnlyAtBeginsAnImport) {
  EXPECT_THAT(addresses_in("#import 'a'; import 'b'; @imports 'c'; @import-x 'd'"), IsEmpty());
  EXPECT_THAT(addresses_in("@IMPORT 'a'; @Import\t'b'"), ElementsAre("@a", "@b"));
}

TEST(CssUrlsFaults, AnImportIsFollowedByItsAddress) {
  EXPECT_THAT(addresses_in("@import /* a */ 'b'"), ElementsAre("@b"));
  EXPECT_THAT(addresses_in("@import ; 'a'"), IsEmpty());
  EXPECT_THAT(addresses_in("@import x 'a'"), IsEmpty());
  EXPECT_THAT(addresses_in("@import x url(a)"), ElementsAre("a")) << "an address, but no import";
  EXPECT_THAT(addresses_in("@import 'a' 'b'"), ElementsAre("@a"));
  EXPECT_THAT(addresses_in("@import url(a) url(b)"), ElementsAre("@a", "b"));
}

TEST(CssUrlsFaults, AQuotedAddressStandsAlone) {
  EXPECT_THAT(addresses_in("url('a' 'b') url('c' /* d */ ) url(e)"), ElementsAre("c", "e"));
}

TEST(CssUrlsFaults, ACommentEndsAtItsEnd) {
  EXPECT_THAT(addresses_in("/* url(a) **/url(b)/**/url(c)/*/url(d)*/"), ElementsAre("b", "c"));
  EXPECT_THAT(addresses_in("/url(a)"), ElementsAre("a"));
  EXPECT_THAT(addresses_in("/* url(a)"), IsEmpty());
}

TEST(CssUrlsFaults, ACustomPropertyEndsWhereItsBlockDoes) {
  EXPECT_THAT(addresses_in("a{--b:url(#c)}d{e:url(#f)}"), ElementsAre("#f"));
  EXPECT_THAT(addresses_in("a{--b:(;url(#c));d:url(#e)}"), ElementsAre("#e"));
  EXPECT_THAT(addresses_in("a{--b:[;{;}url(#c)];d:url(#e)}"), ElementsAre("#e"));
  EXPECT_THAT(addresses_in("a{--b url(#c)}"), ElementsAre("#c")) << "no property without a colon";
  EXPECT_THAT(addresses_in("a{--b /* c */ : url(#d)}"), IsEmpty());
}

TEST(CssUrlsFaults, ReadingInStepsFindsTheSame) {
  const std::string css = "a{b:url(c)} /* " + std::string(500, 'x') + " */ d{e:url(f)}";
  CssUrls reader(css);
  std::vector<std::string> found;
  std::size_t steps = 0;
  while (!reader.is_over()) {
    ++steps;
    if (reader.next(16)) found.emplace_back(reader.url());
  }
  EXPECT_THAT(found, ElementsAre("c", "f"));
  EXPECT_GT(steps, 2u);
}

TEST(CssUrlsFaults, WhatCannotHaveAddressesIsSeenQuickly) {
  EXPECT_FALSE(CssUrls::may_have_urls("a{b:c(d);e:f}"));
  EXPECT_FALSE(CssUrls::may_have_urls("@media x{}"));
  EXPECT_FALSE(CssUrls::may_have_urls("(l"));
  EXPECT_TRUE(CssUrls::may_have_urls("URL("));
  EXPECT_TRUE(CssUrls::may_have_urls("@I"));
  EXPECT_TRUE(CssUrls::may_have_urls("\\75rl"));
  EXPECT_FALSE(CssUrls::may_have_urls("@"));
}

}  // namespace
}  // namespace gossamer::html
