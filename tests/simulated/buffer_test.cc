#include "tests/simulated/buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "base/random.h"

namespace gossamer::sim {
namespace {

TEST(Buffer, AllocatesNothingBeforeTheFirstByte) {
  Buffer buffer(1000);
  ASSERT_TRUE(buffer.append("").has_value());
  EXPECT_EQ(buffer.capacity(), 0u);
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.text(), "");
  EXPECT_EQ(buffer.room(), 1000u);
}

TEST(Buffer, IsFilledAtTheBackAndEmptiedAtTheFront) {
  Buffer buffer(100);
  ASSERT_TRUE(buffer.append("hello ").has_value());
  ASSERT_TRUE(buffer.append("world").has_value());
  EXPECT_EQ(buffer.text(), "hello world");
  buffer.consume(6);
  EXPECT_EQ(buffer.text(), "world");
  EXPECT_EQ(buffer.room(), 95u);
}

TEST(Buffer, TakesAllOrNothingAtItsLimit) {
  Buffer buffer(5);
  ASSERT_TRUE(buffer.append("abc").has_value());
  const auto refused = buffer.append("def");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error(), Errc::over_limit);
  EXPECT_EQ(buffer.text(), "abc");
  EXPECT_TRUE(buffer.append("de").has_value());
  EXPECT_EQ(buffer.text(), "abcde");
  EXPECT_FALSE(buffer.append("f").has_value());
}

TEST(Buffer, HasRoomAgainAfterConsuming) {
  Buffer buffer(4);
  ASSERT_TRUE(buffer.append("abcd").has_value());
  buffer.consume(3);
  ASSERT_TRUE(buffer.append("efg").has_value());
  EXPECT_EQ(buffer.text(), "defg");
}

TEST(Buffer, RejectsTheFirstByteIfItsLimitIsZero) {
  Buffer buffer(0);
  EXPECT_TRUE(buffer.append("").has_value());
  EXPECT_FALSE(buffer.append("a").has_value());
  EXPECT_EQ(buffer.capacity(), 0u);
}

TEST(Buffer, WithoutAPracticalLimitDoesNotOverflow) {
  Buffer buffer(std::numeric_limits<std::size_t>::max());
  ASSERT_TRUE(buffer.append("abc").has_value());
  EXPECT_FALSE(buffer.prepare(std::numeric_limits<std::size_t>::max()).has_value());
  EXPECT_EQ(buffer.text(), "abc");
}

TEST(Buffer, CanBeReadIntoDirectly) {
  Buffer buffer(100);
  ASSERT_TRUE(buffer.append("ab").has_value());
  const auto spare = buffer.prepare(10);
  ASSERT_TRUE(spare.has_value());
  ASSERT_EQ(spare->size(), 10u);
  std::memcpy(spare->data(), "cdef", 4);
  EXPECT_EQ(buffer.text(), "ab");
  buffer.commit(4);
  EXPECT_EQ(buffer.text(), "abcdef");
  EXPECT_EQ(buffer.prepare(95).error(), Errc::over_limit);
}

TEST(Buffer, KeepsItsMemoryWhenClearedAndGivesItBackWhenReleased) {
  Buffer buffer(100);
  ASSERT_TRUE(buffer.append("abc").has_value());
  buffer.clear();
  EXPECT_TRUE(buffer.empty());
  EXPECT_GT(buffer.capacity(), 0u);
  buffer.release();
  EXPECT_EQ(buffer.capacity(), 0u);
  ASSERT_TRUE(buffer.append("again").has_value());
  EXPECT_EQ(buffer.text(), "again");
}

TEST(Buffer, LeavesAnEmptyOneBehindWhenMoved) {
  Buffer from(100);
  ASSERT_TRUE(from.append("abc").has_value());
  Buffer to = std::move(from);
  EXPECT_EQ(to.text(), "abc");
  // NOLINTBEGIN(bugprone-use-after-move,clang-analyzer-cplusplus.Move): the header promises it
  EXPECT_TRUE(from.empty());
  ASSERT_TRUE(from.append("new").has_value());
  // NOLINTEND(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
  EXPECT_EQ(from.text(), "new");
  from = std::move(to);
  EXPECT_EQ(from.text(), "abc");
}

TEST(BufferDeathTest, DiesWhenMoreIsConsumedThanThereIs) {
  Buffer buffer(10);
  ASSERT_TRUE(buffer.append("abc").has_value());
  EXPECT_DEATH(buffer.consume(4), "CHECK failed");
  EXPECT_DEATH(buffer.commit(11), "CHECK failed");
}

std::string random_text(base::Random& random, std::size_t size) {
  std::string text(size, '\0');
  std::uint64_t value = random.next();
  for (char& c : text) c = static_cast<char>(value++);
  return text;
}

// Applies the same random operations to a buffer and to a plain string.
void hold_against_a_string(std::uint64_t seed) {
  base::Random random(seed);
  const std::size_t bytes_max = random.below(3000);
  Buffer buffer(bytes_max);
  std::string model;
  for (int step = 0; step < 400; ++step) {
    const std::size_t size = random.below(1 + random.below(1 + bytes_max));
    switch (random.below(8)) {
      case 0:
      case 1:
      case 2: {
        const std::string text = random_text(random, size);
        const bool fits = model.size() + size <= bytes_max;
        ASSERT_EQ(buffer.append(text).has_value(), fits);
        if (fits) model += text;
        break;
      }
      case 3: {
        const auto spare = buffer.prepare(size);
        ASSERT_EQ(spare.has_value(), model.size() + size <= bytes_max);
        if (!spare) break;
        const std::string text = random_text(random, random.below(size + 1));
        std::ranges::copy(as_bytes(text), spare->begin());
        buffer.commit(text.size());
        model += text;
        break;
      }
      case 7:
        if (!random.chance(0.05)) break;
        buffer.release();
        model.clear();
        break;
      default: {
        const std::size_t consumed = std::min(size, model.size());
        buffer.consume(consumed);
        model.erase(0, consumed);
      }
    }
    ASSERT_EQ(buffer.text(), model);
    ASSERT_EQ(buffer.room(), bytes_max - model.size());
    ASSERT_LE(buffer.capacity(), 2 * bytes_max);
  }
}

TEST(Buffer, BehavesLikeAStringWithALimit) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    hold_against_a_string(seed);
    if (HasFatalFailure()) return;
  }
}

// One byte in and one out of a full buffer: if each step moved all of it, this would move 200 GB
// and run into the time limit of the test.
TEST(Buffer, MovesFewBytesWhenItIsAlwaysNearlyFull) {
  constexpr std::size_t kBytes = 1 << 20;
  Buffer buffer(kBytes);
  ASSERT_TRUE(buffer.append(std::string(kBytes, 'x')).has_value());
  for (int step = 0; step < 200'000; ++step) {
    buffer.consume(1);
    ASSERT_TRUE(buffer.append("y").has_value());
  }
  EXPECT_EQ(buffer.size(), kBytes);
  EXPECT_LE(buffer.capacity(), 2 * kBytes);
}

}  // namespace
}  // namespace gossamer::sim
