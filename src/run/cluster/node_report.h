// What a node says about itself once a second.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::cluster {

struct NodeReport {
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t errors = 0;
  std::uint64_t queued = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t hosts = 0;  // that it has leased
  double pages_per_second = 0;

  void add(const NodeReport& other);
  friend bool operator==(const NodeReport&, const NodeReport&) = default;
};

// One JSON object, whose members have the names of the fields.
std::string to_json(const NodeReport& report);
// Members that are missing or are not numbers are 0. Fails with Errc::malformed.
Result<NodeReport> parse_node_report(std::string_view text);

}  // namespace gossamer::cluster
