// Splits a URL into parts and marks dates and tokens.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "scope/path_segments.h"
#include "url/url.h"

namespace gossamer::crawler {

enum class PartRole : std::uint8_t {
  literal,
  date,
  token,    // a random text
  session,  // a token whose name or form shows a session
};

// A segment of the path (without a name), or a parameter of the query.
struct UrlPart {
  std::string_view name;
  std::string_view value;
  PartRole role = PartRole::literal;
};

// BOUND: PathSegments::kMax segments and kParametersMax parameters; the rest of each is one literal
// part.
// BORROWS: the URL.
class UrlParts {
 public:
  static constexpr std::size_t kParametersMax = 32;

  explicit UrlParts(const url::Url& url) noexcept;

  std::string_view host() const noexcept { return host_; }
  std::span<UrlPart> path() noexcept { return std::span(parts_).first(path_size_); }
  std::span<UrlPart> query() noexcept {
    return std::span(parts_).subspan(path_size_, size_ - path_size_);
  }
  std::span<const UrlPart> all() const noexcept { return std::span(parts_).first(size_); }

  bool has(PartRole role) const noexcept;

  // Hashes host and parts, ignoring the values of parts with these roles.
  std::uint64_t hash_without(std::span<const PartRole> roles) const noexcept;

 private:
  void add(std::string_view name, std::string_view value) noexcept;
  void cut_query(std::string_view query) noexcept;

  std::string_view host_;
  std::array<UrlPart, PathSegments::kMax + 1 + kParametersMax + 1> parts_;
  std::size_t path_size_ = 0;
  std::size_t size_ = 0;
};

}  // namespace gossamer::crawler
