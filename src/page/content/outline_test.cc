#include "content/outline.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "dom/parse.h"

namespace gossamer::content {
namespace {

// The definition, byte by byte.
TextSize plain_size(std::string_view text) {
  TextSize size;
  bool is_after_space = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_space = static_cast<unsigned char>(text[at]) <= ' ';
    size.bytes += is_space && is_after_space ? 0 : 1;
    is_after_space = is_space;
    const std::string_view rest = text.substr(at);
    for (const std::string_view comma : {",", "\xD8\x8C", "\xEF\xBC\x8C", "\xE3\x80\x81"}) {
      size.commas += rest.starts_with(comma) ? 1 : 0;
    }
  }
  return size;
}

TEST(TextSize, CountsWhiteSpaceOnceAndCommasOfAnyScript) {
  EXPECT_EQ(text_size("").bytes, 0);
  EXPECT_EQ(text_size(" \n ").bytes, 0);
  EXPECT_EQ(text_size(" a,  b ").bytes, 5);
  EXPECT_EQ(text_size("a, b, c").commas, 2);
  EXPECT_EQ(text_size("\xE4\xBD\xA0\xEF\xBC\x8C\xE5\xA5\xBD\xE3\x80\x81").commas, 2);
}

TEST(TextSize, IsTheSameByteByByte) {
  base::Random random(1);
  constexpr std::string_view kBytes = "  ,,ab\t\n!-\x7F\xD8\x8C\xEF\xBC\x8C\xE3\x80\x81\xFF";
  for (std::size_t round = 0; round < 20'000; ++round) {
    std::string text;
    const std::size_t bytes = random.below(40);
    while (text.size() < bytes) text += kBytes[random.below(kBytes.size())];
    const TextSize wanted = plain_size(text);
    const TextSize size = text_size(text);
    ASSERT_EQ(size.bytes, wanted.bytes) << text;
    ASSERT_EQ(size.commas, wanted.commas) << text;
  }
}

// More names than are remembered, and names that share a place in the memory.
TEST(Outline, KnowsTheNamesOfManyElements) {
  std::string page = "<body>";
  for (int i = 0; i < 300; ++i) {
    page += "<div class='box" + std::to_string(i) + "'></div><div class=sidebar></div>";
    page += "<div class='article" + std::to_string(i) + "'></div>";
  }
  const dom::Document document = dom::parse(page);
  const Outline outline(document);
  ASSERT_EQ(outline.size(), 901);
  for (std::size_t at = 1; at < outline.size(); at += 3) {
    EXPECT_FALSE(outline[at].hints.is_extra);
    EXPECT_FALSE(outline[at].hints.is_content);
    EXPECT_TRUE(outline[at + 1].hints.is_extra);
    EXPECT_TRUE(outline[at + 2].hints.is_content);
  }
}

std::vector<std::uint32_t> texts_of(const Outline& outline) {
  std::vector<std::uint32_t> texts;
  for (std::uint32_t at = 0; at < outline.size(); ++at) {
    if (outline[at].is_kept) texts.push_back(outline[at].all.text);
  }
  return texts;
}

// Counts of some elements are not counted again.
TEST(Outline, CountsWhatIsLeftAndWhatWasThere) {
  base::Random random(1);
  for (int round = 0; round < 200; ++round) {
    std::string page = "<body>";
    for (std::size_t i = random.below(30); i > 0; --i) {
      constexpr std::string_view kPieces[] = {"<div>", "</div>", "<p>one", "<a href=x>two</a>",
                                              "<ul><li>three</ul>"};
      page += kPieces[random.below(std::size(kPieces))];
    }
    const dom::Document document = dom::parse(page);
    Outline outline(document);
    const std::vector<std::uint32_t> whole = texts_of(outline);
    for (int time = 0; time < 2; ++time) {
      const auto root = static_cast<std::uint32_t>(random.below(outline.size()));
      if (!outline[root].is_kept) continue;
      outline.prune(root, [&](std::uint32_t at) {
        // What is below it was counted before.
        std::uint32_t text = outline[at].own.text;
        for (std::uint32_t child = at + 1; child < outline[at].end; child = outline[child].end) {
          if (outline[child].is_kept) text += outline[child].all.text;
        }
        EXPECT_EQ(outline[at].all.text, text) << page;
        return random.below(5) == 0;
      });
      std::uint32_t text = outline[root].own.text;
      for (std::uint32_t at = root + 1; at < outline[root].end; ++at) {
        text += outline[at].is_kept ? outline[at].own.text : 0;
      }
      EXPECT_EQ(outline[root].all.text, text) << page;
    }
    outline.restore();
    EXPECT_EQ(texts_of(outline), whole) << page;
  }
}

}  // namespace
}  // namespace gossamer::content
