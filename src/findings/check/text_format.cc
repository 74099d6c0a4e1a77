#include <fmt/format.h>

#include "base/escape.h"
#include "base/figures.h"
#include "check/formats.h"

namespace gossamer::check {
namespace {

using base::escape_for_terminal;

std::string about_url(const Finding& finding) {
  std::string line = fmt::format("{} [{}] {}", name(finding.kind), finding.cause,
                                 escape_for_terminal(finding.url));
  if (!finding.leads_to.empty()) line += " -> " + escape_for_terminal(finding.leads_to);
  const bool says_more = !finding.detail.empty() && finding.kind != FindingKind::redirect;
  if (says_more) line += "  (" + escape_for_terminal(finding.detail) + ")";
  if (finding.is_known) line += "  (known)";
  if (finding.copied_at) {
    line += fmt::format("\n    a copy of {} is in {}", to_rfc3339(*finding.copied_at),
                        escape_for_terminal(finding.copy));
  } else if (!finding.copy.empty()) {
    line += "\n    perhaps in " + escape_for_terminal(finding.copy);
  }
  return line + "\n";
}

std::string about_place(const Place& place) {
  std::string line =
      fmt::format("    {}:{}:{}", escape_for_terminal(place.page), place.at.line, place.at.column);
  if (!place.text.empty()) line += "  \"" + escape_for_terminal(place.text) + "\"";
  return line + "\n";
}

void append_count(std::string& line, std::uint64_t count, std::string_view what) {
  if (count == 0) return;
  line += fmt::format("{}{} {}", line.empty() ? "" : ", ", base::grouped(count), what);
}

}  // namespace

std::string summary_of(const Findings& findings) {
  std::string faults;
  append_count(faults, findings.count(FindingKind::broken), "broken");
  const std::uint64_t fragments = findings.count(FindingKind::fragment);
  append_count(faults, fragments, fragments == 1 ? "missing fragment" : "missing fragments");
  const std::uint64_t texts = findings.count(FindingKind::text);
  append_count(faults, texts, texts == 1 ? "missing text" : "missing texts");
  append_count(faults, findings.count(FindingKind::redirect), "moved permanently");
  append_count(faults, findings.count(FindingKind::insecure), "insecure");
  append_count(faults, findings.count(FindingKind::mixed), "mixed content");
  append_count(faults, findings.count(FindingKind::seo), "in the audit");
  if (findings.has_baseline && !faults.empty()) {
    const std::uint64_t fresh = findings.new_errors() + findings.new_warnings();
    faults += fmt::format(", of which {} {} new", base::grouped(fresh), fresh == 1 ? "is" : "are");
  }
  append_count(faults, findings.count(FindingKind::blocked), "blocked");
  append_count(faults, findings.count(FindingKind::unchecked), "not checked");
  std::string text =
      fmt::format("{} on {}, {}, in {}: {}\n", base::counted(findings.links, "link"),
                  base::counted(findings.pages, "page"), base::counted(findings.urls, "URL"),
                  base::short_time(findings.took), faults.empty() ? "no problems found" : faults);
  std::string reasons;
  for (const auto& [reason, count] : findings.unchecked) {
    append_count(
        reasons, count,
        reason == "denied" ? "denied (`allow-private` also checks private addresses)" : reason);
  }
  if (!reasons.empty()) text += "not checked: " + escape_for_terminal(reasons) + "\n";
  if (findings.from_cache > 0)
    text += fmt::format("from the cache: {}\n", base::grouped(findings.from_cache));
  if (!findings.ended_early.empty()) text += fmt::format("ended early: {}\n", findings.ended_early);
  return text;
}

std::string to_text(const Findings& findings, bool shows_unchecked) {
  std::string text;
  for (const Finding& finding : findings.all) {
    const bool is_hidden = finding.kind == FindingKind::unchecked && !finding.is_source;
    if (is_hidden && !shows_unchecked) continue;
    text += about_url(finding);
    for (const Place& place : finding.places) text += about_place(place);
    if (finding.links > finding.places.size()) {
      text += fmt::format("    and {} more\n",
                          base::counted(finding.links - finding.places.size(), "place"));
    }
  }
  return text + summary_of(findings);
}

}  // namespace gossamer::check
