#include "scope/url_parts.h"

#include <algorithm>

#include "base/hash.h"

namespace gossamer::crawler {

UrlParts::UrlParts(const url::Url& url) noexcept : host_(url.host()) {
  const PathSegments segments(url.pathname());
  for (std::size_t i = 0; i < segments.size(); ++i) add({}, segments[i]);
  if (!segments.rest().empty()) add({}, segments.rest());
  path_size_ = size_;
  if (const auto query = url.query()) cut_query(*query);
}

bool UrlParts::has(PartRole role) const noexcept {
  return std::ranges::any_of(all(), [&](const UrlPart& part) { return part.role == role; });
}

std::uint64_t UrlParts::hash_without(std::span<const PartRole> roles) const noexcept {
  // The number of segments distinguishes /a/b?c from /a?b&c.
  std::uint64_t hash = base::hash64(host_, path_size_);
  for (const UrlPart& part : all()) {
    hash = base::hash64(part.name, hash);
    const bool matters = std::ranges::find(roles, part.role) == roles.end();
    hash = matters ? base::hash64(part.value, hash) : ~hash;
  }
  return hash;
}

void UrlParts::add(std::string_view name, std::string_view value) noexcept {
  parts_[size_++] = {.name = name, .value = value};
}

void UrlParts::cut_query(std::string_view query) noexcept {
  for (std::size_t count = 0; !query.empty(); ++count) {
    if (count == kParametersMax) return add({}, query);
    const std::string_view parameter = query.substr(0, query.find('&'));
    const std::size_t equals = parameter.find('=');
    const bool has_value = equals != std::string_view::npos;
    add(parameter.substr(0, equals), has_value ? parameter.substr(equals + 1) : std::string_view());
    query.remove_prefix(std::min(query.size(), parameter.size() + 1));
  }
}

}  // namespace gossamer::crawler
