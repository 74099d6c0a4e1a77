#include "tests/simulated/world.h"

#include <gtest/gtest.h>

namespace gossamer::sim {
namespace {

TEST(World, DescribesItselfWithTheSeedAndEveryDrawnNumber) {
  const World world(17);
  const std::string text = world.describe();
  EXPECT_TRUE(text.starts_with("seed 17\n")) << text;
  for (const char* name : {"delay", "jitter", "segment_bytes", "window_bytes", "short_receive",
                           "deferred", "cancel_delay", "refused", "unanswered", "breaks",
                           "goes_silent", "fault_after", "lent_buffers_max", "lent_buffer_bytes",
                           "short_transfer", "fails", "bytes_max", "unsynced_survives"}) {
    EXPECT_NE(text.find(name), std::string::npos) << name << " is missing in\n" << text;
  }
}

TEST(World, TheSameSeedDrawsTheSameOptions) {
  EXPECT_EQ(describe(draw_options(5)), describe(draw_options(5)));
  EXPECT_NE(describe(draw_options(5)), describe(draw_options(6)));
}

TEST(World, DrawnOptionsAreValid) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) const World world(seed);
}

}  // namespace
}  // namespace gossamer::sim
