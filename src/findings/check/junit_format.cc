#include <fmt/format.h>

#include "base/escape.h"
#include "check/formats.h"

namespace gossamer::check {
namespace {

using base::escape_xml;

std::string junit_places_of(const Finding& finding) {
  std::string text;
  for (const Place& place : finding.places) {
    text += fmt::format("{}:{}:{}", escape_xml(place.page), place.at.line, place.at.column);
    if (!place.text.empty()) text += fmt::format(" &quot;{}&quot;", escape_xml(place.text));
    text += "\n";
  }
  if (finding.links > finding.places.size()) {
    text += fmt::format("and {} more\n", finding.links - finding.places.size());
  }
  return text;
}

// Faults of an earlier check do not fail a case.
bool fails_in_junit(const Finding& finding) { return is_error(finding.kind) && !finding.is_known; }

std::string case_of(const Finding& finding) {
  const std::string page = finding.places.empty() ? finding.url : finding.places.front().page;
  std::string message = fmt::format("{}: {}", name(finding.kind), escape_xml(finding.cause));
  if (!finding.leads_to.empty()) message += " -&gt; " + escape_xml(finding.leads_to);
  if (!finding.detail.empty()) message += " (" + escape_xml(finding.detail) + ")";
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n", escape_xml(page),
                                 escape_xml(finding.url));
  if (fails_in_junit(finding)) {
    text += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                        name(finding.kind), message, junit_places_of(finding));
  } else if (is_undecided(finding.kind) || is_error(finding.kind)) {
    text += fmt::format("      <skipped message=\"{}\"/>\n", message);
  } else {
    text +=
        fmt::format("      <system-out>{}\n{}</system-out>\n", message, junit_places_of(finding));
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string to_junit(const Findings& findings) {
  const double seconds = std::chrono::duration<double>(findings.took).count();
  const auto told = findings.all.size();
  const std::uint64_t faulty = findings.errors() + findings.warnings() + findings.left_open();
  const std::uint64_t good = findings.urls > faulty ? findings.urls - faulty : 0;
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\"",
                  told + 1, findings.new_errors(),
                  findings.left_open() + findings.errors() - findings.new_errors(), seconds);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text +=
      fmt::format("<testsuites {}>\n  <testsuite name=\"gossamer check\" {}>\n", counts, counts);
  // One case for all valid URLs: thousands of lines would say no more.
  text += fmt::format("    <testcase classname=\"gossamer check\" name=\"{} URLs are valid\"/>\n",
                      good);
  for (const Finding& finding : findings.all) text += case_of(finding);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace gossamer::check
