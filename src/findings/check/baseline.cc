#include "check/baseline.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/errc.h"
#include "base/json_value.h"

namespace gossamer::check {
namespace {

constexpr std::string_view kFindingsBegin = "\"findings\": [";

std::string baseline_key(std::string_view kind, std::string_view url, std::string_view cause) {
  std::string key = std::string(kind) + " " + std::string(url);
  if (kind == name(FindingKind::seo)) key.append(" ").append(cause);
  return key;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

Result<Baseline> Baseline::parse(std::string_view json) {
  Baseline baseline;
  if (!base::trimmed(take_line(json), " \r").ends_with(kFindingsBegin)) {
    return fail(Errc::malformed, "it is not the JSON of a check");
  }
  // Each line is parsed alone, because a large result has more values than parse_json() allows.
  while (!json.empty()) {
    std::string_view line = base::trimmed(take_line(json), " \r");
    if (line == "]}") return baseline;
    if (line.ends_with(',')) line.remove_suffix(1);
    const auto finding = base::parse_json(line);
    if (!finding) break;
    baseline.keys_.insert(
        baseline_key(finding->text_of("kind"), finding->text_of("url"), finding->text_of("cause")));
  }
  return fail(Errc::malformed, "it is damaged: its end is missing or a line is not a finding");
}

void Baseline::mark(Findings& findings) const {
  for (Finding& finding : findings.all) {
    finding.is_known = keys_.contains(baseline_key(name(finding.kind), finding.url, finding.cause));
  }
  findings.has_baseline = true;
}

}  // namespace gossamer::check
