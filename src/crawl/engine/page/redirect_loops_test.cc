#include "engine/page/redirect_loops.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace gossamer::crawler {
namespace {

TEST(RedirectLoops, ARedirectToItselfIsALoop) {
  RedirectLoops loops;
  EXPECT_TRUE(loops.closes(5, 5));
}

TEST(RedirectLoops, TheLastRedirectOfACircleClosesIt) {
  RedirectLoops loops;
  EXPECT_FALSE(loops.closes(1, 2));
  EXPECT_FALSE(loops.closes(2, 3));
  EXPECT_TRUE(loops.closes(3, 1));
  EXPECT_FALSE(loops.closes(3, 4)) << "it leads elsewhere now";
}

TEST(RedirectLoops, ALongChainIsNotALoop) {
  RedirectLoops loops;
  for (std::uint64_t from = 200; from > 0; --from) EXPECT_FALSE(loops.closes(from, from + 1));
}

TEST(RedirectLoops, ForgetsAllWhenThereAreTooMany) {
  constexpr std::uint64_t kMost = 16'384;
  for (const std::uint64_t others : {kMost - 2, kMost - 1}) {
    RedirectLoops loops;
    EXPECT_FALSE(loops.closes(1, 2));
    for (std::uint64_t i = 1; i <= others; ++i) EXPECT_FALSE(loops.closes(i << 32, 3));
    EXPECT_EQ(loops.closes(2, 1), others < kMost - 1);
  }
}

}  // namespace
}  // namespace gossamer::crawler
