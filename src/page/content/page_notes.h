// What a page says about its kind: types of structured data, its address, dates.
#pragma once

#include <cstdint>

#include "dom/document.h"

namespace gossamer::content {

// Counts.
struct PageNotes {
  std::uint32_t articles = 0;   // structured data of articles
  std::uint32_t products = 0;   // of products and offers
  std::uint32_t threads = 0;    // of forums, questions, posts
  std::uint32_t lists = 0;      // of lists and collections
  std::uint32_t companies = 0;  // of organizations, services, programs
  std::uint32_t og_article = 0;
  std::uint32_t og_product = 0;
  std::uint32_t og_website = 0;
  std::uint32_t times = 0;          // <time>
  std::uint32_t path_segments = 9;  // of the canonical URL; 9: unknown
  std::uint32_t path_hyphens = 0;   // of its last segment
};

// Time is linear in the size of the document.
PageNotes page_notes(const dom::Document& document);

}  // namespace gossamer::content
