// A URL of the site as a kind and a number. The site has no list of its URLs; it computes one from
// the other.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::site {

enum class Kind : std::uint8_t {
  page,      // 0 is the root; those from SiteOptions::pages on are orphans
  copy,      // the body of the page with the same number, at another URL
  moved,     // redirects to the page with the same number
  redirect,  // to a page, to another redirect, in a loop, or out of the site
  missing,   // linked, but does not exist
  error,     // 403, 410, always 500, or temporarily 503 or 429
  document,  // a PDF file
  style,     // a style sheet
  image,     // a picture
  robots,    // /robots.txt
  sitemap,   // 0 is the index
  trap,      // endless; the number has no meaning
  nothing,   // neither linked nor existing
};

inline constexpr std::size_t kKindCount = static_cast<std::size_t>(Kind::nothing) + 1;

constexpr std::string_view name(Kind kind) noexcept {
  constexpr std::array<std::string_view, kKindCount> kNames = {
      "page",  "copy",  "moved",  "redirect", "missing", "error",  "document",
      "style", "image", "robots", "sitemap",  "trap",    "nothing"};
  return kNames[static_cast<std::size_t>(kind)];
}

struct Resource {
  std::uint32_t host = 0;
  Kind kind = Kind::nothing;
  std::uint64_t number = 0;

  friend constexpr auto operator<=>(const Resource&, const Resource&) = default;
};

}  // namespace gossamer::site
