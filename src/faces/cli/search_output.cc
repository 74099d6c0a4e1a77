#include "cli/search_output.h"

#include <fmt/format.h>

#include <vector>

#include "base/escape.h"
#include "base/json.h"
#include "base/time.h"
#include "record/record_format.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kMarked = "\x1b[1;33m";
constexpr std::string_view kPlain = "\x1b[0m";
constexpr int kScoreDigits = 3;

std::string marks_json(const index::MarkedText& text) {
  std::string json = "[";
  for (const index::Mark& mark : text.marks) {
    if (json.size() > 1) json += ',';
    json += fmt::format("[{},{}]", mark.begin, mark.end);
  }
  return json + "]";
}

void add_capture(base::JsonLine& line, const index::Capture& page) {
  line.text("url", page.url).text("title", page.title);
  line.text("captured", base::to_rfc3339(page.captured));
  line.text("site", page.site).text("type", page.type).text("language", page.language);
  line.text("archive", page.archive);
  if (!page.member.empty()) line.text("member", page.member);
  line.number("offset", page.offset);
}

std::string words_json(const std::vector<std::string>& words) {
  std::string json = "[";
  for (const std::string& word : words) {
    if (json.size() > 1) json += ',';
    base::append_json_string(json, word);
  }
  return json + "]";
}

std::string facet_json(const std::vector<index::FacetValue>& values) {
  std::string json = "{";
  for (const index::FacetValue& value : values) {
    if (json.size() > 1) json += ',';
    base::append_json_string(json, value.value);
    json += fmt::format(":{}", value.pages);
  }
  return json + "}";
}

// The pieces are escaped one by one, so that the marks stay where they are.
std::string marked(const index::MarkedText& text, std::string_view before, std::string_view after) {
  std::string out;
  std::size_t at = 0;
  const std::string_view whole = text.text;
  for (const index::Mark& mark : text.marks) {
    base::append_escaped(out, whole.substr(at, mark.begin - at));
    out += before;
    base::append_escaped(out, whole.substr(mark.begin, mark.end - mark.begin));
    out += after;
    at = mark.end;
  }
  base::append_escaped(out, whole.substr(at));
  return out;
}

}  // namespace

std::string to_json(const index::Hit& hit) {
  base::JsonLine line;
  add_capture(line, hit.page);
  line.decimal("score", hit.score, kScoreDigits);
  line.text("snippet", hit.snippet.text).raw("marks", marks_json(hit.snippet));
  if (!hit.anchor.empty()) line.text("anchor", hit.anchor).text("heading", hit.heading);
  if (!hit.missing_words.empty()) line.raw("missing", words_json(hit.missing_words));
  if (!hit.score_parts.empty()) {
    base::JsonLine parts;
    for (const auto& part : hit.score_parts) parts.decimal(part.name, part.points, kScoreDigits);
    line.raw("score_parts", parts.finish());
  }
  std::string duplicates = "[";
  for (const index::Capture& one : hit.duplicates) {
    if (duplicates.size() > 1) duplicates += ',';
    base::JsonLine same;
    add_capture(same, one);
    duplicates += same.finish();
  }
  return line.raw("duplicates", duplicates + "]").finish();
}

std::string to_json(const index::SearchResults& results, bool has_facets) {
  base::JsonLine line;
  line.number("total", results.total).number("complete", results.complete);
  if (!results.ignored_words.empty()) line.raw("ignored", words_json(results.ignored_words));
  if (!results.suggestion.empty()) line.text("suggestion", results.suggestion);
  if (has_facets) {
    line.raw("sites", facet_json(results.facets.sites));
    line.raw("types", facet_json(results.facets.types));
    line.raw("years", facet_json(results.facets.years));
    line.raw("languages", facet_json(results.facets.languages));
  }
  return line.finish();
}

std::string to_csv(const index::Hit& hit) {
  std::string line;
  const auto add = [&line](std::string_view text, bool is_from_outside) {
    if (!line.empty()) line += ',';
    crawler::append_csv_cell(line, text, is_from_outside);
  };
  add(hit.page.url, true);
  add(hit.page.title, true);
  add(base::to_rfc3339(hit.page.captured), false);
  add(hit.page.site, true);
  add(hit.page.type, true);
  add(hit.page.language, true);
  add(fmt::format("{:.{}f}", hit.score, kScoreDigits), false);
  add(hit.snippet.text, true);
  add(fmt::format("{}", fmt::join(hit.missing_words, " ")), true);
  return line;
}

std::string to_lines(const index::Hit& hit, std::size_t number, bool has_color) {
  const std::string_view bold = has_color ? kBold : "";
  const std::string_view dim = has_color ? kDim : "";
  const std::string_view plain = has_color ? kPlain : "";
  std::string out = fmt::format("{:>2}. {}{}{}\n", number, bold,
                                base::escape_for_terminal(hit.page.title), plain);
  out += fmt::format("    {}\n", base::escape_for_terminal(hit.target()));
  if (!hit.heading.empty()) {
    out += fmt::format("    {}{}{}\n", bold, base::escape_for_terminal(hit.heading), plain);
  }
  if (!hit.snippet.text.empty()) {
    out += fmt::format("    {}\n",
                       marked(hit.snippet, has_color ? kMarked : "", has_color ? kPlain : ""));
  }
  std::string about = base::to_rfc3339(hit.page.captured).substr(0, 10);
  if (!hit.page.language.empty()) about += ", " + hit.page.language;
  if (!hit.duplicates.empty()) about += fmt::format(", {} more like this", hit.duplicates.size());
  if (!hit.missing_words.empty()) {
    about += fmt::format(", without: {}", fmt::join(hit.missing_words, ", "));
  }
  out += fmt::format("    {}{}{}\n", dim, base::escape_for_terminal(about), plain);
  if (!hit.score_parts.empty()) {
    out += fmt::format("    score {:.{}f} =", hit.score, kScoreDigits);
    const char* sign = " ";
    for (const auto& part : hit.score_parts) {
      out += fmt::format("{}{} {:.{}f}", std::exchange(sign, " + "), part.name, part.points,
                         kScoreDigits);
    }
    out += '\n';
  }
  return out;
}

std::string to_lines(const index::Facets& facets) {
  std::string out;
  const auto add = [&out](std::string_view name, const std::vector<index::FacetValue>& values) {
    out += fmt::format("{}:", name);
    for (const index::FacetValue& value : values) {
      const std::string shown =
          value.value.empty() ? "unknown" : base::escape_for_terminal(value.value);
      out += fmt::format("  {} ({})", shown, value.pages);
    }
    out += '\n';
  };
  add("Sites", facets.sites);
  add("Types", facets.types);
  add("Years", facets.years);
  add("Languages", facets.languages);
  return out;
}

std::string count_line(const index::SearchResults& results) {
  std::string line =
      fmt::format("{} {} found", results.total, results.total == 1 ? "page" : "pages");
  if (results.complete < results.total) {
    line += fmt::format(", {} with all words",
                        results.complete == 0 ? "none" : std::to_string(results.complete));
  }
  return line + ".\n";
}

}  // namespace gossamer::cli
