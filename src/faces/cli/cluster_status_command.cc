#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/sleep.h"
#include "base/figures.h"
#include "cli/cluster_client.h"
#include "cli/commands.h"
#include "cluster/node_report.h"
#include "run/shared/shared_control.h"
#include "run/shared/shared_status.h"
#include "terminal/live_lines.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kClusterStatusCommand = "cluster status";

struct ClusterStatusArguments : ClusterArguments {
  bool is_json = false;
  bool is_watched = false;
  Duration interval = 2s;
};

void declare_cluster_status(options::Table& table, ClusterStatusArguments& arguments) {
  table.summary("Show the nodes and the progress of a shared crawl.");
  declare_cluster(table, arguments);
  table.flag("watch", arguments.is_watched, "repeat it until the crawl ends");
  table.option("interval", options::duration(arguments.interval), "with --watch: the pause");
  table.flag("json", arguments.is_json, "print one JSON object, with --watch one per line");
  table.footer(
      "Exit code 1: there is no such crawl, or a part of it is lost or was moved while it was in\n"
      "use. Manual: docs/cluster.md");
}

std::string node_line(const cluster::NodeStatus& node) {
  std::string line = fmt::format("  {:<24} seen {} ago", terminal::plain_text(node.name),
                                 base::short_time(node.unseen));
  const auto report = cluster::parse_node_report(node.report);
  if (!report) return line + ", no report\n";
  return line + fmt::format(", {}, {:.1f}/s, {}, {} in flight, {} queued, {}, {}\n",
                            base::counted(report->pages, "page"), report->pages_per_second,
                            base::byte_count(report->bytes), base::grouped(report->in_flight),
                            base::grouped(report->queued), base::counted(report->hosts, "host"),
                            base::counted(report->errors, "error"));
}

std::string to_text(const run::SharedCrawlStatus& snapshot) {
  const cluster::CrawlFacts& facts = snapshot.facts;
  std::string text = fmt::format("crawl {}: {}", snapshot.crawl, snapshot.state());
  if (!facts.end.empty()) text += ": " + terminal::plain_text(facts.end);
  if (facts.pages_left) text += fmt::format(", {} left", base::counted(*facts.pages_left, "page"));
  text += fmt::format("\n  URLs: {} found, {} ended, {} open\n", base::grouped(snapshot.found()),
                      base::grouped(snapshot.ended()), base::grouped(snapshot.open()));
  text +=
      fmt::format("  hosts: {} known, {} with URLs, {} leased\n", base::grouped(snapshot.hosts()),
                  base::grouped(snapshot.due()), base::grouped(snapshot.leased()));
  text += fmt::format("{}, {:.1f} pages/s\n", base::counted(snapshot.nodes.size(), "node"),
                      snapshot.of_nodes().pages_per_second);
  for (const cluster::NodeStatus& node : snapshot.nodes) text += node_line(node);
  if (facts.is_frozen) {
    text += "warning: the crawl is frozen; see `gossamer cluster accept`\n";
  }
  if (const std::string frozen = snapshot.frozen(); !frozen.empty()) {
    text += fmt::format("warning: frozen partitions: {}; see `gossamer cluster accept`\n", frozen);
  }
  if (const std::string misplaced = snapshot.misplaced(); !misplaced.empty()) {
    text += fmt::format(
        "error: the slots of these partitions were moved, which can lose URLs; stop the nodes and "
        "run `gossamer cluster accept`: {}\n",
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
      const auto status = co_await run::read_shared_crawl(client, crawl);
      if (!status) co_return fail(status.error().copy());
      is_damaged = status->is_damaged();
      const std::string text = arguments_.is_json ? to_json(*status) + "\n" : to_text(*status);
      const bool is_last = !arguments_.is_watched || !status->facts.end.empty();
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
