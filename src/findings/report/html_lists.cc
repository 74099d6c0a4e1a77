#include "report/html_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/figures.h"
#include "report/html_table.h"
#include "report/html_text.h"
#include "report/phrases.h"

namespace gossamer::report {
namespace {

// A table with this many rows gets a filter field.
constexpr std::size_t kRowsToFilter = 8;
constexpr std::string_view kNo = "None.";
// Examples of skipped URLs; the other formats have more.
constexpr std::ptrdiff_t kExamplesShown = 5;
// Faults of the audit per rule.
constexpr std::ptrdiff_t kFaultsShown = 20;
constexpr std::uint64_t kFaultsMost = kFaultsShown;

std::string status_tag(int status) {
  if (status == 0) return "<span class=\"tag\">-</span>";
  return fmt::format("<span class=\"tag {}\">{}</span>", status_style(status), status);
}

// Builds the part of a report that consists of tables.
class Lists {
 public:
  struct About {
    std::string_view id;
    std::string_view name;
    std::string_view title;
    std::string_view text;
    std::string_view nothing;      // the text of an empty list
    bool has_row_for_each = true;  // there is one row per counted item
  };

  // BORROWS: the report.
  explicit Lists(const Report& report) : report_(report) {
    // If the report is about one site, its name is omitted from the lines.
    if (report.hosts.total != 1 || report.occasion.roots.empty()) return;
    const std::string& root = report.occasion.roots.front();
    const std::size_t host = root.find("://");
    const std::size_t path = host == std::string::npos ? host : root.find('/', host + 3);
    if (path != std::string::npos) origin_ = root.substr(0, path);
  }

  HtmlList broken() const;
  HtmlList causes() const;
  HtmlList chains() const;
  HtmlList duplicates() const {
    return copies(
        {"duplicates", "Duplicates", "Duplicates",
         "URLs whose bodies are identical, byte for byte.", "None: no two pages are identical."},
        report_.duplicates);
  }
  HtmlList similar() const {
    return copies({"similar", "Similar", "Similar pages",
                   "URLs whose main text is nearly that of another page.", kNo},
                  report_.similar);
  }
  HtmlList slowest() const {
    return pages({"slowest", "Slowest", "Slowest pages", "By the time until the last byte.", kNo},
                 report_.slowest);
  }
  HtmlList largest() const {
    return pages({"largest", "Largest", "Largest pages", "By the decoded body.", kNo},
                 report_.largest);
  }
  HtmlList deepest() const {
    return pages({"deepest", "Deepest", "Deepest pages", "By links from a root.", kNo},
                 report_.deepest);
  }
  HtmlList skipped() const;
  HtmlList orphans() const;
  HtmlList hosts() const;
  HtmlList audit() const;
  HtmlList languages() const;
  HtmlList rendered() const;

 private:
  HtmlList copies(const About& about, const Listing<DuplicateRow>& listing) const;
  HtmlList pages(const About& about, const Listing<PageRow>& listing) const;
  HtmlList section(const About& about, std::uint64_t total, HtmlTable table,
                   std::string_view note = {}) const;
  std::string link(std::string_view url) const;
  // Returns what many pages of a row have in common.
  std::string templates(const std::vector<TemplateRow>& rows) const;
  // Returns a few URLs, and how many more there are.
  std::string links(const std::vector<std::string>& urls, std::uint64_t total) const;

  const Report& report_;
  std::string origin_;
};

std::string Lists::link(std::string_view url) const {
  if (origin_.empty() || !url.starts_with(origin_)) return html_link(url);
  const std::string_view rest = url.substr(origin_.size());
  return rest.starts_with('/') ? html_link(url, rest) : html_link(url);
}

std::string Lists::links(const std::vector<std::string>& urls, std::uint64_t total) const {
  std::string html = "<ol>";
  for (const std::string& url : urls) html += "<li>" + link(url) + "</li>";
  html += "</ol>";
  if (total > urls.size() && !urls.empty()) {
    html += fmt::format("<small>and {} more</small>", grouped(total - urls.size()));
  }
  return html;
}

HtmlList Lists::section(const About& about, std::uint64_t total, HtmlTable table,
                        std::string_view note) const {
  HtmlList list = {.id = about.id, .name = about.name, .count = total};
  const std::size_t rows = table.rows();
  list.html =
      fmt::format("<section class=\"list\" id=\"{}\"><header><h2>{}<b>{}</b></h2><p>{}</p>",
                  about.id, escape_html(about.title), grouped(total), escape_html(about.text));
  if (rows >= kRowsToFilter) {
    list.html += fmt::format(
        "<input class=\"filter\" type=\"search\" placeholder=\"Filter\" aria-label=\"Filter {}\" "
        "hidden>",
        escape_html(about.title));
  }
  list.html += "</header>";
  if (rows == 0) {
    list.html += fmt::format("<p class=\"good\">{}</p>", escape_html(about.nothing));
  } else {
    list.html += std::move(table).finish();
  }
  if (about.has_row_for_each && rows < total && rows > 0) {
    list.html += fmt::format("<p class=\"note\">The list is cut off: {} of {}. {}</p>",
                             grouped(rows), grouped(total), escape_html(note));
  }
  list.html += "</section>\n";
  return list;
}

HtmlList Lists::broken() const {
  HtmlTable table(
      {{"What"}, {"URL"}, {"Pages that link to it", true}, {"Found on"}, {"Tries", true}});
  for (const BrokenRow& row : report_.broken.rows) {
    table.begin_row();
    std::string what = row.error.empty() ? status_tag(row.status.value_or(0))
                                         : fmt::format("<span class=\"tag bad\">{}</span>",
                                                       escape_html(row.error));
    if (row.error.empty()) {
      what += "<small>" + escape_html(status_phrase(row.status.value_or(0))) + "</small>";
    }
    table.html(what);
    std::string url = link(row.url);
    if (!row.detail.empty()) url += "<small>" + escape_html(row.detail) + "</small>";
    table.html(url, "url");
    table.number(static_cast<double>(row.links), grouped(row.links));
    if (!row.referrers.empty()) {
      table.html(links(row.referrers, row.links), "url");
    } else if (!row.via.empty()) {
      table.html(link(row.via) + "<small>a redirect or a sitemap</small>", "url");
    } else {
      table.text("a root");
    }
    table.number(row.tries, grouped(row.tries));
  }
  return section({"broken", "Broken", "Broken links",
                  "URLs that gave an error, and the pages that link to them.",
                  "None: every fetched URL answered with a status below 400."},
                 report_.broken.total, std::move(table), "The list shows the first ones found.");
}

HtmlList Lists::causes() const {
  HtmlTable table({{"Cause"}, {"URLs", true}, {"Example"}});
  std::uint64_t total = 0;
  for (const CauseRow& row : report_.causes) {
    table.begin_row();
    if (row.status) {
      table.html(status_tag(*row.status) + " " + escape_html(status_phrase(*row.status)));
    } else {
      table.html("<span class=\"tag bad\">" + escape_html(row.cause) + "</span>");
    }
    table.number(static_cast<double>(row.count), grouped(row.count));
    std::string example = link(row.example);
    if (!row.detail.empty()) example += "<small>" + escape_html(row.detail) + "</small>";
    table.html(example, "url");
    ++total;
  }
  return section(
      {"errors", "Errors", "Errors by cause", "What went wrong, and how often.", "None."}, total,
      std::move(table));
}

HtmlList Lists::chains() const {
  HtmlTable table(
      {{"Hops", true}, {"Ends with"}, {"Path"}, {"Pages that link to it", true}, {"Found on"}});
  for (const ChainRow& row : report_.chains.rows) {
    table.begin_row();
    table.number(static_cast<double>(row.hops()), grouped(row.hops()));
    table.html(row.is_circle ? "<span class=\"tag bad\">redirect loop</span>"
                             : status_tag(row.status));
    std::string way = "<ol class=\"chain\">";
    for (const std::string& url : row.urls) {
      if (row.left_out > 0 && &url == &row.urls.back()) {
        way += fmt::format("<li>... {} more</li>", grouped(row.left_out));
      }
      way += "<li>" + link(url) + "</li>";
    }
    table.html(way + "</ol>", "url");
    table.number(static_cast<double>(row.links), grouped(row.links));
    table.html(links(row.referrers, row.links), "url");
  }
  return section({"redirects", "Redirects", "Redirect chains",
                  "Links that redirect, longest chain first.", "None: no link redirects."},
                 report_.chains.total, std::move(table));
}

HtmlList Lists::copies(const About& about, const Listing<DuplicateRow>& listing) const {
  HtmlTable table({{"First seen at"}, {"Copies", true}, {"Size", true}, {"Also at"}});
  for (const DuplicateRow& row : listing.rows) {
    table.begin_row();
    table.html(link(row.url), "url");
    table.number(static_cast<double>(row.copies), grouped(row.copies));
    table.number(static_cast<double>(row.bytes), byte_count(row.bytes));
    table.html(links(row.examples, row.copies), "url");
  }
  return section(about, listing.total, std::move(table));
}

HtmlList Lists::pages(const About& about, const Listing<PageRow>& listing) const {
  HtmlTable table({{"Page"}, {"Status"}, {"Time", true}, {"Size", true}, {"Depth", true}});
  for (const PageRow& row : listing.rows) {
    table.begin_row();
    std::string page = link(row.url);
    if (!row.title.empty()) page += "<small>" + escape_html(row.title) + "</small>";
    table.html(page, "url");
    table.html(status_tag(row.status.value_or(0)));
    table.number(milliseconds(row.took), short_time(row.took));
    table.number(static_cast<double>(row.bytes), byte_count(row.bytes));
    table.number(row.depth, grouped(row.depth));
  }
  HtmlList list = section(about, listing.rows.size(), std::move(table));
  list.count = 0;
  return list;
}

HtmlList Lists::skipped() const {
  HtmlTable table({{"Reason"}, {"URLs", true}, {"Example"}});
  std::uint64_t total = 0;
  for (const SkippedRow& row : report_.skipped) {
    total += row.count;
    table.begin_row();
    table.html(fmt::format("<span class=\"tag\">{}</span><small>{}</small>",
                           escape_html(crawler::name(row.reason)),
                           escape_html(describe(row.reason))));
    table.number(static_cast<double>(row.count), grouped(row.count));
    std::string examples = "<ol>";
    for (const SkippedRow::Example& example : row.examples) {
      if (&example - row.examples.data() == kExamplesShown) break;
      examples += "<li>" + link(example.url);
      std::string about = example.detail.empty() ? "" : escape_html(example.detail);
      if (!example.via.empty()) {
        about += (about.empty() ? "on " : "; on ") + link(example.via);
      }
      if (!about.empty()) examples += "<small>" + about + "</small>";
      examples += "</li>";
    }
    table.html(examples + "</ol>", "url");
  }
  return section({"skipped", "Skipped", "Skipped", "URLs that were found but not fetched, and why.",
                  "None: every URL that was found was fetched.", false},
                 total, std::move(table));
}

HtmlList Lists::orphans() const {
  HtmlTable table({{"Page"}, {"Status"}});
  for (const PageRow& row : report_.orphans.rows) {
    table.begin_row();
    table.html(link(row.url), "url");
    table.html(status_tag(row.status.value_or(0)));
  }
  return section({"orphans", "Orphans", "Orphans",
                  "Pages in a sitemap that no page links to. Shown only if sitemaps were read.",
                  "None found."},
                 report_.orphans.total, std::move(table));
}

HtmlList Lists::hosts() const {
  HtmlTable table(
      {{"Host"}, {"Pages", true}, {"Broken", true}, {"Content", true}, {"Mean time", true}});
  for (const HostRow& row : report_.hosts.rows) {
    table.begin_row();
    table.text(row.host);
    table.number(static_cast<double>(row.pages), grouped(row.pages));
    table.number(static_cast<double>(row.failed), grouped(row.failed));
    table.number(static_cast<double>(row.bytes), byte_count(row.bytes));
    table.number(milliseconds(row.mean()), short_time(row.mean()));
  }
  return section({"hosts", "Hosts", "Hosts", "Hosts that were contacted.", "None."},
                 report_.hosts.total, std::move(table));
}

HtmlList Lists::rendered() const {
  const crawler::Statistics& totals = report_.totals;
  HtmlTable table({{"Pages"}, {"Rendered", true}, {"Gained links or text", true}});
  for (const auto& [pattern, counts] : totals.rendered_by_pattern) {
    table.begin_row();
    table.text(pattern);
    table.number(static_cast<double>(counts.pages), grouped(counts.pages));
    table.number(static_cast<double>(counts.gained), grouped(counts.gained));
  }
  return section({"rendered", "Rendered", "Rendered pages", scripts_text(totals),
                  "No page was rendered.", false},
                 totals.rendered, std::move(table));
}

std::string Lists::templates(const std::vector<TemplateRow>& rows) const {
  std::string html;
  for (const TemplateRow& row : rows) {
    std::string_view pattern = row.pattern;
    if (!origin_.empty() && pattern.starts_with(origin_)) pattern.remove_prefix(origin_.size());
    html += fmt::format("<small>{}: {}</small>", escape_html(pattern),
                        base::counted(row.pages, "page"));
  }
  return html;
}

HtmlList Lists::audit() const {
  HtmlTable table({{"Rule"}, {"Pages", true}, {"First ones"}});
  std::uint64_t total = 0;
  for (const AuditRow& row : report_.audit) {
    total += row.pages.total;
    table.begin_row();
    table.html(fmt::format("<span class=\"tag warn\">{}</span><small>{}</small>", name(row.rule),
                           escape_html(describe(row.rule))));
    table.number(static_cast<double>(row.pages.total), grouped(row.pages.total));
    std::string pages = templates(row.templates) + "<ol>";
    for (const AuditFinding& finding : row.pages.rows) {
      if (&finding - row.pages.rows.data() == kFaultsShown) break;
      pages += "<li>" + link(finding.url);
      std::string about = escape_html(finding.detail);
      if (!finding.other.empty()) about += (about.empty() ? "" : ": ") + link(finding.other);
      if (!about.empty()) pages += "<small>" + about + "</small>";
      pages += "</li>";
    }
    pages += "</ol>";
    const std::uint64_t more = row.pages.total - std::min(row.pages.total, kFaultsMost);
    if (more > 0) pages += fmt::format("<small>and {} more</small>", grouped(more));
    table.html(pages, "url");
  }
  return section(
      {"audit", "Audit", "Site audit", "Faults of pages that readers and search engines notice.",
       report_.unaudited == 0 ? std::string("None: every page passes.")
                              : fmt::format("None, but {} did not fit and were not judged.",
                                            base::counted(report_.unaudited, "page")),
       false},
      total, std::move(table));
}

HtmlList Lists::languages() const {
  HtmlTable table({{"Language"}, {"Pages", true}});
  for (const LanguageRow& row : report_.languages) {
    table.begin_row();
    table.text(row.language);
    table.number(static_cast<double>(row.pages), grouped(row.pages));
  }
  return section({"languages", "Languages", "Languages", "As detected, else as declared.", kNo},
                 report_.languages.size(), std::move(table));
}

}  // namespace

std::string_view status_style(int status) noexcept {
  if (status == 0) return "none";
  if (status < 300) return "ok";
  if (status < 400) return "moved";
  return status < 500 ? "warn" : "bad";
}

std::vector<HtmlList> html_lists(const Report& report) {
  const Lists lists(report);
  std::vector<HtmlList> all;
  all.push_back(lists.broken());
  all.push_back(lists.causes());
  all.push_back(lists.chains());
  all.push_back(lists.skipped());
  all.push_back(lists.duplicates());
  if (report.similar.total > 0) all.push_back(lists.similar());
  all.push_back(lists.slowest());
  all.push_back(lists.largest());
  all.push_back(lists.deepest());
  all.push_back(lists.orphans());
  all.push_back(lists.hosts());
  if (!scripts_text(report.totals).empty()) all.push_back(lists.rendered());
  if (report.audited > 0) {
    all.push_back(lists.audit());
    all.push_back(lists.languages());
  }
  return all;
}

}  // namespace gossamer::report
