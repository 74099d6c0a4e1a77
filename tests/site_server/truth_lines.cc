#include "tests/site_server/truth_lines.h"

#include "base/json.h"
#include "base/json_value.h"

namespace gossamer::site {

std::string to_json(const TruthEntry& entry) {
  base::JsonLine line;
  line.text("url", entry.url).text("kind", name(entry.kind));
  entry.status == 0 ? line.null("status")
                    : line.number("status", static_cast<std::uint64_t>(entry.status));
  entry.next_url.empty() ? line.null("next_url") : line.text("next_url", entry.next_url);
  line.number("failures", entry.failures);
  if (entry.failures > 0) {
    line.number("failing_status", static_cast<std::uint64_t>(entry.failing_status));
  }
  line.boolean("linked", entry.is_linked).boolean("allowed", entry.is_allowed);
  line.boolean("must_fetch", entry.must_fetch);
  entry.must_fetch ? line.number("depth", entry.depth) : line.null("depth");
  return line.finish();
}

Result<CrawledUrl> read_crawled_url(std::string_view line) {
  using Kind = base::JsonValue::Kind;
  const auto object = base::parse_json(line);
  if (!object || object->kind != Kind::object) return fail(Errc::malformed, "not a JSON object");
  CrawledUrl crawled;
  for (const auto& [name, value] : object->members) {
    if (name == "url" && value.kind == Kind::text) crawled.url = value.text;
    if (name == "next_url" && value.kind == Kind::text) crawled.next_url = value.text;
    if (name == "status" && value.kind != Kind::text && value.kind != Kind::null) {
      const auto status = value.as_number();
      if (!status || *status > 999) return fail(Errc::malformed, "status: " + value.text);
      crawled.status = static_cast<int>(*status);
    }
  }
  if (crawled.url.empty()) return fail(Errc::malformed, "a line without a url");
  return crawled;
}

}  // namespace gossamer::site
