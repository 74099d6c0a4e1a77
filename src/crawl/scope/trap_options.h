#pragma once

#include <cstdint>

#include "base/result.h"

namespace gossamer::crawler {

// Guards against sites that make up URLs without end. A guard that refuses a real page does more
// harm than one that lets a few hundred made-up ones pass, so all of them err to that side; each
// can be switched off, and each refusal has its own SkipReason.
struct TrapOptions {
  // /a/b/a/b/a/b/a/b, which relative links on a page that answers to every path lead to.
  bool repeated_segments = true;
  // Times that one to four segments may stand in a row (numbers alone are exempt: map tiles).
  std::uint32_t cycle_repeats_max = 3;
  // Times that one segment may stand anywhere in a path (again, numbers are exempt).
  std::uint32_t segment_repeats_max = 4;

  // Paths of very many segments.
  bool path_depth = true;
  std::uint32_t path_segments_max = 20;

  // Pages made for every day or month there is: a date at the end of the path or in the query.
  // (/2024/05/06/a-title is an article; only a date that ends the path makes a calendar.)
  bool calendar = true;
  // The first year that a calendar may show, and how many years it may be ahead of today.
  std::uint32_t year_min = 1900;
  std::uint32_t years_ahead_max = 2;
  // The same for years without a month, which may be as early as they like: ?year=1839.
  std::uint32_t lone_years_ahead_max = 20;
  // Dates under which the same URL is asked for: a daily page for eleven years.
  std::uint32_t dates_per_page_max = 4'000;

  // The same page under ever new tokens, because each answer writes another one into its links.
  bool session_growth = true;
  // Tokens under which the same URL is asked for: where the name or the form says that it is a
  // session, and where it may as well be the number of an item.
  std::uint32_t sessions_per_page_max = 20;
  std::uint32_t tokens_per_page_max = 5'000;

  // Pages that are numbered without end: /list?page=7, found on /list?page=6, and so on.
  bool endless_series = true;
  // Pages in a row that lead to no others than those of the series, and are alike but for words
  // with digits.
  std::uint32_t alike_pages_max = 100;
  // The same whatever their content is: a novel of as many chapters.
  std::uint32_t unlinking_pages_max = 2'000;

  // Hosts without end: one domain answers under every name below it.
  bool domain_hosts = true;
  // Of one registrable domain; roots are not counted.
  std::uint32_t hosts_per_domain_max = 10'000;

  // BOUND: pages (URLs without their date or token) that are counted at a time. Four tables, 16
  // bytes a slot, at most 80 % full: 33 MB in all. When there are more, the small counts (below 20)
  // are forgotten, and if that does not help, all.
  std::uint32_t counted_pages_max = 250'000;
};

// Fails with Errc::invalid_argument for bounds that would refuse every URL.
Result<void> validate(const TrapOptions& options);

}  // namespace gossamer::crawler
