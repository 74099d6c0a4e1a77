// For tests: leased hosts and the URLs of their batches.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "cluster/layout.h"
#include "cluster/shared_frontier.h"
#include "frontier/target.h"
#include "node/lease_book.h"
#include "node/url_block.h"

namespace gossamer::node {

inline cluster::UrlBatch batch(int first, int count, std::uint64_t mask) {
  std::vector<crawler::Target> targets(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    targets[static_cast<std::size_t>(i)].url = "https://a.example/" + std::to_string(first + i);
  }
  return {.count = static_cast<std::uint8_t>(count),
          .live = static_cast<std::uint8_t>(__builtin_popcountll(mask)),
          .mask = mask,
          .block = pack_urls(targets)};
}

inline cluster::LeasedHost host(std::string state = {}) {
  return {.partition = 3,
          .host = "a.example",
          .token = "t",
          .until = Instant(60s),
          .state = std::move(state),
          .batches = {}};
}

inline std::vector<std::string> urls_of(const std::vector<crawler::Target>& targets) {
  std::vector<std::string> urls;
  for (const crawler::Target& target : targets) urls.push_back(target.url.substr(18));
  return urls;
}

class LeaseBookTest : public testing::Test {
 protected:
  std::vector<crawler::Target> take(HostLease& lease, cluster::UrlBatch one) {
    std::optional<Error> failure;
    std::vector<cluster::UrlBatch> batches;
    batches.push_back(std::move(one));
    auto targets = lease.take(std::move(batches), failure);
    EXPECT_FALSE(failure.has_value());
    return targets;
  }
  void end(const crawler::Target& target) {
    const LeaseBook::Place place = book_.find(target.ticket);
    ASSERT_NE(place.lease, nullptr);
    place.lease->end(place.number);
  }

  LeaseBook book_;
};

}  // namespace gossamer::node
