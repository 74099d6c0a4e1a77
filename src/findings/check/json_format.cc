#include <fmt/format.h>

#include "base/json.h"
#include "check/formats.h"

namespace gossamer::check {
namespace {

std::string list_of(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ","));
}

std::string json_string(std::string_view text) {
  std::string out;
  base::append_json_string(out, text);
  return out;
}

std::string object_of(const Finding& finding, bool has_baseline) {
  std::vector<std::string> places;
  for (const Place& place : finding.places) {
    places.push_back(base::JsonLine()
                         .text("page", place.page)
                         .number("line", place.at.line)
                         .number("column", place.at.column)
                         .text("text", place.text)
                         .finish());
  }
  base::JsonLine line;
  line.text("kind", name(finding.kind)).text("url", finding.url).text("cause", finding.cause);
  line.text("detail", finding.detail);
  if (finding.leads_to.empty()) {
    line.null("leads_to");
  } else {
    line.text("leads_to", finding.leads_to);
  }
  if (!finding.copy.empty()) line.text("copy", finding.copy);
  if (finding.copied_at) line.text("copied_at", to_rfc3339(*finding.copied_at));
  if (has_baseline) line.boolean("is_known", finding.is_known);
  return line.number("links", finding.links).raw("places", list_of(places)).finish();
}

}  // namespace

std::string to_json(const Findings& findings) {
  std::vector<std::string> sources;
  for (const std::string& source : findings.sources) sources.push_back(json_string(source));
  base::JsonLine counts;
  for (const FindingKind kind : {FindingKind::broken, FindingKind::fragment, FindingKind::text,
                                 FindingKind::redirect, FindingKind::insecure, FindingKind::mixed,
                                 FindingKind::blocked, FindingKind::unchecked, FindingKind::seo}) {
    counts.number(name(kind), findings.count(kind));
  }
  std::string text =
      base::JsonLine()
          .number("schema", 1)
          .raw("sources", list_of(sources))
          .number("pages", findings.pages)
          .number("links", findings.links)
          .number("urls", findings.urls)
          .number("from_cache", findings.from_cache)
          .decimal("seconds", std::chrono::duration<double>(findings.took).count(), 3)
          .text("ended_early", findings.ended_early)
          .raw("counts", counts.finish())
          .finish();
  text.pop_back();
  text += ", \"findings\": [";
  for (std::size_t i = 0; i < findings.all.size(); ++i) {
    text += i == 0 ? "\n" : ",\n";
    text += object_of(findings.all[i], findings.has_baseline);
  }
  return text + "\n]}\n";
}

}  // namespace gossamer::check
