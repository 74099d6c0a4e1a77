#include "http/protocols.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::http {
namespace {

constexpr Instant kNow = Instant(Duration(1h));

TEST(VersionMemory, RemembersWhatWasNotedLast) {
  VersionMemory memory;
  EXPECT_FALSE(memory.find("a", kNow));
  memory.note("a", Version::http2, kNow);
  EXPECT_EQ(memory.find("a", kNow), Version::http2);
  memory.note("a", Version::http1, kNow);
  EXPECT_EQ(memory.find("a", kNow), Version::http1);
}

TEST(VersionMemory, ForgetsTheOldestBeyondItsBound) {
  VersionMemory memory;
  for (std::size_t i = 0; i < 3 * VersionMemory::kOriginsMax; ++i) {
    memory.note(std::to_string(i), Version::http2, kNow);
    EXPECT_LE(memory.size(), VersionMemory::kOriginsMax);
  }
  EXPECT_FALSE(memory.find("0", kNow));
  EXPECT_TRUE(memory.find(std::to_string(3 * VersionMemory::kOriginsMax - 1), kNow));
}

TEST(VersionMemory, ForgetsAfterAWhile) {
  VersionMemory memory;
  memory.note("a", Version::http1, kNow);
  EXPECT_EQ(memory.find("a", kNow + VersionMemory::kAgeMax - 1ns), Version::http1);
  EXPECT_FALSE(memory.find("a", kNow + VersionMemory::kAgeMax));
  memory.note("a", Version::http1, kNow + 1min);
  EXPECT_TRUE(memory.find("a", kNow + VersionMemory::kAgeMax)) << "the last time counts";
}

TEST(Protocols, OfferTheBestFirst) {
  EXPECT_EQ(alpn_of(Protocols::automatic), (std::vector<std::string>{"h2", "http/1.1"}));
  EXPECT_EQ(alpn_of(Protocols::http1), std::vector<std::string>{"http/1.1"});
}

TEST(VersionMemory, HoldsHalfOfItsBoundAtLeast) {
  VersionMemory memory;
  const std::size_t half = VersionMemory::kOriginsMax / 2;
  for (std::size_t i = 0; i < 2 * half; ++i) {
    memory.note(std::to_string(i), Version::http2, kNow);
    if (i >= half - 1) EXPECT_TRUE(memory.find(std::to_string(i - (half - 1)), kNow)) << i;
  }
}

}  // namespace
}  // namespace gossamer::http
