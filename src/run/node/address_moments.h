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

  // `gap` is the pause between two requests to an address.
  explicit AddressMoments(Duration gap) : gap_(gap), slack_(gap / 4) {}

  // Between two moments, so that a request that starts late keeps the pause to the next one. It is
  // longer while answers are slow, because a moment cannot be used before its answer is there.
  Duration spacing() const { return gap_ + slack_; }
  // A request wants to start. Empty: it may; else it tries again then.
  std::optional<Instant> start(const std::string& address, Instant now);
  // Addresses for which moments must be reserved; each is returned once.
  std::vector<std::string> take_wanted();
  bool has_wanted() const { return !wanted_.empty(); }
  // kAtOnce moments were reserved, `spacing` apart, the first one `wait` after a moment between
  // `sent` and `answered`. `spacing` was spacing() then. An empty `wait`: that failed.
  void add(const std::string& address, std::optional<Duration> wait, Duration spacing, Instant sent,
           Instant answered);

 private:
  // The moment itself is unknown: it is between the time of the call and that of the answer.
  struct Moment {
    Instant first;
    Instant last;  // a request that starts later would come too near to the next moment
  };
  struct Address {
    std::deque<Moment> moments;
    bool is_asked = false;
  };
  void make_room(Instant now);

  const Duration gap_;
  Duration slack_;
  std::map<std::string, Address> addresses_;  // BOUND: kAddressesMax and those that are asked
  std::vector<std::string> wanted_;
};

}  // namespace gossamer::node
