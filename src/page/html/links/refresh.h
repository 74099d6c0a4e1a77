// <meta http-equiv=refresh> and the Refresh header.
// https://html.spec.whatwg.org/#shared-declarative-refresh-steps
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gossamer::html {

struct Refresh {
  std::uint64_t seconds = 0;            // whole seconds; saturates
  std::optional<std::string_view> url;  // not resolved; none: the page itself
};

// Returns nothing if the standard sees no refresh. BORROWS: the URL views `content`.
std::optional<Refresh> parse_refresh(std::string_view content) noexcept;

}  // namespace gossamer::html
