#include <fmt/format.h>

#include <array>

#include "base/json.h"
#include "base/version.h"
#include "check/formats.h"
#include "url/code_points.h"
#include "url/percent.h"

namespace gossamer::check {
namespace {

struct Rule {
  FindingKind kind;
  std::string_view level;  // SARIF's words
  std::string_view text;
};

constexpr auto kRules = std::to_array<Rule>({
    {FindingKind::broken, "error", "The link leads nowhere."},
    {FindingKind::fragment, "error", "The page exists, but not the place in it."},
    {FindingKind::redirect, "warning", "The page has moved for good; update the link."},
    {FindingKind::insecure, "warning", "A page served over https links to http."},
    {FindingKind::mixed, "warning", "A page served over https includes a part over http."},
    {FindingKind::blocked, "note", "The server rejects programs; the link may work in a browser."},
    {FindingKind::unchecked, "note", "This page could not be checked."},
    {FindingKind::seo, "warning", "The page has a fault that search engines notice."},
    {FindingKind::text, "error", "The page exists, but does not have the quoted text."},
});

std::size_t rule_index(FindingKind kind) {
  std::size_t index = 0;
  while (kRules[index].kind != kind) ++index;
  return index;
}

std::string text_object(std::string_view text) {
  return base::JsonLine().text("text", text).finish();
}

// Paths of files become relative URLs, which is how SARIF names files of a repository. GitHub knows
// README.md, but not ./README.md.
std::string artifact_of(std::string_view page) {
  std::string uri;
  if (page.find("://") == std::string_view::npos) {
    while (page.starts_with("./")) page.remove_prefix(2);
    url::percent_encode(page, url::kPathSet, uri);
  } else {
    uri = page;
  }
  return base::JsonLine().text("uri", uri).finish();
}

std::string location_of(std::string_view page, const Position* at) {
  base::JsonLine physical;
  physical.raw("artifactLocation", artifact_of(page));
  if (at != nullptr) {
    base::JsonLine region;
    region.number("startLine", at->line).number("startColumn", at->column);
    physical.raw("region", region.finish());
  }
  return base::JsonLine().raw("physicalLocation", physical.finish()).finish();
}

std::string message_of(const Finding& finding) {
  std::string text = fmt::format("{} [{}]", finding.url, finding.cause);
  if (!finding.leads_to.empty()) text += " -> " + finding.leads_to;
  if (!finding.detail.empty()) text += ": " + finding.detail;
  return text;
}

// One per place, so that each is shown at its line.
std::vector<std::string> results_of(const Finding& finding, bool has_baseline) {
  const std::size_t index = rule_index(finding.kind);
  const auto result_at = [&](const std::string& location) {
    base::JsonLine result;
    result.text("ruleId", name(finding.kind))
        .number("ruleIndex", index)
        .text("level", kRules[index].level)
        .raw("message", text_object(message_of(finding)))
        .raw("locations", "[" + location + "]");
    if (has_baseline) result.text("baselineState", finding.is_known ? "unchanged" : "new");
    return result.finish();
  };
  std::vector<std::string> results;
  // Links that were not checked are no faults, and there can be very many.
  if (finding.kind == FindingKind::unchecked && !finding.is_source) return results;
  for (const Place& place : finding.places) {
    results.push_back(result_at(location_of(place.page, &place.at)));
  }
  if (results.empty()) results.push_back(result_at(location_of(finding.url, nullptr)));
  return results;
}

}  // namespace

// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
std::string to_sarif(const Findings& findings) {
  std::vector<std::string> rules;
  for (const Rule& rule : kRules) {
    rules.push_back(base::JsonLine()
                        .text("id", name(rule.kind))
                        .raw("shortDescription", text_object(rule.text))
                        .finish());
  }
  std::string results;
  for (const Finding& finding : findings.all) {
    for (const std::string& result : results_of(finding, findings.has_baseline)) {
      results += (results.empty() ? "\n" : ",\n") + result;
    }
  }
  const std::string driver = base::JsonLine()
                                 .text("name", "gossamer check")
                                 .text("version", base::kVersion)
                                 .raw("rules", fmt::format("[{}]", fmt::join(rules, ", ")))
                                 .finish();
  const std::string run = base::JsonLine()
                              .raw("tool", base::JsonLine().raw("driver", driver).finish())
                              .text("columnKind", "unicodeCodePoints")
                              .raw("results", "[" + results + "\n]")
                              .finish();
  return base::JsonLine()
             .text("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
             .text("version", "2.1.0")
             .raw("runs", "[" + run + "]")
             .finish() +
         "\n";
}

}  // namespace gossamer::check
