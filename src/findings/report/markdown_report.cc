#include "report/markdown_report.h"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "base/markdown_text.h"
#include "record/outcome.h"
#include "report/phrases.h"

namespace gossamer::report {
namespace {

using base::code_span;
using base::markdown_link;
using crawler::Outcome;

constexpr std::size_t kBytesMax = 60'000;
constexpr std::size_t kRowsMax = 20;

// A table with a maximum number of rows.
class Table {
 public:
  Table(std::string_view title, std::string_view head, std::string_view rule)
      : text_(fmt::format("\n### {}\n\n{}\n{}\n", title, head, rule)) {}

  bool is_full() const { return rows_ == kRowsMax; }
  void row(std::string_view row) {
    text_.append(row).append("\n");
    ++rows_;
  }
  std::string finish(std::uint64_t total) const {
    if (rows_ == 0) return {};
    if (total <= rows_) return text_;
    return text_ + fmt::format("\nand {} more\n", grouped(total - rows_));
  }

 private:
  std::string text_;
  std::size_t rows_ = 0;
};

std::string what_happened(std::optional<int> status, std::string_view error) {
  if (!error.empty()) return code_span(error);
  return status ? fmt::format("{}", *status) : std::string("-");
}

std::string found_on(const std::vector<std::string>& referrers, std::uint64_t links,
                     std::string_view via) {
  if (referrers.empty()) return via.empty() ? "a root" : markdown_link(via);
  std::string text = markdown_link(referrers.front());
  if (links > 1) text += fmt::format(" and {} more", grouped(links - 1));
  return text;
}

std::string summary(const Report& report) {
  const crawler::Statistics& totals = report.totals;
  std::string text = "## Crawl report\n\n";
  for (const std::string& root : report.occasion.roots) {
    if (&root - report.occasion.roots.data() >= 5) break;
    text += (text.ends_with("\n") ? "" : ", ") + markdown_link(root);
  }
  const std::string started = base::to_rfc3339(report.occasion.started);  // 2026-11-17T16:35:12Z
  text += fmt::format("\n\nCrawled on {} at {} UTC by gossamer {}.\n", started.substr(0, 10),
                      started.substr(11, 5), report.occasion.version);
  text += fmt::format(
      "\n{} in {}: {}.\n\n| | |\n|---|---:|\n| pages | {} |\n| redirects | {} |\n| errors | {} |\n"
      "| duplicates | {} |\n| content | {} |\n| median response time | {} |\n",
      counted(totals.pages, "URL"), short_time(report.occasion.took),
      describe(report.occasion.end, totals), grouped(totals.count(Outcome::page)),
      grouped(totals.count(Outcome::redirect)), grouped(totals.count(Outcome::error)),
      grouped(totals.duplicates), byte_count(totals.bytes), short_time(report.times.quantile(0.5)));
  for (const auto& [status, count] : totals.by_status) {
    text += fmt::format("| {} {} | {} |\n", status, status_phrase(status), grouped(count));
  }
  const std::string scripts = scripts_text(totals);
  return scripts.empty() ? text : fmt::format("{}\n{}\n", text, scripts);
}

std::string broken(const Report& report) {
  Table table("Broken links", "| status | URL | found on |", "|---|---|---|");
  for (const BrokenRow& row : report.broken.rows) {
    if (table.is_full()) break;
    table.row(fmt::format("| {} | {} | {} |", what_happened(row.status, row.error),
                          markdown_link(row.url), found_on(row.referrers, row.links, row.via)));
  }
  return table.finish(report.broken.total);
}

std::string chains(const Report& report) {
  Table table("Redirect chains", "| hops | path | ends with |", "|---:|---|---|");
  std::uint64_t total = 0;
  for (const ChainRow& row : report.chains.rows) {
    // A single redirect is not worth a line here.
    if (row.urls.size() < 3 && !row.is_circle) continue;
    ++total;
    if (table.is_full()) continue;
    std::string way;
    for (const std::string& url : row.urls) {
      if (row.left_out > 0 && &url == &row.urls.back()) {
        way += fmt::format(" -> ... {} more", grouped(row.left_out));
      }
      way += (way.empty() ? "" : " -> ") + markdown_link(url);
    }
    table.row(fmt::format("| {} | {} | {} |", row.hops(), way,
                          row.is_circle ? "redirect loop" : what_happened(row.status, {})));
  }
  return table.finish(total);
}

std::string copies(Table table, const Listing<DuplicateRow>& listing) {
  for (const DuplicateRow& row : listing.rows) {
    if (table.is_full()) break;
    std::string also = row.examples.empty() ? "" : markdown_link(row.examples.front());
    if (row.copies > 1) also += fmt::format(" and {} more", grouped(row.copies - 1));
    table.row(fmt::format("| {} | {} | {} |", row.copies, markdown_link(row.url), also));
  }
  return table.finish(listing.total);
}

std::string duplicates(const Report& report) {
  return copies({"Duplicates", "| extra copies | first seen at | also at |", "|---:|---|---|"},
                report.duplicates);
}

std::string similar(const Report& report) {
  return copies({"Similar pages", "| similar pages | first seen at | also at |", "|---:|---|---|"},
                report.similar);
}

std::string slowest(const Report& report) {
  Table table("Slowest pages", "| time | page | size |", "|---:|---|---:|");
  for (const PageRow& row : report.slowest.rows) {
    if (table.is_full() || row.took < 1s) break;
    table.row(fmt::format("| {} | {} | {} |", short_time(row.took), markdown_link(row.url),
                          byte_count(row.bytes)));
  }
  return table.finish(0);
}

std::string orphans(const Report& report) {
  Table table("Orphans", "| page, only in a sitemap |", "|---|");
  for (const PageRow& row : report.orphans.rows) {
    if (table.is_full()) break;
    table.row(fmt::format("| {} |", markdown_link(row.url)));
  }
  return table.finish(report.orphans.total);
}

std::string skipped(const Report& report) {
  Table table("Skipped", "| why | URLs |", "|---|---:|");
  for (const SkippedRow& row : report.skipped) {
    if (table.is_full()) break;
    table.row(fmt::format("| `{}`: {} | {} |", crawler::name(row.reason), describe(row.reason),
                          grouped(row.count)));
  }
  return table.finish(report.skipped.size());
}

std::string audit(const Report& report) {
  Table table("Site audit", "| rule | pages | template | example |", "|---|---:|---|---|");
  for (const AuditRow& row : report.audit) {
    if (table.is_full()) break;
    std::string most;
    if (!row.templates.empty()) {
      const TemplateRow& first = row.templates.front();
      most = fmt::format("{}: {}", base::code_span(first.pattern), grouped(first.pages));
    }
    table.row(fmt::format("| `{}`: {} | {} | {} | {} |", name(row.rule), describe(row.rule),
                          grouped(row.pages.total), most,
                          markdown_link(row.pages.rows.front().url)));
  }
  return table.finish(report.audit.size());
}

}  // namespace

std::string to_markdown(const Report& report) {
  std::string text = summary(report);
  for (const std::string& part :
       {broken(report), chains(report), audit(report), skipped(report), duplicates(report),
        similar(report), orphans(report), slowest(report)}) {
    if (text.size() + part.size() > kBytesMax) {
      text += "\nThe rest is too long to show here.\n";
      break;
    }
    text += part;
  }
  return text;
}

}  // namespace gossamer::report
