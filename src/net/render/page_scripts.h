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

// Returns {"complete": ..., "links": ..., "elements": ...}.
extern const std::string_view kLookScript;
Result<Look> parse_look(std::string_view json);

struct PageContent {
  std::string url;
  std::string html;
  std::vector<std::string> links;  // absolute, each once, in the order of the page
  bool is_cut = false;             // the page is longer
};

// Open shadow roots become <template shadowrootmode="open">, as pages are written that have them
// from the start. BOUND: the length of the page, and kLinksMax links.
std::string content_script(std::size_t html_bytes_max);
Result<PageContent> parse_content(std::string_view json);
inline constexpr std::size_t kLinksMax = 20'000;

}  // namespace gossamer::render
