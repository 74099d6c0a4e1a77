// Commands that steer a shared crawl: they change its state in Redis, and the nodes follow.
#include <string>
#include <string_view>
#include <vector>

#include "base/figures.h"
#include "cli/cluster_client.h"
#include "cli/commands.h"
#include "run/shared/shared_control.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

using cluster::Control;

constexpr std::string_view kPauseCommand = "cluster pause";
constexpr std::string_view kResumeCommand = "cluster resume";
constexpr std::string_view kStopCommand = "cluster stop";
constexpr std::string_view kAddCommand = "cluster add";
constexpr std::string_view kBlockCommand = "cluster block";
constexpr std::string_view kUnblockCommand = "cluster unblock";

int finish(std::string_view command, const Result<void>& done, std::string_view text) {
  if (!done) return cluster_failed(command, done.error());
  terminal::print_out("{}\n", text);
  return kOk;
}

int set_control(std::string_view command, const ClusterArguments& arguments, Control control,
                std::string_view text) {
  const auto cluster = cluster_settings(arguments);
  if (!cluster) return cluster_failed(command, cluster.error());
  return finish(command, run::control_shared_crawl(*cluster, control), text);
}

void declare_pause(options::Table& table, ClusterArguments& arguments) {
  table.summary("Pause a shared crawl: nodes keep their hosts and send no requests.");
  declare_cluster(table, arguments);
}

int run_pause(ClusterArguments& arguments) {
  return set_control(kPauseCommand, arguments, Control::pause, "the crawl pauses");
}

void declare_resume(options::Table& table, ClusterArguments& arguments) {
  table.summary("Resume a shared crawl that was paused.");
  declare_cluster(table, arguments);
}

int run_resume(ClusterArguments& arguments) {
  return set_control(kResumeCommand, arguments, Control::run, "the crawl continues");
}

void declare_stop(options::Table& table, ClusterArguments& arguments) {
  table.summary("Stop a shared crawl on all nodes. This is final.");
  declare_cluster(table, arguments);
}

int run_stop(ClusterArguments& arguments) {
  return set_control(kStopCommand, arguments, Control::stop, "the crawl stops");
}

struct ClusterAddArguments : ClusterArguments {
  std::vector<std::string> pages;
};

void declare_add(options::Table& table, ClusterAddArguments& arguments) {
  table.summary("Add root URLs to a shared crawl that is running.");
  declare_cluster(table, arguments);
  table.words(options::texts(arguments.pages, "PAGE"), "the URLs, http or https");
}

int run_add(ClusterAddArguments& arguments) {
  const auto cluster = cluster_settings(arguments);
  if (!cluster) return cluster_failed(kAddCommand, cluster.error());
  return finish(kAddCommand, run::add_to_shared_crawl(*cluster, arguments.pages),
                base::counted(arguments.pages.size(), "URL") + " added");
}

struct ClusterBlockArguments : ClusterArguments {
  std::vector<std::string> hosts;
};

void declare_hosts(options::Table& table, ClusterBlockArguments& arguments) {
  declare_cluster(table, arguments);
  table.words(options::texts(arguments.hosts, "HOST"), "the hosts, as in URLs");
}

void declare_block(options::Table& table, ClusterBlockArguments& arguments) {
  table.summary("Skip the remaining and future URLs of hosts, on all nodes, until the crawl ends.");
  declare_hosts(table, arguments);
}

int run_block(ClusterBlockArguments& arguments) {
  const auto cluster = cluster_settings(arguments);
  if (!cluster) return cluster_failed(kBlockCommand, cluster.error());
  return finish(kBlockCommand, run::block_in_shared_crawl(*cluster, arguments.hosts),
                base::counted(arguments.hosts.size(), "host") + " blocked");
}

void declare_unblock(options::Table& table, ClusterBlockArguments& arguments) {
  table.summary("Fetch URLs of blocked hosts again. URLs that were skipped stay skipped.");
  declare_hosts(table, arguments);
}

int run_unblock(ClusterBlockArguments& arguments) {
  const auto cluster = cluster_settings(arguments);
  if (!cluster) return cluster_failed(kUnblockCommand, cluster.error());
  return finish(kUnblockCommand, run::unblock_in_shared_crawl(*cluster, arguments.hosts),
                base::counted(arguments.hosts.size(), "host") + " unblocked");
}

}  // namespace

constinit const Command cluster_pause_command = command_of<declare_pause, run_pause>(
    kPauseCommand, "URL", "send no requests until it is resumed");
constinit const Command cluster_resume_command =
    command_of<declare_resume, run_resume>(kResumeCommand, "URL", "resume a crawl that pauses");
constinit const Command cluster_stop_command =
    command_of<declare_stop, run_stop>(kStopCommand, "URL", "stop a crawl on all nodes");
constinit const Command cluster_add_command = command_of<declare_add, run_add>(
    kAddCommand, "URL PAGE...", "add root URLs to a running crawl");
constinit const Command cluster_block_command =
    command_of<declare_block, run_block>(kBlockCommand, "URL HOST...", "skip the URLs of hosts");
constinit const Command cluster_unblock_command = command_of<declare_unblock, run_unblock>(
    kUnblockCommand, "URL HOST...", "fetch URLs of blocked hosts again");

}  // namespace gossamer::cli
