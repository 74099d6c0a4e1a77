#include "html/byte_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "html/scan.h"

namespace gossamer::html {
namespace {

TEST(ByteIndex, AgreesWithLookingAtEveryByte) {
  base::Random random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = random.below(ByteIndex::kBytesMax + 200);
    const std::uint64_t spread = 1 + random.below(40);
    const auto text = std::make_unique_for_overwrite<char[]>(size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t drawn = random.below(spread + 2);
      text[i] = drawn == 0 ? '<' : drawn == 1 ? '"' : 'x';
    }
    ByteIndex index;
    index.build(text.get(), text.get() + size);
    const std::size_t covered = std::min(size, ByteIndex::kBytesMax);
    ASSERT_EQ(index.end(), text.get() + covered);
    std::size_t number = 0;
    for (std::size_t i = 0; i < covered; ++i) {
      if (text[i] == '<') {
        ASSERT_LT(number, index.count());
        ASSERT_EQ(index.less_than(number++), &text[i]);
      }
      const char* const quote = std::find(&text[i], text.get() + covered, '"');
      ASSERT_EQ(index.quote(&text[i]), quote) << i << " of " << size;
    }
    ASSERT_EQ(number, index.count());
  }
}

TEST(FindAny, FindsTheFirstOfSeveralBytesAndNothingBeyondTheEnd) {
  for (std::size_t size = 0; size < 70; ++size) {
    for (std::size_t at = 0; at <= size; ++at) {
      const auto text = std::make_unique_for_overwrite<char[]>(size);
      std::fill_n(text.get(), size, 'x');
      if (at < size) text[at] = at % 2 == 0 ? '&' : '\r';
      EXPECT_EQ(find_any(text.get(), text.get() + size, '&', '\r', '\0'), text.get() + at);
    }
  }
}

}  // namespace
}  // namespace gossamer::html
