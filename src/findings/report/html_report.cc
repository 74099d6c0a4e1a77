#include "report/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "record/outcome.h"
#include "report/html_lists.h"
#include "report/html_page.h"
#include "report/html_text.h"
#include "report/phrases.h"
#include "report/svg_charts.h"

namespace gossamer::report {
namespace {

using crawler::Outcome;

constexpr std::size_t kBarsMax = 7;

// The logo, as in serve/pages/icon.svg: a web on six threads.
constexpr std::string_view kWeb =
    "<svg class=\"web\" viewBox=\"0 0 32 32\" aria-hidden=\"true\"><path d=\""
    "M16 2.5v27M4.3 9.2l23.4 13.6M27.7 9.2L4.3 22.8"
    "M16 8.5q2.6 3.3 6.5 3.8q-1.5 3.7 0 7.4q-3.9 .5-6.5 3.8q-2.6-3.3-6.5-3.8"
    "q1.5-3.7 0-7.4q3.9-.5 6.5-3.8z\"/></svg>";

double seconds_of(Duration duration) {
  return std::max(std::chrono::duration<double>(duration).count(), 1e-9);
}

// "a.example and 2 more".
std::string site_name(const Occasion& occasion) {
  if (occasion.roots.empty()) return "a crawl";
  std::string_view first = occasion.roots.front();
  if (const std::size_t at = first.find("://"); at != std::string_view::npos) {
    first.remove_prefix(at + 3);
  }
  if (first.ends_with('/')) first.remove_suffix(1);
  std::string name(first);
  if (occasion.roots.size() > 1) name += fmt::format(" and {} more", occasion.roots.size() - 1);
  return name;
}

// "1.5/s", "1,300/s".
std::string rate_text(double rate) {
  if (rate < 9.95) return fmt::format("{:.1f}/s", rate);
  return grouped(static_cast<std::uint64_t>(rate + 0.5)) + "/s";
}

void add_tile(std::string& html, std::string_view value, std::string_view label,
              std::string_view style = {}) {
  fmt::format_to(std::back_inserter(html),
                 "<div class=\"tile {}\"><b>{}</b><span>{}</span></div>\n", style,
                 escape_html(value), escape_html(label));
}

// Pages and redirects: both lead where they should.
std::uint64_t succeeded(const crawler::Statistics& totals) {
  return totals.count(Outcome::page) + totals.count(Outcome::redirect);
}

std::string tiles(const Report& report) {
  const crawler::Statistics& totals = report.totals;
  const std::uint64_t wanted = totals.pages - totals.count(Outcome::unwanted);
  const double urls = static_cast<double>(std::max<std::uint64_t>(wanted, 1));
  const double rate = static_cast<double>(totals.pages) / seconds_of(report.occasion.took);
  std::uint64_t skipped = 0;
  for (const SkippedRow& row : report.skipped) skipped += row.count;
  std::string html = "<div class=\"tiles\" id=\"summary\">\n";
  add_tile(html, grouped(totals.pages), totals.pages == 1 ? "URL fetched" : "URLs fetched");
  add_tile(html, fmt::format("{:.1f}%", static_cast<double>(succeeded(totals)) / urls * 100),
           "succeeded", "ok");
  add_tile(html, grouped(totals.count(Outcome::error)),
           totals.count(Outcome::error) == 1 ? "error" : "errors",
           totals.count(Outcome::error) > 0 ? "bad" : "ok");
  add_tile(html, grouped(totals.count(Outcome::redirect)), "redirects");
  add_tile(html, grouped(skipped), "skipped");
  add_tile(html, byte_count(totals.bytes), "of content");
  add_tile(html, short_time(report.times.quantile(0.5)), "median response time");
  add_tile(html, rate_text(rate), "on average");
  return html + "</div>\n";
}

std::string card(std::string_view title, std::string_view small, std::string_view chart,
                 std::string_view width = {}) {
  return fmt::format("<div class=\"card {}\"><h2>{}<small>{}</small></h2>{}</div>\n", width,
                     escape_html(title), escape_html(small), chart);
}

// Sums up the remaining bars.
std::vector<ChartBar> most_of(std::vector<ChartBar> bars) {
  sort_largest_first(bars, &ChartBar::value, &ChartBar::label);
  if (bars.size() <= kBarsMax) return bars;
  double rest = 0;
  for (std::size_t i = kBarsMax - 1; i < bars.size(); ++i) rest += bars[i].value;
  const std::size_t others = bars.size() - (kBarsMax - 1);
  bars.resize(kBarsMax - 1);
  bars.push_back({.label = fmt::format("{} others", others),
                  .value = rest,
                  .shown = grouped(static_cast<std::uint64_t>(rest)),
                  .style = "s-none"});
  return bars;
}

ChartBar bar_of(std::string label, std::uint64_t count, std::string_view style = "s-main") {
  return {.label = std::move(label),
          .value = static_cast<double>(count),
          .shown = grouped(count),
          .style = style};
}

std::string_view chart_style(int status) {
  const std::string_view style = status_style(status);
  if (style == "ok") return "s-ok";
  if (style == "moved") return "s-moved";
  if (style == "warn") return "s-warn";
  return style == "bad" ? "s-bad" : "s-none";
}

std::string status_card(const Report& report) {
  std::vector<ChartBar> parts;
  std::uint64_t answered = 0;
  for (const auto& [status, count] : report.totals.by_status) {
    const std::string_view phrase = status_phrase(status);
    parts.push_back(bar_of(fmt::format("{} {}", status, phrase), count, chart_style(status)));
    answered += count;
  }
  if (report.totals.pages > answered) {
    parts.push_back(bar_of("no answer", report.totals.pages - answered, "s-none"));
  }
  std::string legend = "<ul class=\"legend\">";
  for (const ChartBar& part : parts) {
    fmt::format_to(std::back_inserter(legend),
                   "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"{}\" "
                   "width=\"10\" height=\"10\" rx=\"3\"/></svg><span>{}</span><b>{}</b></li>",
                   part.style, escape_html(part.label), escape_html(part.shown));
  }
  const std::string ring =
      ring_chart(parts, "Pages by status", grouped(report.totals.pages), "URLs");
  return card("Status", "", "<div class=\"ringed\">" + ring + legend + "</ul></div>");
}

std::string over_time_card(const Report& report) {
  AreaChart chart = {.title = "Pages per second over time"};
  const double width = seconds_of(report.over_time.width());
  double most = 0;
  for (const OverTime::Step& step : report.over_time.steps()) {
    chart.values.push_back(static_cast<double>(step.all) / width);
    chart.marked.push_back(static_cast<double>(step.bad) / width);
    most = std::max(most, chart.values.back());
  }
  const Duration end =
      report.over_time.width() * static_cast<std::int64_t>(report.over_time.steps().size());
  chart.top = rate_text(most);
  chart.begin = "0 s";
  chart.middle = short_time(end / 2);
  chart.end = short_time(end);
  return card("Pages per second", fmt::format("steps of {}", short_time(report.over_time.width())),
              area_chart(chart), "wide");
}

// "5ms", "0.2s": short enough for an axis.
std::string edge_text(Duration edge) {
  return edge < 100ms ? fmt::format("{}ms", edge / 1ms)
                      : fmt::format("{}s", std::chrono::duration<double>(edge).count());
}

std::string times_card(const Report& report) {
  std::vector<ChartBar> columns;
  for (const TakenTimes::Bucket& bucket : report.times.buckets()) {
    ChartBar column =
        bar_of(bucket.to == Duration::max() ? "more" : edge_text(bucket.to), bucket.count);
    if (bucket.from >= 1s) column.style = "s-warn";
    columns.push_back(std::move(column));
  }
  return card("Response times",
              fmt::format("99% below {}", short_time(report.times.quantile(0.99))),
              column_chart(columns, "Responses by time taken"));
}

std::string types_card(const Report& report) {
  std::vector<ChartBar> bars;
  for (const auto& [type, count] : report.totals.by_type) bars.push_back(bar_of(type, count));
  return card("Content types", "", bar_chart(most_of(std::move(bars)), "Pages by content type"));
}

std::string depth_card(const Report& report) {
  std::vector<ChartBar> columns;
  for (std::size_t depth = 0; depth < report.depths.size(); ++depth) {
    columns.push_back(bar_of(fmt::format("{}", depth), report.depths[depth]));
  }
  return card("Depth", "links from a root", column_chart(columns, "Pages by depth"));
}

std::string hosts_card(const Report& report) {
  std::vector<ChartBar> bars;
  for (const HostRow& host : report.hosts.rows) bars.push_back(bar_of(host.host, host.pages));
  return card("Hosts", counted(report.hosts.total, "host"),
              bar_chart(most_of(std::move(bars)), "Pages by host"), "full");
}

std::string head(const Report& report) {
  const std::string title = escape_html("Crawl of " + site_name(report.occasion));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; "
      "script-src {}; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n",
      csp_source(page_style()), csp_source(page_script()), title, page_style());
}

// Shows what is in backquotes as code: names of settings.
std::string with_code(std::string_view html) {
  std::string shown;
  bool is_code = false;
  for (const char c : html) {
    if (c == '`') {
      shown += is_code ? "</code>" : "<code>";
      is_code = !is_code;
    } else {
      shown += c;
    }
  }
  return shown;
}

std::string top(const Report& report) {
  const Occasion& occasion = report.occasion;
  const bool is_finished = occasion.end == crawler::EndReason::finished;
  const bool is_whole = is_finished && guessed_skips(report.totals) == 0;
  return fmt::format(
      "<header class=\"top\"><p class=\"kicker\">{}Gossamer crawl report</p><h1>{}</h1>"
      "<p class=\"lead\"><span class=\"pill{}\">{}</span> {}; began {}, took {}</p></header>\n",
      kWeb, escape_html(site_name(occasion)), is_whole ? "" : " early",
      is_whole      ? "complete"
      : is_finished ? "finished"
                    : "cut short",
      with_code(escape_html(describe(occasion.end, report.totals))),
      escape_html(base::to_rfc3339(occasion.started)), escape_html(short_time(occasion.took)));
}

// Explains the limits of the numbers.
std::string footer(const Report& report) {
  std::string text =
      "Made by Gossamer " + report.occasion.version +
      ". Long lists are truncated and say so. Medians and other quantiles are up to seven "
      "percent too large; a crawl in several threads may miss some duplicates.";
  if (report.pages_of_other_hosts > 0) {
    text += fmt::format(
        " The crawl met more hosts than the report can list: {} of these are in no "
        "list of hosts.",
        counted(report.pages_of_other_hosts, "page"));
  }
  if (report.copies_of_others > 0) {
    text += fmt::format(" The crawl met more duplicates than the report can list: {} in no list.",
                        report.copies_of_others == 1
                            ? "1 copy is"
                            : grouped(report.copies_of_others) + " copies are");
  }
  if (report.urls_forgotten > 0) {
    text +=
        " The crawl met more URLs than the report remembers, so some linking pages may be "
        "missing.";
  }
  return "<footer><p>" + escape_html(text) + "</p></footer>\n";
}

}  // namespace

std::string to_html(const Report& report) {
  const std::vector<HtmlList> lists = html_lists(report);
  std::string html = head(report) + "<body>\n" + top(report);
  html += "<nav aria-label=\"Parts\"><ul><li><a href=\"#summary\">Summary</a></li>";
  for (const HtmlList& list : lists) {
    fmt::format_to(std::back_inserter(html), "<li><a href=\"#{}\">{}<b>{}</b></a></li>", list.id,
                   escape_html(list.name), list.count == 0 ? "" : grouped(list.count));
  }
  html += "</ul></nav>\n<main>\n" + tiles(report) + "<div class=\"charts\">\n";
  html += status_card(report) + over_time_card(report) + types_card(report) + times_card(report) +
          depth_card(report) + hosts_card(report) + "</div>\n";
  for (const HtmlList& list : lists) html += list.html;
  html += "</main>\n" + footer(report) + "<script>";
  html += page_script();
  return html + "</script>\n</body>\n</html>\n";
}

}  // namespace gossamer::report
