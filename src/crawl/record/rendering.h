#pragma once

#include <cstdint>
#include <string_view>

#include "base/time.h"

namespace gossamer::crawler {

// Why a page was rendered in a browser.
inline constexpr std::string_view kRenderedAlways = "always";  // RenderMode::always
inline constexpr std::string_view kRenderedEmpty = "empty";    // it shows nothing without scripts
inline constexpr std::string_view kRenderedHint = "hint";      // it says that it needs scripts

// What rendering a page took and gave.
struct Rendering {
  std::string_view why;
  std::string_view error;  // a short stable code; empty: it was rendered
  Duration took = {};
  std::uint32_t requests = 0;
  bool has_gained = false;  // links or text

  friend bool operator==(const Rendering&, const Rendering&) = default;
};

}  // namespace gossamer::crawler
