#include "content/language.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
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

// Words of ASCII are read whole, others character by character.
TEST(Language, DoesNotDependOnWhatSeparatesWords) {
  const std::vector<std::string_view> words = {"the",      "The",      "and",       "with",  "THAT",
                                               "which",    "through",  "nicht",     "einer", "Und",
                                               "zwischen", "pour",     "dans",      "avec",  "x1",
                                               "para",     "Porque",   "tambien",   "los",   "del",
                                               "abcdefg",  "abcdefgh", "abcdefghi", "2026",  "a"};
  std::mt19937 random(7);
  for (int i = 0; i < 2'000; ++i) {
    std::string ascii;
    std::string other;
    for (std::size_t left = 5 + random() % 20; left > 0; --left) {
      const std::string word(words[random() % words.size()]);
      ascii += word + " ";
      other += word + "\xE3\x80\x80";  // an ideographic space
    }
    ascii.pop_back();
    // Without a byte after it: AddressSanitizer sees what is read beyond the text.
    const std::vector<char> exact(ascii.begin(), ascii.end());
    EXPECT_EQ(detect_language({exact.data(), exact.size()}), detect_language(other)) << ascii;
  }
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

TEST(Language, IsNotThatOfAnotherWithSimilarWords) {
  EXPECT_NE(detect_language("Ang mga tao sa bayan ay may isang ilog na malinis, kung saan sila ay "
                            "naglalaba o naliligo, at ang ilog na ito ay mahal sa kanila."),
            "sk");
  EXPECT_EQ(detect_language("Iwwer dem Duerf steet eng al Kierch mat engem groussen Tuerm."), "");
}

TEST(Language, IsUnknownBetweenSimilarOnes) {
  // Asturian has words of several languages that are known, Assamese letters that Bengali lacks.
  EXPECT_EQ(
      detect_language(
          "El llugar ta nel monte y la xente d'ell\u00ED vive de la tierra y del gan\u00E1u que "
          "tien nos "
          "praos. Pela ma\u00F1ana los ne\u00F1os van a la escuela y les muyeres faen el pan nel "
          "fornu vieyu "
          "de la casa. Na nueche tolos vecinos x\u00FAntense pa falar y pa beber sidra, y dalgunos "
          "canten les canciones que los g\u00FCelos-yos ense\u00F1aron cuando yeren mozos."),
      "");
  EXPECT_EQ(detect_language("\u09A8\u09F0\u0995 \u09AE\u09BE\u09A8\u09F1 \u0995\u09F0"), "");
  EXPECT_EQ(detect_language("\u09A8\u09B0\u0995 \u09AE\u09BE\u09A8\u09AC \u0995\u09B0"), "bn");
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
