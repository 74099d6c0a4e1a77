#include "engine/page/similar_pages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/simulated/world.h"

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

// A sketch with this digest whose values have nothing in common with those of another seed.
content::TextSketch sketch_of(std::uint64_t digest, std::uint8_t seed) {
  content::TextSketch sketch{.digest = digest, .values = {}};
  for (std::size_t i = 0; i < sketch.values.size(); ++i) {
    sketch.values[i] = static_cast<std::uint8_t>(seed + i * 7);
  }
  return sketch;
}

TEST(SimilarPages, ATextWithTheSameDigestIsTheSame) {
  constexpr std::uint64_t kDigest = 0x1234'5678'9ABC'DEF0;
  SimilarPages pages;
  EXPECT_EQ(pages.put(sketch_of(kDigest, 1), "https://a.example/1"), std::nullopt);
  EXPECT_EQ(pages.put(sketch_of(kDigest, 2), "https://a.example/2"), "https://a.example/1");
  EXPECT_EQ(pages.put(sketch_of(kDigest + (1ULL << 32), 3), "https://a.example/3"), std::nullopt)
      << "only half of it is the same";
}

TEST(SimilarPages, UsesAllOfItsMemory) {
  constexpr std::string_view kUrl = "https://a.example/1";
  SimilarPages enough(400 + kUrl.size());
  enough.put(sketch_of(1, 1), kUrl);
  EXPECT_EQ(enough.size(), 1U);
  SimilarPages too_little(400 + kUrl.size() - 1);
  too_little.put(sketch_of(1, 1), kUrl);
  EXPECT_EQ(too_little.size(), 0U);
}

class SimilarSinkTest : public testing::Test {
 protected:
  // Keeps the records.
  class Kept final : public PageSink {
   public:
    async::Task<Result<void>> put(Page page) override {
      records.push_back(std::move(page.record));
      co_return {};
    }
    std::vector<FetchRecord> records;
  };

  static FetchRecord record(std::string url, int text, int status = 200) {
    FetchRecord record;
    record.url = std::move(url);
    record.status = status;
    if (text > 0) record.sketch = content::text_sketch(words(200, text * 1000));
    return record;
  }
  // Returns the page that it is similar to.
  std::string put(FetchRecord given) {
    Page page;
    page.record = std::move(given);
    EXPECT_TRUE(world.run(sink.put(std::move(page))));
    return kept.records.back().similar_to;
  }

  sim::World world{sim::calm_options()};
  Kept kept;
  SimilarSink sink{kept, 1'000'000};
};

TEST_F(SimilarSinkTest, SaysWhichPageIsNearlyTheSame) {
  EXPECT_EQ(put(record("http://a.example/1", 1)), "");
  EXPECT_EQ(put(record("http://a.example/2", 2)), "");
  EXPECT_EQ(put(record("http://a.example/3", 1)), "http://a.example/1");
  EXPECT_EQ(put(record("http://a.example/4", 0)), "") << "it has no text";
  EXPECT_EQ(kept.records.size(), 4U);
}

TEST_F(SimilarSinkTest, RemembersTheFirstPagesOfAnEarlierProcess) {
  sink.remember(record("http://a.example/1", 1));
  FetchRecord similar = record("http://a.example/2", 2);
  similar.similar_to = "http://a.example/0";
  sink.remember(similar);
  sink.remember(record("http://a.example/3", 0));
  EXPECT_EQ(put(record("http://a.example/4", 1)), "http://a.example/1");
  EXPECT_EQ(put(record("http://a.example/5", 2)), "") << "it is the first of those left";
}

TEST_F(SimilarSinkTest, APageThatDidNotChangeHasItsFormerText) {
  EXPECT_EQ(put(record("http://a.example/0", 0, 304)), "") << "nothing is known of former texts";
  std::vector<std::string> asked;
  sink.on_unchanged([&asked](std::string_view url) {
    asked.emplace_back(url);
    return content::text_sketch(words(200, 1000));
  });
  EXPECT_EQ(put(record("http://a.example/1", 1)), "");
  EXPECT_EQ(put(record("http://a.example/2", 0, 304)), "http://a.example/1");
  EXPECT_EQ(put(record("http://a.example/3", 0, 305)), "");
  EXPECT_EQ(asked, std::vector<std::string>{"http://a.example/2"});
}

}  // namespace
}  // namespace gossamer::crawler
