// What holds for single hosts in place of what holds for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "base/time.h"
#include "crawl/frontier/politeness.h"

namespace gossamer::crawler {

// What is not said here is as it is for all.
struct HostOptions {
  // "example.com", or "*.example.com": every host below that, but not itself. As in a URL: lower
  // case, IDNA applied, IPv6 addresses in brackets.
  std::string name;
  // As those of PolitenessOptions and ScopeOptions. Lists take the place of the others.
  std::optional<Duration> delay = {};
  std::optional<std::uint32_t> concurrency = {};
  std::optional<std::vector<std::string>> include = {};
  std::optional<std::vector<std::string>> exclude = {};
};

// The name of a host as a URL would have it: "Example.COM", "*.example.com". Fails with
// Errc::invalid_argument for what is no such name, or has a scheme, port or path.
Result<std::string> parse_host_name(std::string_view text);

// Fails with Errc::invalid_argument: no name, the same name twice, a bad pattern or number.
Result<void> validate(const std::vector<HostOptions>& hosts);

// Which of several names is that of a host. The most specific one: the host's own, else of those
// with a star the longest.
class HostNames {
 public:
  HostNames() = default;
  // REQUIRES: no two are the same.
  explicit HostNames(const std::vector<std::string>& names);

  bool empty() const noexcept { return places_.empty(); }
  // Its place in the list; nothing: none of them.
  std::optional<std::size_t> find(std::string_view hostname) const;
  // All that match, from the most specific on.
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

// The options of hosts, of which each key is decided by itself: the most specific name that says
// something of it wins.
class HostTable {
 public:
  HostTable() = default;
  // REQUIRES: validate(hosts) was content.
  explicit HostTable(const std::vector<HostOptions>& hosts);

  bool empty() const noexcept { return hosts_.empty(); }
  std::size_t size() const noexcept { return hosts_.size(); }
  // Each with what less specific names say besides. REQUIRES: index < size().
  const HostOptions& operator[](std::size_t index) const { return hosts_[index]; }
  // Nothing: it is as all others.
  std::optional<std::size_t> find(std::string_view hostname) const { return names_.find(hostname); }

 private:
  HostNames names_;
  std::vector<HostOptions> hosts_;
};

// The politeness that each host is treated with.
class HostManners {
 public:
  HostManners(const std::vector<HostOptions>& hosts, const PolitenessOptions& usual);
  HostManners(const HostManners&) = delete;
  HostManners& operator=(const HostManners&) = delete;

  // BORROWS: as long as this lives; set_usual() changes it in place.
  const PolitenessOptions& of(std::string_view hostname) const;
  void set_usual(const PolitenessOptions& usual);

 private:
  const HostTable table_;
  PolitenessOptions usual_;
  std::deque<PolitenessOptions> special_;  // by place in the table
};

}  // namespace gossamer::crawler
