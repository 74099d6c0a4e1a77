#include "base/hash.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/random.h"

namespace gossamer::base {
namespace {

constexpr std::string_view kUrl =
    "https://crawler.example/articles/2024/02/29/leap-day.html?page=2";

// From the program xxhsum (-H3).
TEST(Hash, Of64BitsIsTheXxh3ThatOthersCompute) {
  EXPECT_EQ(hash64(""), 0x2d06800538d394c2u);
  EXPECT_EQ(hash64("a"), 0xe6c632b61e964e1fu);
  EXPECT_EQ(hash64("abc"), 0x78af5f94892f3950u);
  EXPECT_EQ(hash64(kUrl), 0xb9841b6a7ba606c8u);
  EXPECT_EQ(hash64(std::string(1024, 'a')), 0x4a5d6b09a9587a1cu);
}

// From the program xxhsum (-H2).
TEST(Hash, Of128BitsIsTheXxh3ThatOthersCompute) {
  EXPECT_EQ(hash128(""), (Hash128{0x99aa06d3014798d8, 0x6001c324468d497f}));
  EXPECT_EQ(hash128("abc"), (Hash128{0x06b05ab6733a6185, 0x78af5f94892f3950}));
  EXPECT_EQ(hash128(kUrl), (Hash128{0xb44b079dac1fb6ae, 0x38f07918036a0a92}));
  EXPECT_EQ(hash128(std::string(1024, 'a')), (Hash128{0x52628c92ccb24275, 0x4a5d6b09a9587a1c}));
}

TEST(Hash, IsTheSameForTextAndForBytes) {
  EXPECT_EQ(hash64(as_bytes(kUrl), 5), hash64(kUrl, 5));
  EXPECT_EQ(hash128(as_bytes(kUrl), 5), hash128(kUrl, 5));
}

TEST(Hash, NeedsNoAddressForAnEmptyView) {
  EXPECT_EQ(hash64(std::string_view()), hash64(""));
  EXPECT_EQ(hash128(Bytes()), hash128(""));
}

TEST(Hash, DependsOnTheSeed) {
  EXPECT_NE(hash64(kUrl, 1), hash64(kUrl, 2));
  EXPECT_NE(hash128(kUrl, 1), hash128(kUrl, 2));
}

TEST(Hash, OrdersItsHighHalfFirst) {
  EXPECT_LT((Hash128{1, 9}), (Hash128{2, 0}));
  EXPECT_LT((Hash128{1, 8}), (Hash128{1, 9}));
}

TEST(Hasher, GivesTheHashOfTheWholeHoweverItIsCut) {
  Random random(31);
  for (int round = 0; round < 50; ++round) {
    std::string text(random.below(5000), '\0');
    for (char& c : text) c = static_cast<char>(random.below(256));
    const std::uint64_t seed = random.next();
    Hasher64 hasher(seed);
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::size_t size = 1 + random.below(rest.size());
      hasher.update(rest.substr(0, size));
      rest.remove_prefix(size);
    }
    ASSERT_EQ(hasher.digest(), hash64(text, seed));
  }
}

TEST(Hasher, ContinuesAfterADigestAndRestartsAfterAReset) {
  Hasher64 hasher;
  EXPECT_EQ(hasher.digest(), hash64(""));
  hasher.update("ab");
  EXPECT_EQ(hasher.digest(), hash64("ab"));
  hasher.update(as_bytes("c"));
  EXPECT_EQ(hasher.digest(), hash64("abc"));
  hasher.reset(7);
  hasher.update("a");
  EXPECT_EQ(hasher.digest(), hash64("a", 7));
}

TEST(Hasher, CanBeMovedInTheMiddle) {
  Hasher64 from;
  from.update("ab");
  Hasher64 to = std::move(from);
  to.update("c");
  EXPECT_EQ(to.digest(), hash64("abc"));
}

}  // namespace
}  // namespace gossamer::base
