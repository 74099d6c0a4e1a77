#include "serve/range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/hash.h"
#include "wire/text.h"

namespace gossamer::serve {
namespace {

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // exclusive; not after the end of the body
};

std::optional<std::uint64_t> number_of(std::string_view digits) {
  constexpr std::size_t kDigitsMax = 15;
  if (digits.empty() || digits.size() > kDigitsMax) return {};
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (!wire::is_digit(c)) return {};
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

// Nothing: it is not one range in bytes. A range that is behind the end is empty.
std::optional<Range> parse_range(std::string_view text, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!text.starts_with(kUnit)) return {};
  text.remove_prefix(kUnit.size());
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return {};
  const auto first = number_of(text.substr(0, dash));
  const auto last = number_of(text.substr(dash + 1));
  if (dash == 0) {
    if (!last) return {};
    return Range{.begin = size - std::min(*last, size), .end = size};
  }
  const bool is_open = dash + 1 == text.size();
  if (!first || (!last && !is_open) || (last && *last < *first)) return {};
  return Range{.begin = std::min(*first, size), .end = is_open ? size : std::min(*last + 1, size)};
}

}  // namespace

void select_range(const server::Request& request, server::Response& response) {
  if (response.status != 200 || response.stream) return;
  const std::string etag = fmt::format(
      "\"{:016x}\"", response.mapped.owner ? response.mapped.hash : base::hash64(response.body));
  response.fields.emplace_back("ETag", etag);
  response.fields.emplace_back("Accept-Ranges", "bytes");
  if (request.count("Range") != 1) return;
  if (const auto condition = request.find("If-Range"); condition && *condition != etag) return;
  const std::uint64_t size = response.bytes().size();
  const auto range = parse_range(*request.find("Range"), size);
  if (!range) return;
  if (range->begin >= range->end) {
    response.status = 416;
    response.body.clear();
    response.mapped = {};
    response.fields.emplace_back("Content-Range", fmt::format("bytes */{}", size));
    return;
  }
  response.status = 206;
  const std::uint64_t length = range->end - range->begin;
  if (response.mapped.owner) {
    response.mapped.bytes = response.mapped.bytes.substr(range->begin, length);
  } else {
    response.body = response.body.substr(range->begin, length);
  }
  response.fields.emplace_back("Content-Range",
                               fmt::format("bytes {}-{}/{}", range->begin, range->end - 1, size));
}

}  // namespace gossamer::serve
