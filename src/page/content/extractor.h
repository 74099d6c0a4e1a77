// Takes fields out of pages by rules.
//
//   const auto extractor = content::Extractor::compile({"title=h1; next=a.next@href"});
//   const content::Extracted found = extractor->extract(page, {.url = &url});
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "content/extract_rule.h"
#include "content/extracted.h"
#include "content/page_links.h"
#include "dom/document.h"

namespace gossamer::content {

// BOUND: the rest of a longer page is not read.
inline constexpr std::size_t kExtractPageBytesMax = 4 * 1024 * 1024;
// BOUND: nodes of the tree, steps of all searches on one page, and work for all texts. They limit
// the time per page.
inline constexpr std::size_t kExtractNodesMax = 256 * 1024;
inline constexpr std::uint64_t kExtractStepsMax = 4'000'000;
inline constexpr std::size_t kExtractTextWorkMax = 1'000'000;
// BOUND: matches of one rule, bytes of one value, and bytes of all values of a page.
inline constexpr std::size_t kExtractValuesMax = 1000;
inline constexpr std::size_t kExtractValueBytesMax = 64 * 1024;
inline constexpr std::size_t kExtractBytesMax = 1024 * 1024;

struct Extracted {
  std::vector<ExtractedField> fields;  // one per rule, in their order
  bool is_truncated = false;           // a bound was reached, so values may be missing
};

// Rules, compiled once for many pages.
class Extractor {
 public:
  // Each text has one rule or several. Fails with Errc::invalid_argument and a detail that names
  // the rule.
  static Result<Extractor> compile(std::span<const std::string> texts);

  std::span<const ExtractRule> rules() const noexcept { return rules_; }

  // `page` is UTF-8. A value of href, src and the like is resolved against the page and its <base>;
  // one that is not a URL is returned as written.
  Extracted extract(std::string_view page, const PagePlace& place) const;
  Extracted extract(const dom::Document& document, const PagePlace& place) const;

 private:
  explicit Extractor(std::vector<ExtractRule> rules) : rules_(std::move(rules)) {}

  std::vector<ExtractRule> rules_;
};

// Returns the names of the fields, in their order. Fails like compile().
Result<std::vector<std::string>> extracted_names(std::span<const std::string> texts);

}  // namespace gossamer::content
