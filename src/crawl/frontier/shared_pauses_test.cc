#include "frontier/shared_pauses.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace gossamer::crawler {
namespace {

constexpr Instant kPausesBegin = Instant(1000h);

class SharedPausesTest : public testing::Test {
 protected:
  const async::Endpoint address = *async::Endpoint::parse_address("93.184.216.34");
};

TEST_F(SharedPausesTest, OtherProcessesMayUseAnAddress) {
  SharedPauses pauses(500ms, Duration::zero());
  std::vector<Instant> asked;
  pauses.share_addresses([&](const async::Endpoint& at, Instant now) -> std::optional<Instant> {
    EXPECT_EQ(at, address);
    asked.push_back(now);
    if (asked.size() > 1) return std::nullopt;
    return now + 3s;
  });
  EXPECT_EQ(pauses.start(address, kPausesBegin), kPausesBegin + 3s);
  EXPECT_EQ(pauses.start(address, kPausesBegin + 3s), std::nullopt);
  EXPECT_EQ(pauses.start(address, kPausesBegin + 3s), kPausesBegin + 3s + 500ms);
  EXPECT_EQ(asked.size(), 2u) << "our own requests have a pause already";
  EXPECT_EQ(pauses.start(std::nullopt, kPausesBegin), std::nullopt);
  EXPECT_EQ(asked.size(), 2u) << "there is no address";
}

TEST_F(SharedPausesTest, RequestsWithoutAnAddressArePartOfTheRate) {
  SharedPauses pauses(500ms, 1s);
  pauses.share_addresses([](const async::Endpoint&, Instant) { return std::nullopt; });
  EXPECT_EQ(pauses.start(std::nullopt, kPausesBegin), std::nullopt);
  EXPECT_EQ(pauses.start(address, kPausesBegin), kPausesBegin + 1s);
}

TEST_F(SharedPausesTest, LoopsThatKeepARateTogetherAreSlowerEach) {
  SharedPauses pauses(Duration::zero(), 100ms);
  pauses.share_rate(4);
  EXPECT_EQ(pauses.start(std::nullopt, kPausesBegin), std::nullopt);
  EXPECT_EQ(pauses.start(std::nullopt, kPausesBegin), kPausesBegin + 400ms);
  pauses.set_global_gap(200ms);
  EXPECT_EQ(pauses.start(std::nullopt, kPausesBegin), kPausesBegin + 800ms);
}

}  // namespace
}  // namespace gossamer::crawler
