#include "record/page_row.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

#include "base/errc.h"
#include "base/packing.h"
#include "record/outcome.h"
#include "record/record_fields.h"

// A row begins with the version of its layout. Older layouts stay readable; newer ones are
// rejected.
namespace gossamer::store {
namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kUsualRowBytes = 512;
// Version 1 has no count of truncated bodies, and those before version 4 none of rendered pages.
constexpr std::uint64_t kStatisticsVersion = 4;

using crawler::Outcome;

// Redirects and errors were there before the others.
constexpr auto kOtherOutcomes =
    std::to_array({Outcome::page, Outcome::truncated, Outcome::unwanted});

template <class Statistics>
auto& outcome_in(Statistics& statistics, Outcome outcome) {
  return statistics.outcomes[static_cast<std::size_t>(outcome)];
}

// Earlier versions counted only redirects and failed responses, not statuses.
void count_outcomes_of_statuses(crawler::Statistics& statistics) {
  for (const std::string_view name : {crawler::kUnwantedType, base::name(Errc::cancelled)}) {
    auto moved = statistics.by_error.extract(std::string(name));
    if (!moved.empty()) statistics.by_unwanted.insert(std::move(moved));
  }
  for (const auto& [status, count] : statistics.by_status) {
    if (status >= 400) statistics.by_error[std::to_string(status)] += count;
  }
  const auto cut = statistics.by_error.extract(std::string(base::name(Errc::over_limit)));
  std::uint64_t left = statistics.pages;
  const auto take = [&](Outcome outcome, std::uint64_t count) {
    outcome_in(statistics, outcome) = std::min(count, left);
    left -= std::min(count, left);
  };
  const auto sum = [](const auto& counts) {
    std::uint64_t all = 0;
    for (const auto& [name, count] : counts) all += count;
    return all;
  };
  take(Outcome::redirect, outcome_in(statistics, Outcome::redirect));
  take(Outcome::truncated, cut.empty() ? 0 : cut.mapped());
  take(Outcome::error, sum(statistics.by_error));
  take(Outcome::unwanted, sum(statistics.by_unwanted));
  take(Outcome::page, left);
}

template <class Statistics>
auto numbers_of(Statistics& statistics) {
  return std::array{&statistics.pages,
                    &statistics.answered,
                    &outcome_in(statistics, Outcome::redirect),
                    &outcome_in(statistics, Outcome::error),
                    &statistics.retries,
                    &statistics.duplicates,
                    &statistics.bytes,
                    &statistics.wire_bytes,
                    &statistics.links_found,
                    &statistics.links_new};
}

void pack_counts(Packer& packer, const std::map<std::string, std::uint64_t, std::less<>>& counts) {
  packer.number(counts.size());
  for (const auto& [name, count] : counts) {
    packer.text(name);
    packer.number(count);
  }
}

void unpack_counts(Unpacker& from, std::map<std::string, std::uint64_t, std::less<>>& counts) {
  for (std::uint64_t left = from.number(); left > 0 && from.is_good(); --left) {
    std::string name(from.text());
    counts[std::move(name)] = from.number();
  }
}

void pack_rendering(Packer& packer, const crawler::Statistics& statistics) {
  packer.number(statistics.needs_scripts);
  packer.number(statistics.rendered);
  packer.number(statistics.rendered_gained);
  packer.number(statistics.rendered_by_pattern.size());
  for (const auto& [pattern, counts] : statistics.rendered_by_pattern) {
    packer.text(pattern);
    packer.number(counts.pages);
    packer.number(counts.gained);
  }
  pack_counts(packer, statistics.by_rendering_error);
}

void unpack_rendering(Unpacker& from, crawler::Statistics& statistics) {
  statistics.needs_scripts = from.number();
  statistics.rendered = from.number();
  statistics.rendered_gained = from.number();
  for (std::uint64_t left = from.number(); left > 0 && from.is_good(); --left) {
    auto& counts = statistics.rendered_by_pattern[std::string(from.text())];
    counts.pages = from.number();
    counts.gained = from.number();
  }
  unpack_counts(from, statistics.by_rendering_error);
}

}  // namespace

std::string pack_page(const crawler::FetchRecord& record) {
  std::uint64_t flags = 0;
  std::uint64_t known = 0;
  for (const crawler::RecordField* const field : crawler::row_fields()) {
    const crawler::RowPlace& row = field->row;
    if ((row.flag & ~known) == 0) continue;
    known |= row.flag;
    if (row.is_there(record)) flags |= row.flag;
  }
  Packer packer;
  packer.reserve(kUsualRowBytes);
  packer.number(kVersion);
  packer.number(flags);
  for (const crawler::RecordField* const field : crawler::row_fields()) {
    if ((field->row.flag & ~flags) == 0) field->pack(packer, record);
  }
  return std::move(packer).take();
}

Result<crawler::FetchRecord> unpack_page(std::string_view row) {
  Unpacker from(row);
  if (from.number() != kVersion)
    return fail(Errc::malformed, "the row of a page has another version");
  std::uint64_t unread = from.number();
  const std::uint64_t flags = unread;
  crawler::FetchRecord record;
  for (const crawler::RecordField* const field : crawler::row_fields()) {
    unread &= ~field->row.flag;
    if ((field->row.flag & ~flags) == 0) field->unpack(from, record);
  }
  // What an unknown flag announces was read as something else.
  if (unread != 0) return fail(Errc::malformed, "the row of a page is newer");
  if (!from.is_good() || !from.is_at_end()) return fail(Errc::malformed, "invalid row of a page");
  return record;
}

void pack_skip(std::string& row, const crawler::SkippedUrl& skipped) {
  Packer packer;
  packer.text(skipped.url);
  packer.text(crawler::name(skipped.reason));
  packer.text(skipped.via);
  packer.number(skipped.depth);
  packer.text(skipped.detail);
  row += std::move(packer).take();
}

Result<std::vector<StoredSkip>> unpack_skips(std::string_view row) {
  Unpacker from(row);
  std::vector<StoredSkip> skips;
  while (from.is_good() && !from.is_at_end()) {
    StoredSkip skip;
    skip.url = from.text();
    skip.reason = crawler::skip_reason_named(from.text());
    skip.via = from.text();
    skip.depth = static_cast<std::uint32_t>(from.number());
    skip.detail = from.text();
    skips.push_back(std::move(skip));
  }
  if (!from.is_good()) return fail(Errc::malformed, "invalid row of skipped URLs");
  return skips;
}

std::string pack_statistics(const crawler::Statistics& statistics) {
  Packer packer;
  packer.number(kStatisticsVersion);
  for (const std::uint64_t* const number : numbers_of(statistics)) packer.number(*number);
  packer.number(statistics.truncated);
  for (const Outcome outcome : kOtherOutcomes) packer.number(outcome_in(statistics, outcome));
  packer.number(statistics.by_status.size());
  for (const auto& [status, count] : statistics.by_status) {
    packer.signed_number(status);
    packer.number(count);
  }
  for (const auto* const map :
       {&statistics.by_type, &statistics.by_error, &statistics.by_unwanted}) {
    pack_counts(packer, *map);
  }
  pack_rendering(packer, statistics);
  for (std::size_t i = 0; i < crawler::kSkipReasons; ++i) {
    if (statistics.skipped[i] == 0) continue;
    packer.text(crawler::name(static_cast<crawler::SkipReason>(i)));
    packer.number(statistics.skipped[i]);
  }
  return std::move(packer).take();
}

Result<crawler::Statistics> unpack_statistics(std::string_view row) {
  Unpacker from(row);
  const std::uint64_t version = from.number();
  if (version == 0 || version > kStatisticsVersion)
    return fail(Errc::malformed, "the statistics have another version");
  crawler::Statistics statistics;
  for (std::uint64_t* const number : numbers_of(statistics)) *number = from.number();
  if (version > 1) statistics.truncated = from.number();
  for (const Outcome outcome : kOtherOutcomes) {
    if (version > 2) outcome_in(statistics, outcome) = from.number();
  }
  for (std::uint64_t left = from.number(); left > 0 && from.is_good(); --left) {
    const int status = static_cast<int>(from.signed_number());
    statistics.by_status[status] = from.number();
  }
  for (auto* const map : {&statistics.by_type, &statistics.by_error, &statistics.by_unwanted}) {
    if (map == &statistics.by_unwanted && version < 3) break;
    unpack_counts(from, *map);
  }
  if (version > 3) unpack_rendering(from, statistics);
  while (from.is_good() && !from.is_at_end()) {
    const crawler::SkipReason reason = crawler::skip_reason_named(from.text());
    statistics.add(reason, from.number());
  }
  if (!from.is_good()) return fail(Errc::malformed, "invalid statistics");
  if (version < 3) count_outcomes_of_statuses(statistics);
  return statistics;
}

}  // namespace gossamer::store
