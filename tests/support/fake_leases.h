// For tests of leased hosts: what a lessor learns from a frontier.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "frontier/work_log.h"
#include "scope/stored_count.h"

namespace gossamer::crawler {

class FakeLeases final : public WorkLog {
 public:
  void end(std::uint64_t ticket) override { ended.push_back(ticket); }
  void note_host(std::string_view hostname, const PaceMemory& pace) override {
    paces[std::string(hostname)] = pace;
  }
  void note_rules(std::string_view origin, std::string_view source, Instant good_until) override {
    rules[std::string(origin)] = {.source = std::string(source), .good_until = good_until};
  }
  std::optional<PaceMemory> pace_of(std::string_view hostname) override {
    const auto found = paces.find(hostname);
    return found == paces.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<StoredRules> rules_of(std::string_view origin) override {
    const auto found = rules.find(origin);
    return found == rules.end() ? std::nullopt : std::optional(found->second);
  }
  void commit() override { ++commits; }
  void note_counts(std::uint64_t ticket, std::span<const StoredCount> noted) override {
    EXPECT_NE(ticket, 0u);
    counts[ticket].assign(noted.begin(), noted.end());
  }
  std::uint64_t follow_up(std::uint64_t ticket) override { return ticket + 1'000; }

  std::vector<std::uint64_t> ended;
  std::map<std::string, PaceMemory, std::less<>> paces;
  std::map<std::string, StoredRules, std::less<>> rules;
  std::map<std::uint64_t, std::vector<StoredCount>> counts;
  std::size_t commits = 0;
};

}  // namespace gossamer::crawler
