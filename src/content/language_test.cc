#include "content/language.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gossamer::content {
namespace {

TEST(Language, IsFoundByScriptAndFrequentWords) {
  const std::vector<std::pair<std::string_view, std::string_view>> texts = {
#include "content/language_samples.inc"
  };
  for (const auto& [code, text] : texts) EXPECT_EQ(detect_language(text), code) << text;
}

TEST(Language, IsUnknownWithoutEvidence) {
  EXPECT_EQ(detect_language(""), "");
  EXPECT_EQ(detect_language("Home"), "");
  EXPECT_EQ(detect_language("123 456 789, 12 + 4 = 16"), "");
  EXPECT_EQ(detect_language("xyzzy plugh frobnicate quux corge grault garply waldo fred"), "");
  EXPECT_EQ(detect_language("\xFF\xFE\x80\x80 \xC3"), "");
  EXPECT_EQ(
      detect_language("\xC3\x90\xC2\xB4\xC3\x90\xC2\xB8\xC3\x90\xC2\xB5 \xC3\x91\xC2\x82 \xC3\x90"),
      "")
      << "a wrong encoding";
}

TEST(Language, IsFoundInTheBeginningOfALongText) {
  std::string text;
  while (text.size() < kLanguageBytesMax) text += "This is the text of a page that is long. ";
  for (int i = 0; i < 100'000; ++i) text += "und der die das nicht ";
  EXPECT_EQ(detect_language(text), "en");
}

TEST(Words, AreRunsOfLettersAndSigns) {
  EXPECT_EQ(count_words("One two-three, don\xE2\x80\x99t \xE2\x80\x94 4.5"), 6u);
  EXPECT_EQ(count_words("\xE6\xB0\xB4\xE5\xA3\xB6 ab"), 3u);
  EXPECT_EQ(count_words(" ... \xFF "), 1u) << "a damaged character may be a word";
  EXPECT_EQ(count_words(""), 0u);
}

}  // namespace
}  // namespace gossamer::content
