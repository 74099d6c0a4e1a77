#include "cluster/node_report.h"

#include <cmath>
#include <utility>

#include "base/json.h"
#include "base/json_value.h"
#include "base/number.h"

namespace gossamer::cluster {
namespace {

std::uint64_t number(const base::JsonValue& object, std::string_view name) {
  const base::JsonValue* const member = object.find(name);
  return member == nullptr ? 0 : member->as_number().value_or(0);
}

}  // namespace

std::string to_json(const NodeReport& report) {
  return base::JsonLine()
      .number("pages", report.pages)
      .number("bytes", report.bytes)
      .number("errors", report.errors)
      .number("queued", report.queued)
      .number("in_flight", report.in_flight)
      .number("hosts", report.hosts)
      .decimal("pages_per_second", report.pages_per_second, 1)
      .finish();
}

Result<NodeReport> parse_node_report(std::string_view text) {
  // BOUND: a report of a node.
  constexpr std::size_t kReportBytesMax = 64 * 1024;
  if (text.size() > kReportBytesMax) return fail(Errc::malformed, "the report of a node");
  const auto object = base::parse_json(text);
  if (!object || object->kind != base::JsonValue::Kind::object) {
    return fail(Errc::malformed, "the report of a node");
  }
  NodeReport report = {.pages = number(*object, "pages"),
                       .bytes = number(*object, "bytes"),
                       .errors = number(*object, "errors"),
                       .queued = number(*object, "queued"),
                       .in_flight = number(*object, "in_flight"),
                       .hosts = number(*object, "hosts")};
  double speed = 0;
  if (base::parse_number(object->text_of("pages_per_second"), speed) && std::isfinite(speed) &&
      speed >= 0) {
    report.pages_per_second = speed;
  }
  return report;
}

}  // namespace gossamer::cluster
