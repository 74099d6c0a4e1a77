#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/figures.h"
#include "cli/cluster_client.h"
#include "cli/commands.h"
#include "cluster/reshard.h"
#include "redis/slot.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kReshardCommand = "cluster reshard";

struct ReshardArguments : ClusterArguments {
  std::string from;
  std::string to;
  std::uint64_t slots = 0;
  bool is_even = false;
  bool is_abandoned = false;
};

void declare_reshard(options::Table& table, ReshardArguments& arguments) {
  table.summary("Move parts of crawls between masters of a Redis Cluster, while the crawls run.");
  declare_cluster(table, arguments);
  table.flag("--even", arguments.is_even, "give every master an equal share; for a new master");
  table.option("--from", options::text(arguments.from, "MASTER"), "move from this HOST:PORT or id");
  table.option("--to", options::text(arguments.to, "MASTER"), "move to this HOST:PORT or id");
  table.option("--slots", options::count(arguments.slots, 1),
               "move at most this many slots; all by default");
  table.flag("--abandon", arguments.is_abandoned,
             "give up interrupted moves; their slots stay where they are");
  table.footer(
      "Only slots with parts of crawls are moved. A part is frozen while it moves, and nodes "
      "repeat\n"
      "their calls. Moves that were interrupted are finished first, or given up if the target is\n"
      "gone; without --even and --to, nothing else is done. Never move slots with other programs\n"
      "while a crawl runs: that loses URLs.");
}

class ReshardWork final : public ClusterWork {
 public:
  // BORROWS: the arguments.
  explicit ReshardWork(const ReshardArguments& arguments) : arguments_(arguments) {}

  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string /*crawl*/) override {
    cluster::Reshard reshard(client, {});
    auto done = co_await run(reshard);
    result = reshard.result();
    co_return done;
  }

  cluster::ReshardResult result;

 private:
  // BORROWS: the reshard.
  async::Task<Result<void>> run(cluster::Reshard& reshard) {
    if (auto opened = co_await reshard.open(); !opened) co_return opened;
    auto moves = plan(reshard);
    if (!moves) co_return fail(std::move(moves).error());
    if (arguments_.is_abandoned) {
      if (auto given_up = co_await reshard.abandon(); !given_up) co_return given_up;
    }
    if (auto finished = co_await reshard.finish_interrupted(); !finished) co_return finished;
    // The owners may have changed.
    moves = plan(reshard);
    if (!moves) co_return fail(std::move(moves).error());
    co_return co_await reshard.move(std::move(*moves));
  }

  Result<std::vector<cluster::SlotMove>> plan(const cluster::Reshard& reshard) const {
    if (arguments_.is_even) return plan_even(reshard.used_slots(), reshard.servers().masters());
    if (arguments_.to.empty()) return std::vector<cluster::SlotMove>();
    auto from = reshard.servers().find_master(arguments_.from);
    if (!from) return fail(std::move(from).error());
    auto to = reshard.servers().find_master(arguments_.to);
    if (!to) return fail(std::move(to).error());
    const std::uint64_t count = arguments_.slots == 0 ? redis::kSlots : arguments_.slots;
    return plan_from(reshard.used_slots(), *from, *to, static_cast<std::size_t>(count));
  }

  const ReshardArguments& arguments_;
};

int run_reshard(ReshardArguments& arguments) {
  if (arguments.from.empty() != arguments.to.empty()) {
    return usage_error(kReshardCommand, "--from and --to belong together");
  }
  if ((arguments.is_even || arguments.is_abandoned) && !arguments.to.empty()) {
    return usage_error(kReshardCommand, "use --even or --abandon, or --from and --to, not both");
  }
  if (arguments.slots > 0 && arguments.to.empty()) {
    return usage_error(kReshardCommand, "--slots requires --from and --to");
  }
  ReshardWork work(arguments);
  const auto done = with_cluster(arguments, work);
  const cluster::ReshardResult& result = work.result;
  terminal::print_out("{} moved with {}", base::counted(result.slots, "slot"),
                      base::counted(result.keys, "key"));
  if (result.finished > 0) terminal::print_out(", {} of them interrupted", result.finished);
  terminal::print_out("\n");
  if (result.replaced > 0) {
    terminal::print_out(
        "warning: the targets already had up to {}, which were replaced; if slots were moved with "
        "another program before, URLs may be lost\n",
        base::counted(result.replaced, "key"));
  }
  if (result.abandoned > 0) {
    terminal::print_out("{} abandoned\n", base::counted(result.abandoned, "interrupted move"));
  }
  if (result.swept > 0) {
    terminal::print_out("copies of {} removed that earlier moves had left\n",
                        base::counted(result.swept, "slot"));
  }
  for (const std::string& server : result.unclean) {
    terminal::print_err(
        "{} or its replicas still have keys of slots that were moved; run `gossamer cluster "
        "reshard URL` again when they answer\n",
        server);
  }
  if (!done) {
    const int exit_code = cluster_failed(kReshardCommand, done.error());
    if (done.error() != Errc::invalid_argument) {
      terminal::print_err("If parts stay frozen, run `gossamer cluster reshard URL` again.\n");
    }
    return exit_code;
  }
  return result.unclean.empty() ? kOk : kFailed;
}

}  // namespace

constinit const Command cluster_reshard_command = command_of<declare_reshard, run_reshard>(
    kReshardCommand, "URL --even", "move parts of crawls between masters");

}  // namespace gossamer::cli
