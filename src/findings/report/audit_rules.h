// The rules of the site audit: faults of pages that readers and search engines notice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "record/record.h"

namespace gossamer::report {

enum class AuditRule : std::uint8_t {
  // A page alone shows these.
  title_missing,
  title_long,
  title_short,
  description_missing,
  description_long,
  h1_missing,
  h1_several,
  h1_empty,
  image_without_alt,
  soft_404,
  lang_missing,
  canonical_several,
  thin_page,
  empty_without_scripts,
  // These need other pages.
  title_duplicate,
  description_duplicate,
  canonical_elsewhere,
  canonical_broken,
  noindex,
  noindex_in_sitemap,
  sitemap_redirect,
  sitemap_broken,
  hreflang_no_return,
  redirect_chain,
};
inline constexpr std::size_t kAuditRules = 24;

// "title_missing": stable, because files contain it.
std::string_view name(AuditRule rule) noexcept;
// A sentence for people.
std::string_view describe(AuditRule rule) noexcept;

// Longer texts are cut in lists of results. Characters, not bytes.
inline constexpr std::size_t kTitleCharactersMax = 70;
inline constexpr std::size_t kDescriptionCharactersMax = 160;
// A title with fewer characters says hardly anything in a list of results.
inline constexpr std::size_t kTitleCharactersMin = 10;
// A page with fewer words is thin.
inline constexpr std::uint64_t kThinWordsMin = 50;
// A page with fewer words and at least one script is empty without scripts.
inline constexpr std::uint64_t kWordsMin = 10;
// A page with more words is not an error page, whatever its title says.
inline constexpr std::uint64_t kErrorPageWordsMax = 300;

// A set of rules.
class AuditFaults {
 public:
  constexpr void add(AuditRule rule) noexcept { bits_ |= bit_of(rule); }
  constexpr bool has(AuditRule rule) const noexcept { return (bits_ & bit_of(rule)) != 0; }
  friend constexpr bool operator==(AuditFaults, AuditFaults) = default;

 private:
  static constexpr std::uint32_t bit_of(AuditRule rule) noexcept {
    return 1U << static_cast<unsigned>(rule);
  }
  std::uint32_t bits_ = 0;
};
static_assert(kAuditRules <= 32);

// Returns whether the record is a page that the audit judges. It needs metadata.
bool is_audited(const crawler::FetchRecord& record);
// Returns the faults that the page alone shows. Pages that search engines must not show have none.
// REQUIRES: is_audited().
AuditFaults faults_of_page(const crawler::FetchRecord& record);
// Returns whether the page asks search engines not to show it.
bool is_noindex(const crawler::FetchRecord& record);
// Returns whether a title or heading says that the page does not exist, in one of 16 languages.
bool says_not_found(std::string_view text);
std::size_t count_characters(std::string_view text) noexcept;

}  // namespace gossamer::report
