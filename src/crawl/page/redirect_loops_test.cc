#include "crawl/page/redirect_loops.h"

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

}  // namespace
}  // namespace gossamer::crawler
