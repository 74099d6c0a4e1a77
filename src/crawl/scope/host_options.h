// Options of single hosts, which override the general ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::crawler {

// Options that are not set here have their general value.
struct HostOptions {
  // "example.com", or "*.example.com" for all subdomains but not example.com itself. In the form of
  // a URL: lower case, IDNA applied, IPv6 addresses in brackets.
  std::string name;
  // Like those of PolitenessOptions and ScopeOptions. Lists replace the general ones.
  std::optional<Duration> delay = {};
  std::optional<std::uint32_t> concurrency = {};
  std::optional<std::vector<std::string>> include = {};
  std::optional<std::vector<std::string>> exclude = {};
};

// Normalises the name of a host as in a URL: "Example.COM", "*.example.com". Fails with
// Errc::invalid_argument if it is not a host name or has a scheme, port or path.
Result<std::string> parse_host_name(std::string_view text);

// Fails with Errc::invalid_argument for a missing or duplicate name, or a bad pattern or number.
Result<void> validate(const std::vector<HostOptions>& hosts);

// Finds the most specific name for a host: the exact one, else the longest one with a star.
class HostNames {
 public:
  HostNames() = default;
  // REQUIRES: the names are distinct.
  explicit HostNames(const std::vector<std::string>& names);

  bool empty() const noexcept { return places_.empty(); }
  // Returns the index in the list; empty: no name matches.
  std::optional<std::size_t> find(std::string_view hostname) const;
  // Returns all matches, the most specific first.
  std::vector<std::size_t> find_all(std::string_view hostname) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return base::hash64(text); }
  };
  template <class Use>
  void for_each(std::string_view hostname, Use use) const;

  std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>> places_;
};

// The options of hosts. Each key is resolved separately: the most specific name that sets it wins.
class HostTable {
 public:
  HostTable() = default;
  // REQUIRES: validate(hosts) succeeded.
  explicit HostTable(const std::vector<HostOptions>& hosts);

  bool empty() const noexcept { return hosts_.empty(); }
  std::size_t size() const noexcept { return hosts_.size(); }
  // Includes the keys that only less specific names set. REQUIRES: index < size().
  const HostOptions& operator[](std::size_t index) const { return hosts_[index]; }
  // Empty: the host has no options of its own.
  std::optional<std::size_t> find(std::string_view hostname) const { return names_.find(hostname); }

 private:
  HostNames names_;
  std::vector<HostOptions> hosts_;
};

}  // namespace gossamer::crawler
