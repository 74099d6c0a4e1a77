#pragma once

#include <cstdint>
#include <string>
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
  bool is_cut = false;      // the rendered page is longer than what was read

  friend bool operator==(const Rendering&, const Rendering&) = default;
};

// Returns host and path of a URL, with "*" for what differs among pages of one kind: the last name
// of a path, long names, and those with digits. "https://a.example/blog/2024/x":
// "a.example/blog/*/*".
std::string pattern_of(std::string_view url);

}  // namespace gossamer::crawler
