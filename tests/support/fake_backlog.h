// For tests of hosts on disk: a backlog in memory, and a frontier that has room for ten hosts.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/sleep.h"
#include "async/task.h"
#include "base/hash.h"
#include "base/result.h"
#include "base/time.h"
#include "frontier/backlog.h"
#include "frontier/frontier.h"
#include "frontier/site_number.h"
#include "tests/support/frontier_test_case.h"

namespace gossamer::crawler {

// A backlog in memory that simulates a disk. The fingerprint of a URL is its hash.
class FakeBacklog final : public Backlog {
 public:
  struct Message {
    std::optional<std::uint64_t> fingerprint;
    Target target;
  };

  void recall(Recall recall) override {
    for (const auto& [name, origin] : origins_) {
      recall.host(host_in(name));
      for (const Target& target : origin.waiting) {
        recall.seen(base::hash64(target.url));
        recall.waiting(name, target.depth, 1);
        if (recall.target) recall.target(base::hash64(target.url), target);
      }
      for (const std::uint16_t depth : origin.ended) recall.waiting(name, depth, 1);
    }
    for (const Message& message : messages) recall.message(message.fingerprint, message.target);
    for (const StoredCount& count : counts) recall.count(count);
  }
  Stored add(std::string_view origin, std::optional<std::uint64_t>, const Target& target,
             std::uint32_t, std::span<const StoredCount>) override {
    Kept& kept = origin_at(origin);
    kept.is_in_memory = true;
    if (!kept.waiting.empty() || kept.in_memory.size() >= heads_max) {
      kept.waiting.push_back(target);
      return {.is_in_memory = false};
    }
    kept.in_memory.emplace(++last_ticket_, target);
    return {.ticket = last_ticket_};
  }
  More more(std::string_view origin) override {
    More more;
    if (is_broken) return more;
    Kept& kept = origin_at(origin);
    more.ended = std::exchange(kept.ended, {});
    const std::size_t count = std::min(heads_max, kept.waiting.size());
    for (std::size_t i = 0; i < count; ++i) {
      Target& target = kept.waiting[i];
      target.ticket = ++last_ticket_;
      kept.in_memory.emplace(last_ticket_, target);
      more.targets.push_back(std::move(target));
    }
    kept.waiting.erase(kept.waiting.begin(), kept.waiting.begin() + std::ptrdiff_t(count));
    return more;
  }
  void put_away(std::string_view origin, std::optional<std::uint64_t>, const Target& target,
                std::uint32_t, std::span<const StoredCount>) override {
    std::vector<Target>& waiting = origin_at(origin).waiting;
    waiting.insert(std::ranges::upper_bound(waiting, target.depth, {}, &Target::depth), target);
  }
  TakenIn take_in(std::uint32_t from, std::uint32_t rank_max, std::size_t count_max) override {
    TakenIn taken;
    if (is_broken) return taken;
    for (std::uint32_t i = from; i < names_.size(); ++i) {
      Kept& kept = origins_[names_[i]];
      const std::size_t waiting = kept.waiting.size() + kept.ended.size();
      const bool is_later = kept.ended.empty() && waiting > 0 && kept.waiting[0].depth > rank_max;
      if (kept.is_in_memory || waiting == 0 || is_later) continue;
      if (taken.origins.size() == count_max) {
        taken.next = i;
        break;
      }
      kept.is_in_memory = true;
      taken.origins.push_back({.name = names_[i], .waiting = waiting});
    }
    return taken;
  }
  bool can_let_go(std::string_view origin, std::size_t count) override {
    if (may_leave && !may_leave(origin)) return false;
    return origin_at(origin).in_memory.size() == count;
  }
  void let_go(std::string_view origin, std::span<const std::uint64_t> tickets) override {
    Kept& kept = origin_at(origin);
    kept.is_in_memory = false;
    for (const std::uint64_t ticket : tickets) {
      kept.waiting.push_back(kept.in_memory.extract(ticket).mapped());
    }
  }
  std::optional<PaceMemory> pace_of(std::string_view hostname) override {
    const auto found = paces.find(hostname);
    return found == paces.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<StoredRules> rules_of(std::string_view origin) override {
    const auto found = rules.find(origin);
    return found == rules.end() ? std::nullopt : std::optional(found->second);
  }
  std::uint64_t send(std::optional<std::uint64_t> fingerprint, const Target& target) override {
    messages.push_back({.fingerprint = fingerprint, .target = target});
    return messages.back().target.ticket = ++last_ticket_;
  }
  void note_linked(std::string_view /*origin*/, std::uint64_t /*fingerprint*/) override {}
  void end(std::uint64_t ticket) override {
    std::size_t ended = std::erase_if(
        messages, [ticket](const Message& sent) { return sent.target.ticket == ticket; });
    for (auto& [name, origin] : origins_) ended += origin.in_memory.erase(ticket);
    EXPECT_EQ(ended, 1u);
  }
  void note_host(std::string_view hostname, const PaceMemory& pace) override {
    paces[std::string(hostname)] = pace;
  }
  void note_rules(std::string_view origin, std::string_view source, Instant good_until) override {
    if (is_full) return;
    rules[std::string(origin)] = {.source = std::string(source), .good_until = good_until};
  }
  void commit() override { ++commits; }

  // A target that an earlier process left.
  void leave(std::string_view url, std::uint16_t depth = 0) {
    Target target;
    target.url = url;
    target.depth = depth;
    const auto parsed = url::Url::parse(url);
    put_away(parsed ? origin_text(*parsed) : url, {}, target, 0, {});
  }
  // One that it finished, as more() finds out.
  void leave_ended(std::string_view origin, std::uint16_t depth = 0) {
    origin_at(origin).ended.push_back(depth);
  }

  // Origins of which the frontier has targets in memory.
  std::size_t in_memory() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(origins_, [](const auto& each) { return each.second.is_in_memory; }));
  }
  bool is_in_memory(std::string_view origin) { return origin_at(origin).is_in_memory; }
  // The URLs of an origin that have not ended.
  std::vector<std::string> urls_of(std::string_view origin) {
    std::vector<std::string> urls;
    for (const auto& [ticket, target] : origin_at(origin).in_memory) urls.push_back(target.url);
    for (const Target& target : origin_at(origin).waiting) urls.push_back(target.url);
    return urls;
  }

  std::map<std::string, PaceMemory, std::less<>> paces;
  std::map<std::string, StoredRules, std::less<>> rules;
  bool is_full = false;  // no rules are stored
  std::vector<Message> messages;
  std::vector<StoredCount> counts;
  std::size_t commits = 0;
  // How many targets of an origin fit into memory.
  std::size_t heads_max = std::numeric_limits<std::size_t>::max();
  bool is_broken = false;                                       // it cannot be read
  std::function<bool(std::string_view origin)> may_leave = {};  // empty: all may

 private:
  struct Kept {
    bool is_in_memory = false;
    std::map<std::uint64_t, Target> in_memory;  // by tickets
    std::vector<Target> waiting;
    std::vector<std::uint16_t> ended;  // depths
  };
  Kept& origin_at(std::string_view name) {
    const auto [found, is_new] = origins_.try_emplace(std::string(name));
    if (is_new) names_.emplace_back(name);
    return found->second;
  }

  std::map<std::string, Kept> origins_;
  std::vector<std::string> names_;
  std::uint64_t last_ticket_ = 0;
};

constexpr std::uint64_t kTenHosts = 15'000;  // bytes

class HostsOfAJob : public FrontierTest {
 protected:
  // The backlog must outlive the frontier.
  ~HostsOfAJob() override { frontier.reset(); }

  Frontier& begin(FrontierOptions options) {
    options.host_bytes_max = std::min(options.host_bytes_max, kTenHosts);
    Frontier& opened = frontier.emplace(world.loop(), std::move(options), nullptr,
                                        FrontierSource{.backlog = &backlog});
    opened.limit_hosts(kTenHosts, [this] { is_full = true; });
    return opened;
  }
  Frontier& begin_by_level() {
    FrontierOptions options = free_options();
    options.is_level_by_level = true;
    return begin(std::move(options));
  }
  static std::string root_of(int host) { return fmt::format("http://h{}.example/", host); }
  // Other hosts come and go, so those that can leave do.
  void pass_others() {
    for (int i = 0; i < 50; ++i)
      EXPECT_EQ(add(fmt::format("http://o{}.net/", passed_ + i)), Verdict::added);
    for (int i = 0; i < 50; ++i) next_url();
    passed_ += 50;
  }
  void pass(Duration duration) { EXPECT_TRUE(world.run(pause(duration))); }

  FakeBacklog backlog;
  bool is_full = false;

 private:
  static async::Task<Result<void>> pause(Duration duration) {
    co_return co_await async::sleep(duration);
  }

  int passed_ = 0;
};

}  // namespace gossamer::crawler
