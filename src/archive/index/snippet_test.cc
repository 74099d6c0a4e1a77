#include "index/snippet.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::index {
namespace {

// The marks as brackets.
std::string shown(const MarkedText& marked) {
  std::string out = marked.text;
  for (auto mark = marked.marks.rbegin(); mark != marked.marks.rend(); ++mark) {
    out.insert(mark->end, "]");
    out.insert(mark->begin, "[");
  }
  return out;
}

std::string snippet(std::string_view text, std::string_view query, std::size_t bytes = 60) {
  Stemmers stemmers;
  const QueryWords words(*parse_query(query), stemmers);
  return shown(make_snippet(text, words, words.matcher("en"), bytes));
}

TEST(Snippet, ShowsWhereTheWordsAre) {
  const std::string text =
      std::string(500, 'x') + " before the running dog after " + std::string(500, 'y');
  EXPECT_EQ(snippet(text, "run dog", 48), "\u2026before the [running dog] after\u2026");
}

TEST(Snippet, PrefersAPlaceWithAllWords) {
  std::string text = "amber amber amber amber. ";
  text += std::string(300, '.') + " here amber and quartz meet " + std::string(300, '.');
  EXPECT_EQ(snippet(text, "amber quartz", 40), "\u2026here [amber] and [quartz] meet\u2026");
}

TEST(Snippet, MarksWholePhrasesOnly) {
  EXPECT_EQ(snippet("red rose, red stone, stone red", "\"red stone\""),
            "red rose, [red stone], stone red");
  EXPECT_EQ(snippet("red stones", "\"red stone\""), "red stones");
}

TEST(Snippet, IsTheBeginningIfNothingMatches) {
  EXPECT_EQ(snippet("some words without a match at all", "zebra", 12), "some words\u2026");
  EXPECT_EQ(snippet("", "zebra"), "");
}

TEST(Snippet, ReplacesControlCharactersAndKeepsCharactersWhole) {
  EXPECT_EQ(snippet("a\nb\x1B[31m\u0085 zebra", "zebra"), "a b [31m   [zebra]");
  std::string text;
  for (int i = 0; i < 200; ++i) text += "\u00E4";
  EXPECT_EQ(snippet(text, "zebra", 11), "\u00E4\u00E4\u00E4\u00E4\u00E4\u2026");
}

TEST(Snippet, MarksIdeographs) {
  EXPECT_EQ(snippet("\u3053\u308C\u306F\u81EA\u7136\u8A00\u8A9E\u51E6\u7406\u3067\u3059",
                    "\u81EA\u7136\u8A00\u8A9E"),
            "\u3053\u308C\u306F[\u81EA\u7136\u8A00\u8A9E]\u51E6\u7406\u3067\u3059");
}

TEST(Snippet, FindsAWordLateInALongText) {
  std::string text;
  while (text.size() < 100'000) text += "filler words ";
  text += "zebra here";
  EXPECT_EQ(snippet(text, "zebra", 24), "\u2026words [zebra] here");
}

TEST(Snippet, CutsWordsThatAreLongerThanIt) {
  std::string text = "before ";
  for (int i = 0; i < 1000; ++i) text += "d\u00E9adbeef";
  const std::string shown = snippet(text, "deadbe*", 60);
  EXPECT_LE(shown.size(), 70U);
  EXPECT_TRUE(shown.starts_with("before [d\u00E9adbeef")) << shown;
  EXPECT_TRUE(shown.ends_with("]\u2026")) << shown;
}

}  // namespace
}  // namespace gossamer::index
