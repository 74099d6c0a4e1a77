// Answers that several pages need: a script, a style sheet. Each is fetched once.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "http/request.h"
#include "render/parts.h"

namespace gossamer::crawler {

// Returns how long an answer to GET may be used again, as RFC 9111 says. Scripts, style sheets,
// fonts and images that do not say how long have kPartAge; everything else zero.
Duration age_max_of(const render::PartAnswer& answer) noexcept;
inline constexpr Duration kPartAge = std::chrono::minutes(10);

// The least recently used answer leaves first.
class PartCache {
 public:
  // BOUND: all answers; one of them takes at most an eighth.
  explicit PartCache(std::size_t bytes_max = kBytesMax) : bytes_max_(bytes_max) {}
  static constexpr std::size_t kBytesMax = std::size_t{16} * 1024 * 1024;

  // Requests with the same key may have the same answer.
  static std::string key_of(const http::Request& request);
  // Returns nothing if the request must be sent.
  std::shared_ptr<const render::PartAnswer> find(const http::Request& request, Instant now);
  // Stores the answer if the request may have it again.
  void put(const http::Request& request, const render::PartAnswer& answer, Instant now);
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const render::PartAnswer> answer;
    Instant good_until;
  };
  using Entries = std::list<Entry>;  // the most recently used first

  void drop(Entries::iterator entry);

  const std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  Entries entries_;
  std::unordered_map<std::string_view, Entries::iterator> by_key_;  // views of the entries
};

}  // namespace gossamer::crawler
