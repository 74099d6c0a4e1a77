#include <string_view>

#include "base/figures.h"
#include "cli/cluster_client.h"
#include "cli/commands.h"
#include "run/shared/shared_control.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kPurgeCommand = "cluster purge";

struct PurgeArguments : ClusterArguments {
  bool is_confirmed = false;
  bool is_forced = false;
};

void declare_purge(options::Table& table, PurgeArguments& arguments) {
  table.summary("Delete a shared crawl from Redis. The directories of nodes stay.");
  declare_cluster(table, arguments);
  table.flag("yes", arguments.is_confirmed, "confirm it; nothing is deleted without this");
  table.flag("force", arguments.is_forced, "also delete a crawl that has not ended");
}

int run_purge(PurgeArguments& arguments) {
  if (!arguments.is_confirmed) {
    return usage_error(kPurgeCommand, "this deletes the crawl; confirm it with --yes");
  }
  const auto cluster = cluster_settings(arguments);
  if (!cluster) return cluster_failed(kPurgeCommand, cluster.error());
  const auto removed = run::purge_shared_crawl(*cluster, arguments.is_forced);
  if (!removed && removed.error() == Errc::exists) {
    return usage_error(kPurgeCommand, "the crawl has not ended; stop it, or use --force");
  }
  if (!removed) return cluster_failed(kPurgeCommand, removed.error());
  terminal::print_out("{} deleted\n", base::counted(*removed, "key"));
  return kOk;
}

}  // namespace

constinit const Command cluster_purge_command =
    command_of<declare_purge, run_purge>(kPurgeCommand, "URL --yes", "delete a crawl from Redis");

}  // namespace gossamer::cli
