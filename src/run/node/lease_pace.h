#pragma once

#include <cstddef>

#include "base/time.h"

namespace gossamer::node {

// How many hosts a node leases, and when it looks for more.
class LeasePace {
 public:
  // BOUND: hosts that the node leases.
  explicit LeasePace(std::size_t hosts_max) : hosts_max_(hosts_max), wanted_(hosts_max) {}

  // Hosts that the node should have.
  std::size_t wanted() const { return wanted_; }
  // Hosts of one partition that a call should lease.
  std::size_t per_partition() const { return per_partition_; }
  bool is_due(Instant now) const { return now >= next_; }

  // Every node gets about the same number of hosts. Returns the number from which on hosts should
  // be released.
  std::size_t share(std::size_t hosts, std::size_t nodes);
  // The node has looked for hosts, and found some or has enough now.
  void note(Instant now, bool has_found, bool has_enough);
  // Nothing is leased for a while, because no host answers this node. Each time it takes twice as
  // long. Returns false if that is known.
  bool put_off(Instant now);
  // A host has answered.
  void trust() {
    if (unheard_pause_ > Duration::zero()) next_ = Instant::min();
    unheard_pause_ = Duration::zero();
  }

 private:
  const std::size_t hosts_max_;
  std::size_t wanted_;
  std::size_t per_partition_ = 1;
  Instant next_ = Instant::min();
  Duration pause_ = Duration::zero();
  Duration unheard_pause_ = Duration::zero();
};

}  // namespace gossamer::node
