#include "run/shared/shared_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "base/json.h"

namespace gossamer::run {
namespace {

using cluster::PartitionFacts;

template <class Condition>
std::string numbers(const std::vector<PartitionFacts>& partitions, Condition condition) {
  std::string list;
  for (const PartitionFacts& each : partitions) {
    if (condition(each)) fmt::format_to(std::back_inserter(list), ", {}", each.number);
  }
  return list.empty() ? list : list.substr(2);
}

std::string node_json(const cluster::NodeStatus& node) {
  base::JsonLine line;
  line.text("name", node.name)
      .number("unseen_ms", static_cast<std::uint64_t>(
                               std::chrono::ceil<std::chrono::milliseconds>(node.unseen).count()));
  const auto report = cluster::parse_node_report(node.report);
  report ? line.raw("report", cluster::to_json(*report)) : line.null("report");
  return line.finish();
}

}  // namespace

std::string_view SharedCrawlStatus::state() const noexcept {
  if (!facts.end.empty()) return "ended";
  if (!facts.has_begun) return "being prepared";
  switch (facts.control) {
    case cluster::Control::run: return "running";
    case cluster::Control::pause: return "paused";
    case cluster::Control::stop: return "stopping";
  }
  return "";
}

std::uint64_t SharedCrawlStatus::sum(std::uint64_t PartitionFacts::* field) const {
  std::uint64_t total = 0;
  for (const PartitionFacts& each : partitions) total += each.*field;
  return total;
}

std::uint64_t SharedCrawlStatus::open() const {
  const std::uint64_t all = found();
  return all - std::min(all, ended());
}

cluster::NodeReport SharedCrawlStatus::of_nodes() const {
  cluster::NodeReport total;
  for (const cluster::NodeStatus& node : nodes) {
    const auto report = cluster::parse_node_report(node.report);
    if (report) total.add(*report);
  }
  return total;
}

bool SharedCrawlStatus::is_damaged() const {
  return std::ranges::any_of(partitions, [this](const PartitionFacts& each) {
    return each.is_misplaced || is_lost(each);
  });
}

std::string SharedCrawlStatus::lost() const {
  return numbers(partitions, [this](const PartitionFacts& each) { return is_lost(each); });
}

std::string SharedCrawlStatus::misplaced() const {
  return numbers(partitions, [](const PartitionFacts& each) { return each.is_misplaced; });
}

std::string SharedCrawlStatus::frozen() const {
  return numbers(partitions, [](const PartitionFacts& each) { return !each.frozen.empty(); });
}

std::string to_json(const SharedCrawlStatus& status) {
  std::string nodes = "[";
  for (const cluster::NodeStatus& node : status.nodes) {
    if (nodes.size() > 1) nodes += ',';
    nodes += node_json(node);
  }
  const cluster::CrawlFacts& facts = status.facts;
  base::JsonLine line;
  line.text("crawl", status.crawl)
      .text("state", status.state())
      .text("control", name(facts.control))
      .text("end", facts.end);
  facts.pages_left ? line.number("pages_left", *facts.pages_left) : line.null("pages_left");
  return line.number("replicas", facts.replicas)
      .number("orders", facts.orders)
      .number("found", status.found())
      .number("ended", status.ended())
      .number("open", status.open())
      .number("hosts", status.hosts())
      .number("hosts_due", status.due())
      .number("leased", status.leased())
      .raw("frozen", "[" + status.frozen() + "]")
      .boolean("is_frozen", facts.is_frozen)
      .raw("lost", "[" + status.lost() + "]")
      .raw("misplaced", "[" + status.misplaced() + "]")
      .raw("nodes", nodes + "]")
      .finish();
}

}  // namespace gossamer::run
