// The scripts that read a page. They run in a world of their own, so the page can neither see nor
// change what they use.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "render/readiness.h"

namespace gossamer::render {

// Returns {"complete": ..., "missing": ..., "invalid": ..., "links": ..., "elements": ...}.
std::string look_script(std::string_view selector);
// Fails with Errc::invalid_argument if the selector is none.
Result<Look> parse_look(std::string_view json);

struct PageContent {
  std::string html;
  std::vector<std::string> links;  // absolute, each once, in the order of the page
  bool is_cut = false;             // the page is longer
};

// Keeps the links that the page has now, which content_script() returns too, and scrolls to the
// end.
std::string scroll_script();

// Open shadow roots become <template shadowrootmode="open">, as pages are written that have them
// from the start. BOUND: the length of the page, and kLinksMax links.
std::string content_script(std::size_t html_bytes_max);
Result<PageContent> parse_content(std::string_view json);
inline constexpr std::size_t kLinksMax = 20'000;

}  // namespace gossamer::render
