#include "redis/cluster_nodes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/number.h"
#include "redis/slot_map.h"

namespace gossamer::redis {
namespace {

std::string_view take_until(std::string_view& rest, char end) {
  const std::size_t at = rest.find(end);
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(at == rest.npos ? rest.size() : at + 1);
  return part;
}

bool has_flag(std::string_view flags, std::string_view wanted) {
  while (!flags.empty()) {
    if (take_until(flags, ',') == wanted) return true;
  }
  return false;
}

// "ID HOST:PORT@BUS[,NAME] FLAGS MASTER PING PONG EPOCH LINK [SLOTS...]"
Result<ClusterNode> parse_line(std::string_view line, const Node& sender) {
  ClusterNode parsed;
  parsed.id = take_until(line, ' ');
  std::string_view address = take_until(line, ' ');
  address = address.substr(0, address.find('@'));
  const std::string_view flags = take_until(line, ' ');
  if (parsed.id.empty() || flags.empty())
    return fail(Errc::malformed, "the reply to CLUSTER NODES");
  parsed.is_master = has_flag(flags, "master");
  constexpr std::array<std::string_view, 4> kFailed = {"fail", "fail?", "noaddr", "handshake"};
  parsed.is_failed = std::ranges::any_of(
      kFailed, [flags](std::string_view flag) { return has_flag(flags, flag); });
  if (const std::string_view master = take_until(line, ' '); master != "-") parsed.master = master;
  static_cast<void>(take_until(line, ' '));
  static_cast<void>(take_until(line, ' '));
  const std::string_view epoch = take_until(line, ' ');
  if (!epoch.empty() && !base::parse_number(epoch, parsed.epoch)) {
    return fail(Errc::malformed, "the reply to CLUSTER NODES");
  }
  static_cast<void>(take_until(line, ' '));
  while (!line.empty()) {  // "0-5460 [93->-ID] [77-<-ID]"
    std::string_view slots = take_until(line, ' ');
    std::uint16_t slot = 0;
    if (!slots.starts_with('[') || !slots.contains("->-")) continue;
    slots.remove_prefix(1);
    if (!base::parse_number(slots.substr(0, slots.find('-')), slot)) {
      return fail(Errc::malformed, "the reply to CLUSTER NODES");
    }
    parsed.leaving.push_back(slot);
  }
  if (has_flag(flags, "noaddr")) return parsed;
  auto node = parse_node(address.starts_with(':') ? sender.host + std::string(address)
                                                  : std::string(address));
  if (!node) return fail(Errc::malformed, "the reply to CLUSTER NODES");
  parsed.node = std::move(*node);
  return parsed;
}

}  // namespace

Result<std::vector<ClusterNode>> parse_cluster_nodes(std::string_view text, const Node& sender) {
  std::vector<ClusterNode> nodes;
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (nodes.size() >= SlotMap::kNodesMax) return fail(Errc::over_limit, "too many servers");
    auto node = parse_line(line, sender);
    if (!node) return fail(std::move(node).error());
    nodes.push_back(std::move(*node));
  }
  return nodes;
}

}  // namespace gossamer::redis
