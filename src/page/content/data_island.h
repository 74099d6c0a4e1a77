// Text that a page has only as data, which its scripts would show.
#pragma once

#include <cstddef>
#include <string>

#include "dom/document.h"

namespace gossamer::content {

// BOUND: bytes of one JSON text, and of the HTML that is made of all texts.
inline constexpr std::size_t kIslandJsonBytesMax = 4 * 1024 * 1024;
inline constexpr std::size_t kIslandBytesMax = 1024 * 1024;

// Returns the text as HTML: of JSON-LD, of attributes with preloaded data (Discourse), of scripts
// with JSON (Next.js and the like), in this order; empty if the page has none. Time is linear in
// the size of the document.
std::string data_island(const dom::Document& document);

}  // namespace gossamer::content
