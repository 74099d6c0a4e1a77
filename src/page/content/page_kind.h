// What kind of page a page is, by what it says and by its shape.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dom/document.h"

namespace gossamer::content {

enum class PageKind : std::uint8_t {
  unsure,
  article,
  documentation,
  service,  // what a company or a program does
  forum,    // a thread or a question with answers
  product,
  collection,  // products of a shop
  listing,     // other lists: news, results, directories
};

// "article"; empty if unsure.
std::string_view name(PageKind kind) noexcept;

// What a page says. BORROWS: the texts.
struct PageKindClaims {
  std::string_view url;
  std::string_view generator;          // of <meta>
  std::string_view open_graph;         // og:type
  std::span<const std::string> types;  // of structured data: "Product"
  bool has_author = false;
  bool has_date = false;
};

// Adds up what speaks for each kind. Unsure unless one has many points, and more than the others.
// Time is linear in the size of the document.
PageKind find_page_kind(const dom::Document& document, const PageKindClaims& claims);

}  // namespace gossamer::content
