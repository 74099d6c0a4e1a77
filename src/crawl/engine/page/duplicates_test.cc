#include "engine/page/duplicates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace gossamer::crawler {
namespace {

using First = std::optional<std::string_view>;

// As spread out as real ones.
std::uint64_t digest(std::uint64_t number) { return number * 0x9E3779B97F4A7C15ULL; }

TEST(Duplicates, ReturnsTheFirstUrlOfABody) {
  Duplicates duplicates;
  EXPECT_EQ(duplicates.put(1, 10, "http://a.example/1"), std::nullopt);
  EXPECT_EQ(duplicates.put(2, 10, "http://a.example/2"), std::nullopt);
  EXPECT_EQ(duplicates.put(1, 10, "http://a.example/3"), First("http://a.example/1"));
  EXPECT_EQ(duplicates.put(1, 10, "http://a.example/4"), First("http://a.example/1"));
  EXPECT_EQ(duplicates.put(2, 10, "http://a.example/5"), First("http://a.example/2"));
}

TEST(Duplicates, EmptyBodiesAreNotCopies) {
  Duplicates duplicates;
  EXPECT_EQ(duplicates.put(1, 0, "http://a.example/1"), std::nullopt);
  EXPECT_EQ(duplicates.put(1, 0, "http://a.example/2"), std::nullopt);
}

TEST(Duplicates, BodiesOfDifferentSizesAreDifferentWhateverTheirDigests) {
  Duplicates duplicates;
  EXPECT_EQ(duplicates.put(1, 10, "http://a.example/1"), std::nullopt);
  EXPECT_EQ(duplicates.put(1, 11, "http://a.example/2"), std::nullopt);
}

TEST(Duplicates, AUrlIsNotACopyOfItself) {
  Duplicates duplicates;
  EXPECT_EQ(duplicates.put(1, 10, "http://a.example/1"), std::nullopt);
  EXPECT_EQ(duplicates.put(1, 10, "http://a.example/1"), std::nullopt);
}

TEST(Duplicates, RemembersManyAndStopsAtItsBound) {
  Duplicates duplicates;
  const std::string padding(1000, 'x');
  for (std::uint64_t i = 1; i <= 80'000; ++i) {
    EXPECT_EQ(duplicates.put(digest(i), 10, fmt::format("http://a.example/{}/{}", i, padding)),
              std::nullopt);
  }
  EXPECT_EQ(duplicates.put(digest(1), 10, "http://b.example/"),
            First("http://a.example/1/" + padding));
  EXPECT_EQ(duplicates.put(digest(80'000), 10, "http://b.example/"), std::nullopt)
      << "beyond 64 MiB";
}

TEST(SoftNotFound, RequestsOneProbeAfterManyCopies) {
  SoftNotFound soft;
  EXPECT_FALSE(soft.counts_copy("http://a.example", 1));
  EXPECT_FALSE(soft.counts_copy("http://a.example", 1));
  EXPECT_FALSE(soft.counts_copy("http://a.example", 1));
  EXPECT_TRUE(soft.counts_copy("http://a.example", 1));
  EXPECT_FALSE(soft.counts_copy("http://a.example", 1));
}

TEST(SoftNotFound, CountsEachOriginAndEachBodySeparately) {
  SoftNotFound soft;
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(soft.counts_copy("http://a.example", 1));
    EXPECT_FALSE(soft.counts_copy("http://b.example", 1));
    EXPECT_FALSE(soft.counts_copy("http://a.example", 2));
  }
}

TEST(SoftNotFound, RemembersTheResultOfTheProbe) {
  SoftNotFound soft;
  soft.learn("http://a.example", 1);
  EXPECT_TRUE(soft.is_soft_404("http://a.example", 1));
  EXPECT_FALSE(soft.is_soft_404("http://a.example", 2));
  EXPECT_FALSE(soft.is_soft_404("https://a.example", 1));
}

constexpr std::uint64_t kSoftEntriesMax = 200'000;

TEST(SoftNotFound, LearnsUpToItsBound) {
  SoftNotFound soft;
  for (std::uint64_t i = 1; i <= kSoftEntriesMax + 1; ++i)
    soft.learn("http://a.example", digest(i));
  EXPECT_TRUE(soft.is_soft_404("http://a.example", digest(kSoftEntriesMax)));
  EXPECT_FALSE(soft.is_soft_404("http://a.example", digest(kSoftEntriesMax + 1)));
}

TEST(SoftNotFound, CountsAgainWhenThereAreTooManyBodies) {
  for (const std::uint64_t others : {kSoftEntriesMax - 2, kSoftEntriesMax - 1}) {
    SoftNotFound soft;
    for (int i = 0; i < 3; ++i) soft.counts_copy("http://a.example", digest(0));
    for (std::uint64_t i = 1; i <= others; ++i) soft.counts_copy("http://a.example", digest(i));
    const bool is_remembered = others < kSoftEntriesMax - 1;
    EXPECT_EQ(soft.counts_copy("http://a.example", digest(0)), is_remembered);
  }
}

}  // namespace
}  // namespace gossamer::crawler
