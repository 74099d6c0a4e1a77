#include "node/host_state.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::node {
namespace {

using crawler::Counted;

HostState some_state() {
  HostState state;
  state.pace = {.last_took = 20ms,
                .crawl_delay = 7s,
                .backoff = 3s,
                .throttle = 1s,
                .failures = 2,
                .refusals = 1,
                .is_own = true,
                .has_answered = true};
  state.counts = {{.what = Counted::host_urls, .count = 90, .key = 17},
                  {.what = Counted::dates, .count = 3, .key = ~std::uint64_t{0}}};
  state.unheard_by = {5, ~std::uint64_t{0}};
  state.cookies = {{.name = "session", .value = "x y", .domain = "a.example", .path = "/"}};
  state.rules = {{.origin = "https://a.example",
                  .source = "User-agent: *\nDisallow: /x\n",
                  .good_until = {.seconds = 1'700'000'000}}};
  return state;
}

TEST(HostStateTest, IsReadAsItWasWritten) {
  const HostState state = some_state();
  auto read = unpack_state(pack_state(state));
  ASSERT_TRUE(read.has_value());
  unpack_kept(pack_kept(state), *read);
  EXPECT_EQ(read->unheard_by, state.unheard_by);
  EXPECT_EQ(read->pace.crawl_delay, 7s);
  EXPECT_EQ(read->pace.backoff, 3s);
  EXPECT_EQ(read->pace.failures, 2);
  EXPECT_EQ(read->pace.refusals, 1);
  EXPECT_TRUE(read->pace.is_own);
  EXPECT_TRUE(read->pace.has_answered);
  ASSERT_EQ(read->counts.size(), 2u);
  EXPECT_EQ(read->counts[0].what, Counted::host_urls);
  EXPECT_EQ(read->counts[0].count, 90u);
  EXPECT_EQ(read->counts[1].key, ~std::uint64_t{0});
  EXPECT_EQ(read->cookies, state.cookies);
  EXPECT_EQ(read->rules, state.rules);
}

TEST(HostStateTest, IsBounded) {
  HostState state = some_state();
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    state.counts.push_back({.what = Counted::path_urls, .count = i, .key = i});
  }
  for (int i = 0; i < 1000; ++i) state.cookies.push_back(state.cookies.front());
  state.rules.push_back({.origin = "https://b.example", .source = std::string(200'000, 'x')});
  EXPECT_LE(pack_state(state).size(), kStateBytesMax);
  EXPECT_LE(pack_kept(state).size(), kStateBytesMax);
  auto read = unpack_state(pack_state(state));
  ASSERT_TRUE(read.has_value());
  unpack_kept(pack_kept(state), *read);
  EXPECT_GT(read->counts.size(), 1000u);
  EXPECT_EQ(read->counts.front().count, 99'999u) << "the highest counts matter most";
  EXPECT_GT(read->cookies.size(), 100u);
  EXPECT_EQ(read->rules.size(), 1u) << "the long one is fetched again";
}

TEST(HostStateTest, MalformedTextIsNoState) {
  const std::string text = pack_state(some_state());
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(unpack_state(text.substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(unpack_state("\x07 another version").has_value());
  const std::string kept = pack_kept(some_state());
  for (std::size_t size = 0; size < kept.size(); ++size) {
    HostState state;
    unpack_kept(kept.substr(0, size), state);
    EXPECT_TRUE(state.cookies.empty() && state.rules.empty()) << size;
  }
}

}  // namespace
}  // namespace gossamer::node
