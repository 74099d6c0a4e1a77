#include "http/protocols.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::http {
namespace {

TEST(VersionMemory, RemembersWhatWasNotedLast) {
  VersionMemory memory;
  EXPECT_FALSE(memory.find("a"));
  memory.note("a", Version::http2);
  EXPECT_EQ(memory.find("a"), Version::http2);
  memory.note("a", Version::http1);
  EXPECT_EQ(memory.find("a"), Version::http1);
}

TEST(VersionMemory, ForgetsTheOldestBeyondItsBound) {
  VersionMemory memory;
  for (std::size_t i = 0; i < 3 * VersionMemory::kOriginsMax; ++i) {
    memory.note(std::to_string(i), Version::http2);
    EXPECT_LE(memory.size(), VersionMemory::kOriginsMax);
  }
  EXPECT_FALSE(memory.find("0"));
  EXPECT_TRUE(memory.find(std::to_string(3 * VersionMemory::kOriginsMax - 1)));
}

TEST(Protocols, OfferTheBestFirst) {
  EXPECT_EQ(alpn_of(Protocols::automatic), (std::vector<std::string>{"h2", "http/1.1"}));
  EXPECT_EQ(alpn_of(Protocols::http1), std::vector<std::string>{"http/1.1"});
}

}  // namespace
}  // namespace gossamer::http
