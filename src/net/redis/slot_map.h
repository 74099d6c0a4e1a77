#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "redis/resp.h"
#include "redis/server_url.h"
#include "redis/slot.h"

namespace gossamer::redis {

// Which master owns which slot.
class SlotMap {
 public:
  struct Master {
    Node node;
    std::string id;  // in the cluster; empty: unknown
    std::vector<Node> replicas;
    std::size_t slots = 0;
  };

  // No slot has an owner.
  SlotMap() : owners_(kSlots, kNobody) {}
  // One server owns all slots: it is not a cluster.
  static SlotMap single(Node node);
  // Reads the reply to CLUSTER SLOTS. A server without a host is `sender`. Fails with
  // Errc::malformed, and with Errc::over_limit beyond kNodesMax.
  static Result<SlotMap> parse(const Reply& reply, const Node& sender);
  static constexpr std::size_t kNodesMax = 1024;

  // Empty: no server owns it.
  std::optional<Node> owner(std::uint16_t slot) const;
  // The same; nullptr: no server owns it.
  const Master* master_of(std::uint16_t slot) const;
  // A server says that another one owns the slot. Ignored beyond kNodesMax.
  void move(std::uint16_t slot, const Node& to);

  const std::vector<Master>& masters() const noexcept { return masters_; }
  std::size_t slots_covered() const noexcept;

 private:
  static constexpr std::uint16_t kNobody = 0xffff;
  std::optional<std::uint16_t> index_of(const Node& node);
  Result<void> add_range(const Reply& range, const Node& sender, std::size_t& slots_left);
  void assign(std::uint16_t slot, std::uint16_t index);

  std::vector<Master> masters_;
  std::vector<std::uint16_t> owners_;  // by slot, indexes of masters_
};

}  // namespace gossamer::redis
