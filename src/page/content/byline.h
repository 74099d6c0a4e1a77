// What a page shows around its headline: who wrote the text, and when.
#pragma once

#include <cstddef>
#include <string>

#include "content/date_text.h"
#include "dom/document.h"

namespace gossamer::content {

struct Byline {
  std::string author;
  std::string day;                // "2024-05-06"
  bool has_falling_days = false;  // older days follow, as in a list of news
};

// BOUND: text before and after the beginning of the headline that is searched.
inline constexpr std::size_t kBylineBytesBefore = 100;
inline constexpr std::size_t kBylineBytesAfter = 2500;

// `headline` is an element of the document. Time is linear in the size of the document.
Byline read_byline(const dom::Document& document, const dom::Node& headline, NumberOrder order);

}  // namespace gossamer::content
