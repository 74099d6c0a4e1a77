#include "render/readiness.h"

#include <gtest/gtest.h>

namespace gossamer::render {
namespace {

Instant at(Duration time) { return Instant(time); }
constexpr Look kLoaded = {.is_loaded = true, .links = 3, .elements = 9};

TEST(Readiness, NeedsAPageThatIsLoadedQuietAndUnchanged) {
  Readiness readiness({}, at(0s));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, at(100ms)));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, at(200ms)));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, at(300ms)));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, at(400ms)));  // not quiet for long enough
  EXPECT_TRUE(readiness.is_ready(kLoaded, 0, at(500ms)));
}

TEST(Readiness, WaitsLongerWhereTheMachineIsBusy) {
  Readiness readiness({}, at(0s));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, at(700ms)));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, at(1400ms))) << "a look takes as long as a request";
  readiness.note_request(at(1500ms));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, at(2100ms))) << "its answer may have changed nothing";
  EXPECT_FALSE(readiness.is_ready({.is_loaded = true, .links = 4, .elements = 9}, 0, at(2800ms)));
}

TEST(Readiness, WaitsForAnswers) {
  Readiness readiness({}, at(0s));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 1, at(500ms)));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 1, at(1s)));
  readiness.note_request(at(1100ms));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, at(1200ms)));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, at(1400ms)));
  EXPECT_TRUE(readiness.is_ready(kLoaded, 0, at(1600ms)));
}

TEST(Readiness, WaitsForElementsThatAppear) {
  Readiness readiness({}, at(0s));
  for (std::uint64_t i = 0; i < 8; ++i) {
    EXPECT_FALSE(readiness.is_ready({.is_loaded = true, .links = i, .elements = 2 * i}, 0,
                                    at(std::chrono::milliseconds(500 + 100 * i))));
  }
}

TEST(Readiness, DoesNotWaitForAPageThatNeverStopsRequesting) {
  Readiness readiness({}, at(0s));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 1, at(1s)));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 2, at(2900ms)));
  EXPECT_TRUE(readiness.is_ready(kLoaded, 3, at(3s)));
}

TEST(Readiness, WaitsLongForAPageThatIsEmptySoFar) {
  Readiness readiness({}, at(0s));
  EXPECT_FALSE(readiness.is_ready({}, 1, at(1s)));
  EXPECT_FALSE(readiness.is_ready({}, 1, at(9s)));
  EXPECT_TRUE(readiness.is_ready({}, 1, at(10s)));  // the limit
}

TEST(Readiness, WaitsForTheAnswerThatMakesTheLinks) {
  constexpr Look kShell = {.is_loaded = true, .links = 0, .elements = 5};
  Readiness readiness({}, at(0s));
  for (Duration time = 100ms; time < 4s; time += 100ms) {
    EXPECT_FALSE(readiness.is_ready(kShell, 1, at(time)));
  }
}

TEST(Readiness, WaitsForTheElementThatIsSelected) {
  const Instant start{};
  Readiness readiness({}, start);
  Look look = kLoaded;
  look.has_selected = false;
  for (Duration at = 0s; at < 10s; at += 100ms) {
    EXPECT_FALSE(readiness.is_ready(look, 0, start + at));
  }
  EXPECT_TRUE(readiness.is_ready(look, 0, start + 10s)) << "it may never come";
  Readiness other({}, start);
  EXPECT_FALSE(other.is_ready(look, 0, start + 3s));
  for (Duration time = 3100ms; time < 3400ms; time += 100ms) {
    EXPECT_FALSE(other.is_ready(kLoaded, 0, start + time)) << "it may be followed by others";
  }
  EXPECT_TRUE(other.is_ready(kLoaded, 0, start + 3400ms));
}

TEST(Readiness, WaitsAgainAfterAPageWasScrolled) {
  const Instant start{};
  Readiness readiness({}, start);
  for (Duration time = 700ms; time < 1s; time += 100ms) {
    EXPECT_FALSE(readiness.is_ready(kLoaded, 0, start + time));
  }
  EXPECT_TRUE(readiness.is_ready(kLoaded, 0, start + 1s));
  readiness.begin_again(start + 1s);
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, start + 1100ms));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, start + 1200ms));
  EXPECT_FALSE(readiness.is_ready(kLoaded, 0, start + 1300ms));
  EXPECT_TRUE(readiness.is_ready(kLoaded, 0, start + 1600ms));
  EXPECT_EQ(readiness.deadline(), start + 12s) << "it has more time";
}

}  // namespace
}  // namespace gossamer::render
