// The rules for crawlers in a page or its response: <meta name="robots"> and X-Robots-Tag.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace gossamer::robots {

enum class ImagePreview : std::uint8_t { none, standard, large };

// Rules accumulate: everything that any header or element forbids is forbidden.
struct PageRules {
  bool no_index = false;
  bool no_follow = false;  // no link of the page must be followed
  bool no_archive = false;
  bool no_snippet = false;
  bool no_image_index = false;
  bool no_translate = false;
  std::optional<std::uint32_t> snippet_characters_max;
  std::optional<std::uint32_t> video_preview_seconds_max;
  std::optional<ImagePreview> image_preview_max;
  std::optional<WallTime> unavailable_after;

  // Adds the value of one X-Robots-Tag header:
  //   noindex, nofollow
  //   otherbot: noindex
  //   unavailable_after: 25 Jun 2030 15:00:00 GMT
  // Rules after a name are for that crawler only. `agent` is our product token.
  void add_header(std::string_view value, std::string_view agent);

  // Adds the `name` and `content` of a <meta>. Names other than "robots" and `agent` are ignored.
  void add_meta(std::string_view name, std::string_view content, std::string_view agent);

  friend bool operator==(const PageRules&, const PageRules&) = default;

 private:
  void add(std::string_view rule);
  void add_valued(std::string_view name, std::string_view value);
};

// Returns the rules that forbid something: "noindex, noarchive". Empty: there are none.
std::string to_text(const PageRules& rules);

}  // namespace gossamer::robots
