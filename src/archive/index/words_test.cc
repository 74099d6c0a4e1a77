#include "index/words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "index/fold.h"
#include "index/page_text.h"
#include "index/stemmer.h"

namespace gossamer::index {
namespace {

std::vector<std::string> words(std::string_view text,
                               WordReader::Mode mode = WordReader::Mode::document) {
  std::vector<std::string> found;
  WordReader reader(text, mode);
  while (reader.next()) {
    found.push_back((reader.is_colocated() ? "=" : "") + std::string(reader.word()));
  }
  return found;
}

using Words = std::vector<std::string>;

TEST(WordReader, SeparatesWordsAtSignsAndLowersThem) {
  EXPECT_EQ(words("Hello, World! std::vector foo_bar 3.11"),
            (Words{"hello", "world", "std", "vector", "foo", "bar", "3", "11"}));
  EXPECT_EQ(words(""), Words{});
  EXPECT_EQ(words(" - * : \" "), Words{});
}

TEST(WordReader, FoldsAccentsWidthsAndLigatures) {
  EXPECT_EQ(words("\u00DCn\u00EFcode CAF\u00C9 Stra\u00DFe \uFB01ne \uFF21\uFF22\uFF23"),
            (Words{"unicode", "cafe", "strasse", "fine", "abc"}));
  // Decomposed accents.
  EXPECT_EQ(words("cafe\u0301 a\u0308b"), (Words{"cafe", "ab"}));
  EXPECT_EQ(words("\u041A\u0440\u0430\u0441\u043D\u044B\u0439 \u0401\u043B\u043A\u0430"),
            (Words{"\u043A\u0440\u0430\u0441\u043D\u044B\u0439", "\u0435\u043B\u043A\u0430"}));
}

TEST(WordReader, ComposesLettersAndTheirMarks) {
  EXPECT_EQ(words("\u0438\u0306\u043E\u0434"), words("\u0439\u043E\u0434"));
  EXPECT_EQ(words("\u1112\u1161\u11AB\u1100\u116E\u11A8"), words("\uD55C\uAD6D"));
  EXPECT_EQ(words("\u304B\u3099\u304D\u3099"), words("\u304C\u304E"));
  EXPECT_EQ(words("\uFF76\uFF9E\uFF8A\uFF9F"), words("\u30AC\u30D1"));
  EXPECT_EQ(words("\u1FA0\u03B4\u03AE"), words("\u03C9\u03B4\u03AE"));
}

TEST(WordReader, JoinsWordsAtSoftHyphens) {
  EXPECT_EQ(words("Donau\u00ADdampf zero\u200Bwidth"), (Words{"donaudampf", "zerowidth"}));
}

TEST(WordReader, PairsCharactersOfScriptsWithoutSpaces) {
  EXPECT_EQ(words("\u81EA\u7136\u8A00\u8A9E"),
            (Words{"\u81EA\u7136", "\u7136\u8A00", "\u8A00\u8A9E", "=\u8A9E"}));
  EXPECT_EQ(words("\u81EA\u7136\u8A00\u8A9E", WordReader::Mode::query),
            (Words{"\u81EA\u7136", "\u7136\u8A00", "\u8A00\u8A9E"}));
  EXPECT_EQ(words("\u72AC"), Words{"\u72AC"});
  EXPECT_EQ(words("\u72AC", WordReader::Mode::query), Words{"\u72AC"});
  EXPECT_EQ(words("\u6771\u4EACtower\u6771"),
            (Words{"\u6771\u4EAC", "=\u4EAC", "tower", "\u6771"}));
  EXPECT_EQ(words("\uD55C\uAD6D\uC5B4"), (Words{"\uD55C\uAD6D", "\uAD6D\uC5B4", "=\uC5B4"}));
  EXPECT_EQ(words("\u304C\u304E"), (Words{"\u304C\u304E", "=\u304E"}));
}

TEST(WordReader, TellsWhereAWordIs) {
  const std::string text = "Ab, \u00D6l";
  WordReader reader(text);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text.substr(reader.begin(), reader.end() - reader.begin()), "Ab");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text.substr(reader.begin(), reader.end() - reader.begin()), "\u00D6l");
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next());
}

TEST(WordReader, SurvivesInvalidBytes) {
  EXPECT_EQ(words("a\xFF b\xC3"), (Words{"a", "b"}));
  EXPECT_EQ(words("\xE3\x81"), Words{});
}

TEST(WordReader, CutsLongWords) {
  const auto found = words(std::string(1000, 'x'));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].size(), kWordBytesMax);
}

TEST(WordReader, FoldsAWordIntoItself) {
  for (const char* const text : {"\u00FCn\u00EFcode", "Stra\u00DFe", "\u0418\u0419", "\uFB03",
                                 "\u0130stanbul", "\u038C\u03A3\u039F\u03A3", "\uFF76\uFF9E"}) {
    for (const std::string& word : words(text)) {
      if (word.starts_with('=')) continue;
      EXPECT_EQ(words(word, WordReader::Mode::query), Words{word}) << text;
    }
  }
}

TEST(Stemmer, ReducesWordsByTheRulesOfTheirLanguage) {
  Stemmers stemmers;
  EXPECT_EQ(stemmers.of("en").stem("running"), "run");
  EXPECT_EQ(stemmers.of("en").stem("running"), "run");  // from the cache
  EXPECT_EQ(stemmers.of("de").stem("hauser"), stemmers.of("de").stem("haus"));
  EXPECT_EQ(stemmers.of("xx").stem("running"), "running");
  EXPECT_FALSE(stemmers.of("").has_rules());
}

TEST(Stemmer, LeavesWordsWithDigitsAlone) {
  Stemmers stemmers;
  EXPECT_EQ(stemmers.of("en").stem("sha256es"), "sha256es");
}

TEST(SiteKey, OrdersHostsBelowTheirDomain) {
  EXPECT_EQ(site_key("www.example.com"), "com,example,www,");
  EXPECT_TRUE(site_key("a.example.com").starts_with(site_key("example.com")));
  EXPECT_FALSE(site_key("badexample.com").starts_with(site_key("example.com")));
  EXPECT_EQ(site_key("127.0.0.1", "8080"), "127.0.0.1,:8080,");
  EXPECT_EQ(site_key("a.node1"), "node1,a,");
  EXPECT_EQ(site_key("[::1]"), "[::1],");
}

TEST(PageText, SeparatesTheMainTextFromTheRest) {
  std::string page =
      "<html lang=en-GB><title> A  title </title><body><nav><a href=/>Home menu</a></nav>";
  page += "<article><h1>Heading</h1>";
  for (int i = 0; i < 8; ++i) {
    page += "<p>This is a paragraph of the article, with commas, and it is number " +
            std::to_string(i) + " of those that the reader came for.</p>";
  }
  page += "</article></body></html>";
  const auto url = url::Url::parse("https://a.example/x");
  const PageText text = read_page_text(TextKind::html, page, "", *url);
  EXPECT_EQ(text.title, "A title");
  EXPECT_EQ(text.language, "en");
  EXPECT_NE(text.main.find("number 7 of those"), std::string::npos);
  EXPECT_EQ(text.main.find("Home menu"), std::string::npos);
  EXPECT_NE(text.rest.find("Home menu"), std::string::npos);
  EXPECT_EQ(text.rest.find("number 7 of those"), std::string::npos);
}

TEST(PageText, NamesAPageWithoutATitleAfterItsFile) {
  const auto url = url::Url::parse("https://a.example/papers/A%20report.pdf");
  EXPECT_EQ(read_page_text(TextKind::document, "", "", *url).title, "A report.pdf");
  const auto root = url::Url::parse("https://a.example/");
  EXPECT_EQ(read_page_text(TextKind::html, "", "", *root).title, "a.example");
}

TEST(PageText, DecodesTheEncodingOfThePage) {
  const auto url = url::Url::parse("https://a.example/");
  const PageText text =
      read_page_text(TextKind::html, "<title>K\xE4se</title>", "iso-8859-1", *url);
  EXPECT_EQ(text.title, "K\u00E4se");
}

TEST(TextKind, IsChosenByTypeElseByTheFirstBytes) {
  EXPECT_EQ(text_kind("text/html", ""), TextKind::html);
  EXPECT_EQ(text_kind("", "  <!doctype html>"), TextKind::html);
  EXPECT_EQ(text_kind("", "\x89PNG"), TextKind::none);
  EXPECT_EQ(text_kind("application/pdf", "%PDF"), TextKind::document);
  EXPECT_EQ(text_kind("image/png", "<html>"), TextKind::none);
}

TEST(Stemmers, KeepRulesAfterManyUnknownLanguages) {
  Stemmers stemmers;
  for (char a = 'a'; a <= 'z'; ++a) {
    for (char b = 'a'; b <= 'z'; ++b) stemmers.of(std::string{'q', a, b});
  }
  EXPECT_EQ(stemmers.of("en").stem("running"), "run");
  EXPECT_EQ(stemmers.of("qaa").stem("running"), "running");
}

}  // namespace
}  // namespace gossamer::index
