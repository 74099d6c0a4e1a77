#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/escape.h"
#include "base/figures.h"
#include "record/outcome.h"
#include "record/skip_reason.h"
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
  add("duplicates", statistics.duplicates);
  add("retries", statistics.retries);
  add("incomplete bodies", statistics.truncated);
  add("links", statistics.links_found);
  add("links to new pages", statistics.links_new);
  return rows;
}

// "a.example/shop/*, 39 gained": which pages were rendered.
std::vector<Row> rows_of_rendered(const crawler::Statistics& statistics) {
  std::vector<Row> rows;
  for (const auto& [pattern, counts] : statistics.rendered_by_pattern) {
    rows.emplace_back(fmt::format("{}, {} gained", pattern, base::grouped(counts.gained)),
                      counts.pages);
  }
  sort_by_count(rows);
  return rows;
}

// "416 pages, 37 redirects, 18 errors": what the URLs turned out to be.
std::string outcome_text(const crawler::Statistics& statistics) {
  using crawler::Outcome;
  std::string text =
      fmt::format("{}, {}, {}", base::counted(statistics.count(Outcome::page), "page"),
                  base::counted(statistics.count(Outcome::redirect), "redirect"),
                  base::counted(statistics.count(Outcome::error), "error"));
  for (const Outcome rare : {Outcome::truncated, Outcome::unwanted}) {
    if (statistics.count(rare) == 0) continue;
    text += fmt::format(", {} {}", base::grouped(statistics.count(rare)), crawler::name(rare));
  }
  return text;
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
  add_section(counts, "unwanted", rows_of(statistics.by_unwanted));
  add_section(counts, "rendered", rows_of_rendered(statistics));
  add_section(counts, "skipped", rows_of_skipped(statistics));
  add_section(counts, "totals", rows_of_totals(statistics));
  return counts;
}

std::string summary(const crawler::Statistics& statistics, crawler::EndReason end, Duration took) {
  const double seconds = std::max(std::chrono::duration<double>(took).count(), 1e-9);
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(statistics.pages) / seconds);
  const std::string line =
      fmt::format("{} in {} ({}/s): {}; {} of content, {} received: {}\n",
                  base::counted(statistics.pages, "URL"), base::short_time(took),
                  base::grouped(rate), outcome_text(statistics), base::byte_count(statistics.bytes),
                  base::byte_count(statistics.wire_bytes), how_it_ended(statistics, end));
  const std::string scripts = scripts_text(statistics);
  return line + scripts + (scripts.empty() ? "" : "\n") + count_lines(statistics);
}

}  // namespace gossamer::report
