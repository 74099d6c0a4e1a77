// The parts of a page that a link can lead to: headings and terms with an id.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dom/document.h"

namespace gossamer::index {

// BOUND: of a page, and of one section.
inline constexpr std::size_t kSectionsMax = 1000;
inline constexpr std::size_t kAnchorBytesMax = 200;
inline constexpr std::size_t kHeadingBytesMax = 512;

struct Section {
  std::size_t begin = 0;  // of its heading in the main text, which is a line there
  std::string anchor;     // as the fragment of a URL, with escapes

  friend bool operator==(const Section&, const Section&) = default;
};

// Finds the headings of the main text, in its order. A heading at its begin is that of the whole
// page, so it is left out. Time is that of sorting the lines of the text.
std::vector<Section> find_sections(const dom::Document& document, std::string_view main);

// How sections are stored: "12 install\n40 install-windows\n", each place after the one before.
std::string sections_text(const std::vector<Section>& sections);
// Sections beyond the text are left out: the index may be damaged.
std::vector<Section> parse_sections(std::string_view text, std::size_t main_bytes);

// The heading of a section.
std::string_view heading_of(const Section& section, std::string_view main);

}  // namespace gossamer::index
