// Takes fields out of pages by rules.
//
//   const auto extractor = content::Extractor::compile({"title=h1; next=a.next@href"});
//   const content::Extracted found = extractor->extract(page, {.url = &url});
//
// With a selector of items, each match is a row of its own: its fields are searched in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "content/extract_rule.h"
#include "content/extracted.h"
#include "content/page_links.h"
#include "dom/document.h"
#include "dom/query.h"

namespace gossamer::content {

// BOUND: the rest of a longer page is not read.
inline constexpr std::size_t kExtractPageBytesMax = 4 * 1024 * 1024;
// BOUND: nodes of the tree, steps of all searches on one page, and work for all texts. They limit
// the time per page.
inline constexpr std::size_t kExtractNodesMax = 256 * 1024;
inline constexpr std::uint64_t kExtractStepsMax = 4'000'000;
inline constexpr std::size_t kExtractTextWorkMax = 1'000'000;
// BOUND: matches of one rule, items of a page, and values of all its items.
inline constexpr std::size_t kExtractValuesMax = 1000;
inline constexpr std::size_t kExtractItemsMax = 1000;
inline constexpr std::size_t kExtractItemValuesMax = 16 * 1024;
// BOUND: bytes of one value, and of all values of a page.
inline constexpr std::size_t kExtractValueBytesMax = 64 * 1024;
inline constexpr std::size_t kExtractBytesMax = 1024 * 1024;

struct Extracted {
  // One per rule, in their order. With items, these of the first item, then of the next one.
  std::vector<ExtractedField> fields;
  bool is_truncated = false;  // a bound was reached, so values may be missing
};

// Rules, compiled once for many pages.
class Extractor {
 public:
  // Each text has one rule or several. `items` selects the elements that are rows (dom/query.h);
  // empty: the page is one row. Fails with Errc::invalid_argument and a detail that names the rule.
  static Result<Extractor> compile(std::span<const std::string> texts, std::string_view items = {});

  std::span<const ExtractRule> rules() const noexcept { return rules_; }
  bool has_items() const noexcept { return items_.has_value(); }

  // `page` is UTF-8. A value of href, src and the like is resolved against the page and its <base>;
  // one that is not a URL is returned as written.
  Extracted extract(std::string_view page, const PagePlace& place) const;
  Extracted extract(const dom::Document& document, const PagePlace& place) const;

 private:
  Extractor(std::vector<ExtractRule> rules, std::optional<dom::Query> items)
      : rules_(std::move(rules)), items_(std::move(items)) {}

  std::vector<ExtractRule> rules_;
  std::optional<dom::Query> items_;
};

// Returns the names of the fields, in their order. Fails like compile().
Result<std::vector<std::string>> extracted_names(std::span<const std::string> texts);

}  // namespace gossamer::content
