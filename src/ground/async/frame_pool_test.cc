#include "async/frame_pool.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/random.h"

namespace gossamer::async {
namespace {

TEST(FramePoolTest, CountsWhatIsAlive) {
  const std::int64_t before = FramePool::live();
  void* const first = FramePool::allocate(100);
  void* const second = FramePool::allocate(5000);
  EXPECT_EQ(FramePool::live(), before + 2);
  FramePool::release(second, 5000);
  FramePool::release(first, 100);
  EXPECT_EQ(FramePool::live(), before);
}

TEST(FramePoolTest, BlocksAreAlignedForEverything) {
  for (const std::size_t bytes : {1u, 15u, 16u, 17u, 100u, 2048u, 2049u, 100'000u}) {
    void* const block = FramePool::allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignof(std::max_align_t), 0u) << bytes;
    std::memset(block, 0xab, bytes);
    FramePool::release(block, bytes);
  }
}

TEST(FramePoolTest, LiveBlocksNeverOverlap) {
  base::Random random(7);
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  for (int i = 0; i < 2000; ++i) {
    if (!blocks.empty() && random.chance(0.4)) {
      std::swap(blocks[random.below(blocks.size())], blocks.back());
      const auto [block, bytes] = blocks.back();
      blocks.pop_back();
      const auto mark = static_cast<unsigned char>(bytes);
      for (std::size_t at = 0; at < bytes; ++at) ASSERT_EQ(block[at], mark);
      FramePool::release(block, bytes);
    } else {
      const std::size_t bytes = 1 + random.below(3000);
      auto* const block = static_cast<unsigned char*>(FramePool::allocate(bytes));
      std::memset(block, static_cast<unsigned char>(bytes), bytes);
      blocks.emplace_back(block, bytes);
    }
  }
  for (const auto& [block, bytes] : blocks) FramePool::release(block, bytes);
}

#if GOSSAMER_RECYCLES_FRAMES
TEST(FramePoolTest, TheLastReleasedOfASizeIsTheNextGivenOut) {
  void* const first = FramePool::allocate(200);
  FramePool::release(first, 200);
  void* const again = FramePool::allocate(193);  // the same class of sizes: 193 to 208
  EXPECT_EQ(again, first);
  FramePool::release(again, 193);
}
#endif

TEST(FramePoolTest, TrimmingLeavesLiveBlocksAlone) {
  auto* const kept = static_cast<unsigned char*>(FramePool::allocate(64));
  std::memset(kept, 0x5a, 64);
  FramePool::release(FramePool::allocate(64), 64);
  FramePool::trim();
  for (int at = 0; at < 64; ++at) EXPECT_EQ(kept[at], 0x5a);
  FramePool::release(kept, 64);
  FramePool::trim();
}

TEST(FramePoolTest, EachThreadCountsItsOwn) {
  const std::int64_t here = FramePool::live();
  std::int64_t there = -1;
  std::thread([&] {
    void* const block = FramePool::allocate(48);
    there = FramePool::live();
    FramePool::release(block, 48);
  }).join();
  EXPECT_EQ(there, 1);
  EXPECT_EQ(FramePool::live(), here);
}

#if GOSSAMER_RECYCLES_FRAMES  // the sanitizers end the program instead of failing the allocation
TEST(FramePoolTest, AnAllocationThatFailsIsNotCounted) {
  const std::int64_t before = FramePool::live();
  EXPECT_THROW(static_cast<void>(FramePool::allocate(std::numeric_limits<std::size_t>::max() / 2)),
               std::bad_alloc);
  EXPECT_EQ(FramePool::live(), before);
}
#endif

}  // namespace
}  // namespace gossamer::async
