#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::redis {

// The address of a server.
struct Node {
  std::string host;  // a name or an address: "node1.example", "10.0.0.7", "[::1]"
  std::uint16_t port = 6379;

  std::string to_string() const { return host + ":" + std::to_string(port); }
  friend auto operator<=>(const Node&, const Node&) = default;
};

// Parses "10.0.0.7:7000", "[::1]:7000" and, as servers write it, "::1:7000".
Result<Node> parse_node(std::string_view text);

// Where a crawl is stored: redis://[USER@]HOST[:PORT][,HOST[:PORT]...]/NAME, or rediss:// for TLS.
struct ServerUrl {
  std::vector<Node> seeds;  // at least one
  std::string user;         // empty: the default user
  std::string crawl;        // 1 to 64 letters, digits, '_', '-', '.': it is part of every key
  bool is_tls = false;

  // The URL as given. It contains no password.
  std::string to_string() const;
};

// BOUND: seeds of one URL.
inline constexpr std::size_t kSeedsMax = 64;

// Fails with Errc::invalid_argument. A password in the URL is rejected, because other users of the
// machine see the arguments of programs.
Result<ServerUrl> parse_server_url(std::string_view text);

}  // namespace gossamer::redis
