#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/sleep.h"
#include "base/escape.h"
#include "base/figures.h"
#include "base/json.h"
#include "cli/cluster_client.h"
#include "cli/commands.h"
#include "cluster/node_report.h"
#include "cluster/partition_facts.h"
#include "run/shared_control.h"
#include "terminal/live_lines.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

using cluster::PartitionFacts;

constexpr std::string_view kClusterStatusCommand = "cluster status";

struct ClusterStatusArguments : ClusterArguments {
  bool is_json = false;
  bool is_watched = false;
  Duration interval = 2s;
};

void declare_cluster_status(options::Table& table, ClusterStatusArguments& arguments) {
  table.summary("Show the nodes and the progress of a shared crawl.");
  declare_cluster(table, arguments);
  table.flag("--watch", arguments.is_watched, "repeat it until the crawl ends");
  table.option("--interval", options::duration(arguments.interval), "with --watch: the pause");
  table.flag("--json", arguments.is_json, "print one JSON object, with --watch one per line");
  table.footer(
      "Exit code 1: there is no such crawl, or a part of it is lost or was moved while it was in\n"
      "use. Manual: docs/cluster.md");
}

// The state at one moment.
struct Snapshot : run::SharedCrawlStatus {
  // Returns the numbers of the partitions for which it is true: "3, 17".
  template <class Condition>
  std::string numbers(Condition condition) const {
    std::string list;
    for (const PartitionFacts& each : partitions) {
      if (condition(each)) fmt::format_to(std::back_inserter(list), ", {}", each.number);
    }
    return list.empty() ? list : list.substr(2);
  }
  std::string lost() const {
    return numbers([this](const PartitionFacts& each) { return is_lost(each); });
  }
  std::string misplaced() const {
    return numbers([](const PartitionFacts& each) { return each.is_misplaced; });
  }
  std::string frozen() const {
    return numbers([](const PartitionFacts& each) { return !each.frozen.empty(); });
  }
};

std::string_view state_of(const cluster::CrawlFacts& facts) {
  if (!facts.end.empty()) return "ended";
  if (!facts.has_begun) return "being prepared";
  switch (facts.control) {
    case cluster::Control::run: return "running";
    case cluster::Control::pause: return "paused";
    case cluster::Control::stop: return "stopping";
  }
  return "";
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

std::string to_json(const Snapshot& snapshot) {
  std::string nodes = "[";
  for (const cluster::NodeStatus& node : snapshot.nodes) {
    if (nodes.size() > 1) nodes += ',';
    nodes += node_json(node);
  }
  const cluster::CrawlFacts& facts = snapshot.facts;
  base::JsonLine line;
  line.text("crawl", snapshot.crawl)
      .text("state", state_of(facts))
      .text("control", name(facts.control))
      .text("end", facts.end);
  facts.pages_left ? line.number("pages_left", *facts.pages_left) : line.null("pages_left");
  return line.number("replicas", facts.replicas)
      .number("orders", facts.orders)
      .number("found", snapshot.sum(&PartitionFacts::found))
      .number("ended", snapshot.sum(&PartitionFacts::ended))
      .number("open", snapshot.open())
      .number("hosts", snapshot.sum(&PartitionFacts::hosts))
      .number("hosts_due", snapshot.sum(&PartitionFacts::due))
      .number("leased", snapshot.sum(&PartitionFacts::leased))
      .raw("frozen", "[" + snapshot.frozen() + "]")
      .boolean("is_frozen", facts.is_frozen)
      .raw("lost", "[" + snapshot.lost() + "]")
      .raw("misplaced", "[" + snapshot.misplaced() + "]")
      .raw("nodes", nodes + "]")
      .finish();
}

std::string node_line(const cluster::NodeStatus& node) {
  std::string line = fmt::format("  {:<24} seen {} ago", base::escape_for_terminal(node.name),
                                 base::short_time(node.unseen));
  const auto report = cluster::parse_node_report(node.report);
  if (!report) return line + ", no report\n";
  return line + fmt::format(", {}, {:.1f}/s, {}, {} in flight, {} queued, {}, {}\n",
                            base::counted(report->pages, "page"), report->pages_per_second,
                            base::byte_count(report->bytes), base::grouped(report->in_flight),
                            base::grouped(report->queued), base::counted(report->hosts, "host"),
                            base::counted(report->errors, "error"));
}

std::string to_text(const Snapshot& snapshot) {
  const cluster::CrawlFacts& facts = snapshot.facts;
  std::string text = fmt::format("crawl {}: {}", snapshot.crawl, state_of(facts));
  if (!facts.end.empty()) text += ": " + base::escape_for_terminal(facts.end);
  if (facts.pages_left) text += fmt::format(", {} left", base::counted(*facts.pages_left, "page"));
  text += fmt::format("\n  URLs: {} found, {} ended, {} open\n",
                      base::grouped(snapshot.sum(&PartitionFacts::found)),
                      base::grouped(snapshot.sum(&PartitionFacts::ended)),
                      base::grouped(snapshot.open()));
  text += fmt::format("  hosts: {} known, {} with URLs, {} leased\n",
                      base::grouped(snapshot.sum(&PartitionFacts::hosts)),
                      base::grouped(snapshot.sum(&PartitionFacts::due)),
                      base::grouped(snapshot.sum(&PartitionFacts::leased)));
  double speed = 0;
  for (const cluster::NodeStatus& node : snapshot.nodes) {
    if (const auto report = cluster::parse_node_report(node.report)) {
      speed += report->pages_per_second;
    }
  }
  text += fmt::format("{}, {:.1f} pages/s\n", base::counted(snapshot.nodes.size(), "node"), speed);
  for (const cluster::NodeStatus& node : snapshot.nodes) text += node_line(node);
  if (facts.is_frozen) {
    text += "warning: the crawl is frozen; see `gossamer cluster reshard`\n";
  }
  if (const std::string frozen = snapshot.frozen(); !frozen.empty()) {
    text += fmt::format("warning: frozen partitions: {}; see `gossamer cluster reshard`\n", frozen);
  }
  if (const std::string misplaced = snapshot.misplaced(); !misplaced.empty()) {
    text += fmt::format(
        "error: the slots of these partitions were moved while they were in use, which can lose "
        "URLs: {}\n",
        misplaced);
  }
  if (const std::string lost = snapshot.lost(); !lost.empty()) {
    text += fmt::format("error: Redis has lost these partitions: {}\n", lost);
  }
  return text;
}

// Replaces what a terminal shows; prints to everything else.
class Showing {
 public:
  Showing() {
    if (terminal::LiveLines::can_be_on(STDOUT_FILENO)) lines_.emplace(STDOUT_FILENO);
  }

  // Returns false if nobody reads it.
  bool show(std::string_view text, bool is_last) {
    if (!lines_ || is_last) {
      lines_.reset();
      return terminal::standard_output().write(text) && terminal::standard_output().flush();
    }
    const terminal::Screen screen = lines_->screen();
    std::vector<terminal::ScreenLine> lines;
    while (!text.empty() && lines.size() + 1 < screen.rows) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      terminal::LineMaker line(screen);
      lines.push_back(line.add(terminal::plain_text(text.substr(0, end))).take());
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    lines_->draw(std::move(lines));
    return true;
  }

 private:
  std::optional<terminal::LiveLines> lines_;
};

class StatusWork final : public ClusterWork {
 public:
  // BORROWS: the arguments.
  explicit StatusWork(const ClusterStatusArguments& arguments) : arguments_(arguments) {}

  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string crawl) override {
    std::optional<Showing> showing;
    if (arguments_.is_watched) showing.emplace();
    for (;;) {
      auto status = co_await run::read_shared_crawl(client, crawl);
      if (!status) co_return fail(std::move(status).error());
      const Snapshot snapshot = {std::move(*status)};
      is_damaged = snapshot.is_damaged();
      const std::string text = arguments_.is_json ? to_json(snapshot) + "\n" : to_text(snapshot);
      const bool is_last = !arguments_.is_watched || !snapshot.facts.end.empty();
      if (!showing) terminal::standard_output().write(text);
      if (showing && !showing->show(text, is_last || arguments_.is_json)) co_return {};
      if (is_last) co_return {};
      if (auto slept = co_await async::sleep(arguments_.interval); !slept) co_return slept;
    }
  }

  bool is_damaged = false;

 private:
  const ClusterStatusArguments& arguments_;
};

int run_cluster_status(ClusterStatusArguments& arguments) {
  StatusWork work(arguments);
  const auto done = with_cluster(arguments, work);
  if (!done) return cluster_failed(kClusterStatusCommand, done.error());
  return work.is_damaged ? kFailed : kOk;
}

}  // namespace

constinit const Command cluster_status_command =
    command_of<declare_cluster_status, run_cluster_status>(
        kClusterStatusCommand, "URL [--watch] [--json]", "show nodes and progress");

}  // namespace gossamer::cli
