#include <fmt/format.h>

#include <algorithm>

#include "base/figures.h"
#include "base/markdown_text.h"
#include "check/formats.h"

namespace gossamer::check {
namespace {

constexpr std::size_t kBytesMax = 60'000;
constexpr std::size_t kRowsMax = 100;
constexpr std::size_t kPlacesShown = 3;

std::string_view title_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::broken: return "Broken links";
    case FindingKind::fragment: return "Missing fragments";
    case FindingKind::text: return "Missing texts";
    case FindingKind::redirect: return "Moved permanently";
    case FindingKind::insecure: return "Insecure links";
    case FindingKind::mixed: return "Mixed content";
    case FindingKind::blocked: return "Blocked";
    case FindingKind::seo: return "Site audit";
    case FindingKind::unchecked: break;
  }
  return "";
}

std::string markdown_places_of(const Finding& finding) {
  std::string cell;
  for (std::size_t i = 0; i < std::min(finding.places.size(), kPlacesShown); ++i) {
    const Place& place = finding.places[i];
    if (i > 0) cell += "<br>";
    cell += base::code_span(fmt::format("{}:{}", place.page, place.at.line));
    if (!place.text.empty()) cell += " " + base::code_span(place.text);
  }
  if (finding.links > kPlacesShown) {
    cell += fmt::format("<br>and {} more", base::grouped(finding.links - kPlacesShown));
  }
  return cell;
}

std::string row_of(const Finding& finding) {
  std::string cause = base::code_span(finding.cause);
  if (finding.is_known) cause += " (known)";
  if (!finding.leads_to.empty()) cause += " to " + base::markdown_link(finding.leads_to);
  return fmt::format("| {} | {} | {} |\n", base::markdown_link(finding.url), cause,
                     markdown_places_of(finding));
}

std::string table_of(const Findings& findings, FindingKind kind, std::size_t room) {
  std::string text =
      fmt::format("\n### {}\n\n| address | cause | where |\n|---|---|---|\n", title_of(kind));
  std::uint64_t rows = 0;
  for (const Finding& finding : findings.all) {
    if (finding.kind != kind || rows == kRowsMax) continue;
    const std::string row = row_of(finding);
    if (text.size() + row.size() + 100 > room) break;
    text += row;
    ++rows;
  }
  const std::uint64_t left = findings.count(kind) - rows;
  if (left > 0) text += fmt::format("\nand {} more\n", base::grouped(left));
  return text.size() < room ? text : std::string();
}

}  // namespace

std::string to_markdown(const Findings& findings) {
  std::string text = fmt::format(
      "## Links: {}\n\n", findings.errors() == 0 ? std::string("no problems found")
                                                 : base::counted(findings.errors(), "fault"));
  text += fmt::format("{} on {}, {} in all.\n", base::counted(findings.links, "link"),
                      base::counted(findings.pages, "page"), base::counted(findings.urls, "URL"));
  if (findings.has_baseline) {
    const std::uint64_t fresh = findings.new_errors();
    text += fmt::format("\n{} of the faults {} new.\n", base::grouped(fresh),
                        fresh == 1 ? "is" : "are");
  }
  if (!findings.ended_early.empty())
    text += fmt::format("\nEnded early: {}.\n", findings.ended_early);
  if (const std::uint64_t unchecked = findings.count(FindingKind::unchecked); unchecked > 0) {
    text += fmt::format("\n{} not checked.\n", base::counted(unchecked, "URL"));
  }
  for (const FindingKind kind :
       {FindingKind::broken, FindingKind::fragment, FindingKind::text, FindingKind::redirect,
        FindingKind::insecure, FindingKind::mixed, FindingKind::blocked, FindingKind::seo}) {
    if (findings.count(kind) > 0) text += table_of(findings, kind, kBytesMax - text.size());
  }
  return text;
}

}  // namespace gossamer::check
