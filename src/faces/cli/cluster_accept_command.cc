#include <string>
#include <string_view>
#include <utility>

#include "base/figures.h"
#include "cli/cluster_client.h"
#include "cli/commands.h"
#include "cluster/new_owners.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kAcceptCommand = "cluster accept";

void declare_accept(options::Table& table, ClusterArguments& arguments) {
  table.summary("Accept that slots with parts of a crawl were moved, if nothing was lost.");
  declare_cluster(table, arguments);
  table.footer(
      "Stop all nodes, move the slots with `redis-cli --cluster reshard` or `rebalance`, run "
      "this,\n"
      "and start the nodes again. It compares what every part of the crawl counts with what it "
      "has.\n"
      "Exit code 1: URLs are missing; nothing was changed. Manual: docs/cluster.md");
}

class AcceptWork final : public ClusterWork {
 public:
  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string crawl) override {
    auto accepted = co_await cluster::accept_new_owners(client, std::move(crawl), 60s, 20s);
    if (!accepted) co_return fail(std::move(accepted).error());
    result = std::move(*accepted);
    co_return {};
  }

  cluster::NewOwners result;
};

int run_accept(ClusterArguments& arguments) {
  AcceptWork work;
  if (const auto done = with_cluster(arguments, work); !done) {
    return cluster_failed(kAcceptCommand, done.error());
  }
  const cluster::NewOwners& result = work.result;
  for (const std::string& loss : result.losses) terminal::print_err("{}\n", loss);
  if (!result.losses.empty()) {
    terminal::print_err("URLs are missing; nothing was accepted. Begin the crawl again.\n");
    return kFailed;
  }
  terminal::print_out("{} found, all are there; {} accepted\n", base::counted(result.found, "URL"),
                      base::counted(result.moved, "new owner"));
  if (result.thawed > 0) {
    terminal::print_out("{} in use again\n", base::counted(result.thawed, "frozen part"));
  }
  return kOk;
}

}  // namespace

constinit const Command cluster_accept_command =
    command_of<declare_accept, run_accept>(kAcceptCommand, "URL", "accept slots that were moved");

}  // namespace gossamer::cli
