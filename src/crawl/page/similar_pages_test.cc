#include "crawl/page/similar_pages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace gossamer::crawler {
namespace {

std::string words(int count, int first = 0) {
  std::string text;
  for (int i = first; i < first + count; ++i) text += fmt::format("word{} ", i);
  return text;
}

std::optional<std::string_view> put(SimilarPages& pages, const std::string& text,
                                    std::string_view url) {
  return pages.put(*content::text_sketch(text), url);
}

TEST(SimilarPages, ReturnsTheFirstPageWithThatText) {
  SimilarPages pages;
  EXPECT_EQ(put(pages, words(200), "https://a.example/1"), std::nullopt);
  EXPECT_EQ(put(pages, words(200, 1000), "https://a.example/2"), std::nullopt);
  EXPECT_EQ(put(pages, words(200), "https://a.example/3"), "https://a.example/1");
  EXPECT_EQ(put(pages, words(200, 10), "https://a.example/4"), "https://a.example/1");
  EXPECT_EQ(put(pages, words(200, 1005), "https://a.example/5"), "https://a.example/2");
  EXPECT_EQ(pages.size(), 2U);
}

TEST(SimilarPages, DoesNotComparePagesWithThemselves) {
  SimilarPages pages;
  EXPECT_EQ(put(pages, words(200), "https://a.example/1"), std::nullopt);
  EXPECT_EQ(put(pages, words(200), "https://a.example/1"), std::nullopt);
  EXPECT_EQ(put(pages, words(200, 5), "https://a.example/1"), std::nullopt);
}

// Every page has the same 100 words, and 100 of its own.
TEST(SimilarPages, TellsPagesApartThatShareHalfOfTheirText) {
  SimilarPages pages;
  for (int i = 1; i <= 300; ++i) {
    const std::string url = fmt::format("https://a.example/{}", i);
    ASSERT_EQ(put(pages, words(100) + words(100, i * 1000), url), std::nullopt) << i;
  }
  for (int i = 1; i <= 300; ++i) {
    const std::string url = fmt::format("https://b.example/{}", i);
    ASSERT_EQ(put(pages, words(100) + words(98, i * 1000), url),
              fmt::format("https://a.example/{}", i));
  }
}

TEST(SimilarPages, StaysWithinItsMemory) {
  SimilarPages pages(10 * 420);
  for (int i = 0; i < 100; ++i)
    put(pages, words(50, i * 100), fmt::format("https://a.example/{}", i));
  EXPECT_EQ(pages.size(), 10U);
  EXPECT_EQ(put(pages, words(50), "https://b.example/"), "https://a.example/0");
  EXPECT_EQ(put(pages, words(50, 9900), "https://b.example/"), std::nullopt);
}

}  // namespace
}  // namespace gossamer::crawler
