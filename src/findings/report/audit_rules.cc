#include "report/audit_rules.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "content/metadata.h"
#include "record/outcome.h"

namespace gossamer::report {
namespace {

struct RuleText {
  std::string_view name;
  std::string_view text;
};

// In the order of AuditRule.
constexpr std::array<RuleText, kAuditRules> kRuleTexts = {{
    {"title_missing", "the page has no title"},
    {"title_long", "the title has more than 70 characters"},
    {"title_short", "the title has fewer than 10 characters"},
    {"description_missing", "the page has no description"},
    {"description_long", "the description has more than 160 characters"},
    {"h1_missing", "the page has no h1 heading"},
    {"h1_several", "the page has several h1 headings"},
    {"h1_empty", "an h1 heading has no text"},
    {"image_without_alt", "images have no alt text"},
    {"soft_404", "the page says that it does not exist, but its status is 200"},
    {"lang_missing", "the page does not name its language (html lang)"},
    {"canonical_several", "the page names several canonical URLs"},
    {"thin_page", "the page has fewer than 50 words"},
    {"empty_without_scripts", "the page has hardly any text unless scripts run"},
    {"title_duplicate", "other pages have the same title"},
    {"description_duplicate", "other pages have the same description"},
    {"canonical_elsewhere", "the canonical URL is another page"},
    {"canonical_broken", "the canonical URL is an error or a redirect"},
    {"noindex", "the page says noindex, so search engines do not show it"},
    {"noindex_in_sitemap", "a sitemap lists the page, but it says noindex"},
    {"sitemap_redirect", "a sitemap lists a URL that redirects"},
    {"sitemap_broken", "a sitemap lists a URL that is an error"},
    {"hreflang_no_return", "a translation does not link back"},
    {"redirect_chain", "several redirects follow each other"},
}};

constexpr auto kNotFoundPhrases = std::to_array<std::string_view>({
#include "report/not_found_phrases.inc"
});

constexpr std::size_t kPhraseBytesMax = 300;

}  // namespace

std::string_view name(AuditRule rule) noexcept {
  return kRuleTexts[static_cast<std::size_t>(rule)].name;
}

std::string_view describe(AuditRule rule) noexcept {
  return kRuleTexts[static_cast<std::size_t>(rule)].text;
}

bool is_audited(const crawler::FetchRecord& record) {
  const int status = record.status.value_or(0);
  return record.metadata && status >= 200 && status < 300 && !record.is_requisite &&
         !record.is_leaf && crawler::outcome_of(record) == crawler::Outcome::page;
}

bool is_noindex(const crawler::FetchRecord& record) {
  return record.robots.find("noindex") != std::string::npos;
}

bool says_not_found(std::string_view text) {
  const std::string lower = base::lower_case(text.substr(0, kPhraseBytesMax));
  // "404", "404 - Example", "404: lost", but not "4040 records" or "404 Main Street".
  if (lower.starts_with("404")) {
    const std::size_t next = lower.find_first_not_of(' ', 3);
    constexpr std::string_view kSeparators = "-|:.,;!\xE2";  // the last one begins a long dash
    if (next == std::string::npos || kSeparators.contains(lower[next])) return true;
  }
  if (lower == "not found") return true;
  return std::ranges::any_of(kNotFoundPhrases, [&lower](std::string_view phrase) {
    return lower.find(phrase) != std::string::npos;
  });
}

std::size_t count_characters(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

AuditFaults faults_of_page(const crawler::FetchRecord& record) {
  AuditFaults faults;
  if (is_noindex(record)) return faults;
  const content::Metadata& page = *record.metadata;
  const auto is_h1 = [](const content::Metadata::Heading& heading) { return heading.level == 1; };
  const auto first_h1 = std::ranges::find_if(page.headings, is_h1);
  const bool has_h1 = first_h1 != page.headings.end();
  const auto check = [&faults](bool is_fault, AuditRule rule) {
    if (is_fault) faults.add(rule);
  };
  const bool is_error_page =
      says_not_found(record.title) || (has_h1 && says_not_found(first_h1->text));
  check(record.title.empty(), AuditRule::title_missing);
  check(count_characters(record.title) > kTitleCharactersMax, AuditRule::title_long);
  check(!record.title.empty() && count_characters(record.title) < kTitleCharactersMin,
        AuditRule::title_short);
  check(page.description.empty(), AuditRule::description_missing);
  check(count_characters(page.description) > kDescriptionCharactersMax,
        AuditRule::description_long);
  check(!has_h1, AuditRule::h1_missing);
  check(std::ranges::count_if(page.headings, is_h1) > 1, AuditRule::h1_several);
  check(std::ranges::any_of(
            page.headings,
            [&](const auto& heading) { return is_h1(heading) && heading.text.empty(); }),
        AuditRule::h1_empty);
  check(page.images_without_alt > 0, AuditRule::image_without_alt);
  const bool is_soft_404 = is_error_page && page.words <= kErrorPageWordsMax;
  const bool is_empty = page.words < kWordsMin && page.scripts > 0;
  check(is_soft_404, AuditRule::soft_404);
  check(page.language.empty(), AuditRule::lang_missing);
  check(page.has_several_canonicals, AuditRule::canonical_several);
  check(page.words < kThinWordsMin && !is_soft_404 && !is_empty, AuditRule::thin_page);
  check(is_empty, AuditRule::empty_without_scripts);
  return faults;
}

}  // namespace gossamer::report
