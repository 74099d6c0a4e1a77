#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/time.h"

namespace gossamer::http {

// The versions of HTTP that a client uses.
enum class Protocols : std::uint8_t {
  automatic,  // over TLS, HTTP/2 if the server chooses it; otherwise HTTP/1.1
  http1,      // only HTTP/1.1
  // As automatic, and HTTP/2 without TLS, too; there the server is not asked.
  http2_prior_knowledge,
};

// Returns the protocols to offer in a TLS handshake, the best first.
std::vector<std::string> alpn_of(Protocols protocols);

enum class Version : std::uint8_t { http1, http2 };

// Remembers which version a server chose, for a while: it may have been one machine of many, or a
// passing fault. BOUND: kOriginsMax origins; the oldest are forgotten first.
class VersionMemory {
 public:
  static constexpr std::size_t kOriginsMax = 8192;

  static constexpr Duration kAgeMax = 10min;

  // Returns nothing if it is not known, or was noted too long ago.
  std::optional<Version> find(const std::string& key, Instant now) const;
  void note(const std::string& key, Version version, Instant now);
  std::size_t size() const { return recent_.size() + older_.size(); }

 private:
  struct Noted {
    Version version;
    Instant at;
  };
  using Versions = std::unordered_map<std::string, Noted>;

  Versions recent_;  // at most half of them
  Versions older_;
};

}  // namespace gossamer::http
