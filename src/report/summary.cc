#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/escape.h"
#include "base/figures.h"
#include "crawl/scope/skip_reason.h"
#include "report/phrases.h"

namespace gossamer::report {
namespace {

// The rest of a long list is summed up in one line.
constexpr std::size_t kLinesPerSection = 12;

using Row = std::pair<std::string, std::uint64_t>;

// The title is in the first row, and rows are aligned:
//   status        200         480
//                 404          12
void add_section(std::string& report, std::string_view title, std::vector<Row> rows) {
  if (rows.empty()) return;
  if (rows.size() > kLinesPerSection) {
    std::uint64_t rest = 0;
    for (std::size_t i = kLinesPerSection - 1; i < rows.size(); ++i) rest += rows[i].second;
    rows.resize(kLinesPerSection - 1);
    rows.emplace_back("others", rest);
  }
  for (const auto& [label, count] : rows) {
    report += fmt::format("  {:<14}{:<26} {:>12}\n", std::exchange(title, ""),
                          base::escape_for_terminal(label), base::grouped(count));
  }
}

void sort_by_count(std::vector<Row>& rows) {
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
}

// The most frequent first.
template <class Counts>
std::vector<Row> rows_of(const Counts& counts) {
  std::vector<Row> rows;
  for (const auto& [what, count] : counts) rows.emplace_back(fmt::format("{}", what), count);
  sort_by_count(rows);
  return rows;
}

std::vector<Row> rows_of_skipped(const crawler::Statistics& statistics) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < statistics.skipped.size(); ++i) {
    if (statistics.skipped[i] == 0) continue;
    rows.emplace_back(crawler::name(static_cast<crawler::SkipReason>(i)), statistics.skipped[i]);
  }
  sort_by_count(rows);
  return rows;
}

std::vector<Row> rows_of_totals(const crawler::Statistics& statistics) {
  std::vector<Row> rows;
  const auto add = [&rows](std::string_view label, std::uint64_t count) {
    if (count > 0) rows.emplace_back(label, count);
  };
  add("redirects", statistics.redirects);
  add("duplicates", statistics.duplicates);
  add("retries", statistics.retries);
  add("incomplete bodies", statistics.truncated);
  add("links", statistics.links_found);
  add("links to new pages", statistics.links_new);
  return rows;
}

// What the URLs turned out to be: each is a page, a redirect or an error.
struct Kinds {
  std::uint64_t pages = 0;
  std::uint64_t errors = 0;
};

Kinds kinds_of(const crawler::Statistics& statistics) {
  Kinds kinds;
  for (const auto& [status, count] : statistics.by_status) {
    if ((status >= 200 && status < 300) || status == 304) kinds.pages += count;
  }
  const std::uint64_t others = statistics.redirects + kinds.pages;
  kinds.errors = statistics.pages - std::min(statistics.pages, others);
  return kinds;
}

std::string how_it_ended(const crawler::Statistics& statistics, crawler::EndReason end) {
  if (end == crawler::EndReason::finished && statistics.truncated > 0) {
    const bool is_one = statistics.truncated == 1;
    return fmt::format(
        "{}{}{} incomplete", describe(end, statistics),
        guessed_skips(statistics) > 0 ? "; " : ", but ",
        is_one ? "one body is" : base::grouped(statistics.truncated) + " bodies are");
  }
  if (end != crawler::EndReason::incomplete) return describe(end, statistics);
  const crawler::Unreached& unreached = statistics.unreached;
  std::string text =
      fmt::format("incomplete: {} unreachable", base::counted(unreached.hosts, "host"));
  if (unreached.urls_queued > 0) {
    text += fmt::format(", {} queued", base::counted(unreached.urls_queued, "URL"));
  }
  if (unreached.urls_dropped > 0) {
    text += fmt::format(", {} not fetched", base::counted(unreached.urls_dropped, "URL"));
  }
  return text;
}

}  // namespace

std::string count_lines(const crawler::Statistics& statistics) {
  std::string counts;
  add_section(counts, "status", rows_of(statistics.by_status));
  add_section(counts, "content type", rows_of(statistics.by_type));
  add_section(counts, "errors", rows_of(statistics.by_error));
  add_section(counts, "skipped", rows_of_skipped(statistics));
  add_section(counts, "totals", rows_of_totals(statistics));
  return counts;
}

std::string summary(const crawler::Statistics& statistics, crawler::EndReason end, Duration took) {
  const double seconds = std::max(std::chrono::duration<double>(took).count(), 1e-9);
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(statistics.pages) / seconds);
  const Kinds kinds = kinds_of(statistics);
  const std::string line = fmt::format(
      "{} in {} ({}/s): {}, {}, {}; {} of content, {} received: {}\n",
      base::counted(statistics.pages, "URL"), base::short_time(took), base::grouped(rate),
      base::counted(kinds.pages, "page"), base::counted(statistics.redirects, "redirect"),
      base::counted(kinds.errors, "error"), base::byte_count(statistics.bytes),
      base::byte_count(statistics.wire_bytes), how_it_ended(statistics, end));
  return line + count_lines(statistics);
}

}  // namespace gossamer::report
