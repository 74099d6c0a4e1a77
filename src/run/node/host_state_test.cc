#include "node/host_state.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/packing.h"

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

TEST(HostStateTest, AnOriginHasOneSetOfRules) {
  HostState state;
  for (int i = 0; i < 10; ++i) {
    state.put_rules({.origin = "https://a.example:" + std::to_string(i), .source = "x"});
  }
  EXPECT_EQ(state.rules.size(), 8u);
  EXPECT_EQ(state.rules_of("https://a.example:8"), nullptr);
  state.put_rules({.origin = "https://a.example:3", .source = "newer"});
  EXPECT_EQ(state.rules.size(), 8u);
  ASSERT_NE(state.rules_of("https://a.example:3"), nullptr);
  EXPECT_EQ(state.rules_of("https://a.example:3")->source, "newer");
  state.put_rules({.origin = "https://a.example:3", .source = std::string(16 * 1024, 'x')});
  EXPECT_NE(state.rules_of("https://a.example:3"), nullptr);
  state.put_rules({.origin = "https://a.example:3", .source = std::string(16 * 1024 + 1, 'x')});
  EXPECT_EQ(state.rules_of("https://a.example:3"), nullptr) << "the old ones are wrong now";
}

// A state with one list of counts: as many items as it says, and these bytes.
std::string state_with_list(std::uint64_t count, std::string_view items) {
  const std::string empty = pack_state({});
  store::Packer list;
  list.number(count);
  list.text(items);
  store::Packer end;
  end.number(0);
  // Without the empty list and the number of nodes at its end.
  return empty.substr(0, empty.size() - 3) + std::move(list).take() + std::move(end).take();
}

TEST(HostStateTest, AListIsReadWholeOrNotAtAll) {
  EXPECT_TRUE(unpack_state(state_with_list(0, "")).has_value());
  EXPECT_FALSE(unpack_state(state_with_list(1, "")).has_value());
  EXPECT_FALSE(unpack_state(state_with_list(0, "x")).has_value());
  EXPECT_FALSE(unpack_state(state_with_list(5000, "")).has_value());
  store::Packer item;
  item.number(static_cast<std::uint64_t>(Counted::host_urls));
  item.number(7);
  item.fixed64(9);
  const std::string one = std::move(item).take();
  const auto list_of = [](std::string_view text) {
    store::Packer items;
    items.text(text);
    return std::move(items).take();
  };
  const auto read = unpack_state(state_with_list(1, list_of(one)));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->counts.size(), 1u);
  EXPECT_FALSE(unpack_state(state_with_list(1, list_of(one.substr(1)))).has_value());
  std::string many;
  for (int i = 0; i < 4096; ++i) many += list_of(one);
  EXPECT_TRUE(unpack_state(state_with_list(4096, many)).has_value());
  EXPECT_FALSE(unpack_state(state_with_list(4097, many + list_of(one))).has_value());
  std::string other = one;
  for (const char what : {'\0', '\x06', '\x08'}) {
    other[0] = what;
    const auto state = unpack_state(state_with_list(1, list_of(other)));
    ASSERT_TRUE(state.has_value()) << int{what};
    EXPECT_EQ(state->counts.size(), what == '\0' ? 0u : 1u) << "another version counts more";
  }
}

TEST(HostStateTest, PausesAreNotLongerThanADay) {
  HostState state;
  state.pace.crawl_delay = 48h;
  state.pace.backoff = -5s;
  const auto read = unpack_state(pack_state(state));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->pace.crawl_delay, 24h);
  EXPECT_EQ(read->pace.backoff, 0s);
}

TEST(HostStateTest, OnlySomeNodesAreNamed) {
  HostState state;
  state.unheard_by = {1, 2, 3, 4};
  EXPECT_EQ(unpack_state(pack_state(state))->unheard_by, (std::vector<std::uint64_t>{1, 2, 3}));
}

}  // namespace
}  // namespace gossamer::node
