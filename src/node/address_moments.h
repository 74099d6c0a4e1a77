#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace gossamer::node {

// The moments at which this node may send a request to an address. Nodes reserve them in Redis, so
// that hosts of one address that are leased by several nodes share its pause.
class AddressMoments {
 public:
  // Moments that are reserved together. Unused ones are wasted.
  static constexpr std::uint32_t kAtOnce = 2;

  explicit AddressMoments(Duration gap) : gap_(gap) {}

  Duration gap() const { return gap_; }
  // A request wants to start. Empty: it may; else it tries again then.
  std::optional<Instant> start(const std::string& address, Instant now);
  // Addresses for which moments must be reserved; each is returned once.
  std::vector<std::string> take_wanted();
  bool has_wanted() const { return !wanted_.empty(); }
  // kAtOnce moments were reserved. Empty: that failed.
  void add(const std::string& address, std::optional<Instant> first);

 private:
  struct Address {
    std::deque<Instant> moments;
    bool is_asked = false;
  };
  void make_room(Instant now);

  const Duration gap_;
  std::map<std::string, Address> addresses_;  // BOUND: kAddressesMax and those that are asked
  std::vector<std::string> wanted_;
};

}  // namespace gossamer::node
