#include "cluster/node_report.h"

#include <array>
#include <cmath>

#include "base/json.h"
#include "base/json_value.h"
#include "base/number.h"

namespace gossamer::cluster {
namespace {

struct Count {
  std::string_view name;
  std::uint64_t NodeReport::* member;
};
constexpr std::array<Count, 6> kCounts = {{
    {"pages", &NodeReport::pages},
    {"bytes", &NodeReport::bytes},
    {"errors", &NodeReport::errors},
    {"queued", &NodeReport::queued},
    {"in_flight", &NodeReport::in_flight},
    {"hosts", &NodeReport::hosts},
}};

}  // namespace

void NodeReport::add(const NodeReport& other) {
  for (const Count& count : kCounts) this->*count.member += other.*count.member;
  pages_per_second += other.pages_per_second;
}

std::string to_json(const NodeReport& report) {
  base::JsonLine line;
  for (const Count& count : kCounts) line.number(count.name, report.*count.member);
  return line.decimal("pages_per_second", report.pages_per_second, 1).finish();
}

Result<NodeReport> parse_node_report(std::string_view text) {
  // BOUND: a report of a node.
  constexpr std::size_t kReportBytesMax = 64 * 1024;
  if (text.size() > kReportBytesMax) return fail(Errc::malformed, "the report of a node");
  const auto object = base::parse_json(text);
  if (!object || object->kind != base::JsonValue::Kind::object) {
    return fail(Errc::malformed, "the report of a node");
  }
  NodeReport report;
  for (const Count& count : kCounts) {
    const base::JsonValue* const member = object->find(count.name);
    if (member != nullptr) report.*count.member = member->as_number().value_or(0);
  }
  double speed = 0;
  if (base::parse_number(object->text_of("pages_per_second"), speed) && std::isfinite(speed) &&
      speed >= 0) {
    report.pages_per_second = speed;
  }
  return report;
}

}  // namespace gossamer::cluster
