#pragma once

#include <cstdint>

#include "base/result.h"

namespace gossamer::crawler {

// Guards against sites that generate endless URLs. Skipping a real page is worse than fetching a
// few hundred generated ones, so all guards are lenient. Each can be disabled and has its own
// SkipReason.
struct TrapOptions {
  // /a/b/a/b/a/b/a/b, from relative links on a page that exists at every path.
  bool repeated_segments = true;
  // How often one to four segments may repeat in a row (except numbers: map tiles).
  std::uint32_t cycle_repeats_max = 3;
  // How often one segment may occur in a path (except numbers).
  std::uint32_t segment_repeats_max = 4;

  // Paths with very many segments.
  bool path_depth = true;
  std::uint32_t path_segments_max = 20;

  // Pages for every day or month: a date at the end of the path or in the query.
  // (/2024/05/06/a-title is an article; only a date at the end of the path is a calendar.)
  bool calendar = true;
  // The first year that a calendar may show, and how many years it may be ahead of today.
  std::uint32_t year_min = 1900;
  std::uint32_t years_ahead_max = 2;
  // The same for years without a month, which may be arbitrarily early: ?year=1839.
  std::uint32_t lone_years_ahead_max = 20;
  // The number of dates for the same URL: a daily page for eleven years.
  std::uint32_t dates_per_page_max = 4'000;

  // The same page with ever new tokens, because each response has another one in its links.
  bool session_growth = true;
  // The number of tokens for the same URL: if the name or the form shows a session, and if it may
  // also be the number of an item.
  std::uint32_t sessions_per_page_max = 20;
  std::uint32_t tokens_per_page_max = 5'000;

  // Endless numbered pages: /list?page=7, found on /list?page=6, and so on.
  bool endless_series = true;
  // Pages of the series that are found on consecutive pages of it which have no other new links and
  // differ only in words with digits: so many weather stations.
  std::uint32_t alike_pages_max = 1'500;
  // The same for calendars: /events?year=2026&month=5, /calendar/7.
  std::uint32_t alike_dates_max = 90;
  // Consecutive pages without other new links, with any content: a novel with this many chapters.
  std::uint32_t unlinking_pages_max = 2'000;

  // Endless hosts: a domain that answers for every subdomain.
  bool domain_hosts = true;
  // Hosts of one registrable domain; roots do not count.
  std::uint32_t hosts_per_domain_max = 10'000;

  // BOUND: counted pages (URLs without their date or token). Four tables, 16 bytes per slot, at
  // most 80 % full: 33 MB in total. Beyond that, counts below 20 are forgotten, and if that does
  // not help, all.
  std::uint32_t counted_pages_max = 250'000;
};

// Fails with Errc::invalid_argument for bounds that would reject every URL.
Result<void> validate(const TrapOptions& options);

}  // namespace gossamer::crawler
