#include "scope/url_score.h"

#include <algorithm>
#include <string_view>

namespace gossamer::crawler {

std::uint8_t url_score(const url::Url& url, std::uint32_t depth) noexcept {
  const std::string_view path = url.pathname();
  const auto folders = static_cast<std::uint32_t>(std::ranges::count(path, '/'));
  const std::string_view query = url.search();
  const auto parameters = static_cast<std::uint32_t>(std::ranges::count(query, '='));
  // A level of depth costs a little more than a folder; long names cost a little.
  const std::uint32_t cost =
      8 * std::min(depth, 20U) + 6 * std::min(folders, 15U) + (query.empty() ? 0 : 15) +
      5 * std::min(parameters, 6U) +
      static_cast<std::uint32_t>(std::min<std::size_t>(path.size() / 16, 15));
  return static_cast<std::uint8_t>(255 - std::min(cost, 255U));
}

}  // namespace gossamer::crawler
