#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "async/loop.h"
#include "base/figures.h"
#include "base/json.h"
#include "cli/cluster_client.h"
#include "cli/commands.h"
#include "cluster/health.h"
#include "terminal/screen.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

using cluster::Finding;

constexpr std::string_view kClusterDoctorCommand = "cluster doctor";
constexpr Duration kExaminePatience = 10s;

struct ClusterDoctorArguments : ClusterArguments {
  std::uint64_t urls = 1'000'000;
  bool is_json = false;
};

void declare_cluster_doctor(options::Table& table, ClusterDoctorArguments& arguments) {
  table.summary(
      "Check whether Redis servers can hold a shared crawl: what can lose URLs, and the memory.");
  declare_cluster(table, arguments);
  table.option("urls", options::count(arguments.urls, 1), "estimate the memory of this many URLs");
  table.flag("json", arguments.is_json, "print one JSON object");
  table.footer(
      "GOSSAMER_REDIS_PASSWORD holds the password unless --password-file is given. Exit code 1: a\n"
      "crawl in these servers would not work or could lose URLs without any fault.");
}

std::string_view name(Finding::Weight weight) {
  return weight == Finding::Weight::fatal ? "error" : "warning";
}

void print_json(const cluster::Health& health, const std::vector<Finding>& findings,
                std::uint64_t bytes) {
  std::string list = "[";
  for (const Finding& finding : findings) {
    if (list.size() > 1) list += ',';
    list += base::JsonLine()
                .text("weight", name(finding.weight))
                .text("server", finding.server)
                .text("text", finding.text)
                .finish();
  }
  terminal::print_out("{}\n", base::JsonLine()
                                  .boolean("cluster", health.is_cluster)
                                  .number("masters", health.masters.size())
                                  .number("needed_bytes", bytes)
                                  .raw("findings", list + "]")
                                  .finish());
}

void print_text(const cluster::Health& health, const std::vector<Finding>& findings,
                std::uint64_t urls, std::uint64_t bytes) {
  terminal::print_out("{} with {}\n", health.is_cluster ? "Redis Cluster" : "One Redis server",
                      base::counted(health.masters.size(), "master"));
  for (const cluster::ServerFacts& master : health.masters) {
    const auto version = master.info.find("redis_version");
    const auto used = master.info.find("used_memory_human");
    terminal::print_out("  {}  Redis {}, {}, {} used\n", terminal::plain_text(master.name),
                        terminal::plain_text(version == master.info.end() ? "?" : version->second),
                        base::counted(master.replicas, "replica"),
                        terminal::plain_text(used == master.info.end() ? "?" : used->second));
  }
  for (const Finding& finding : findings) {
    terminal::print_out("{}: {}{}{}\n", name(finding.weight), terminal::plain_text(finding.server),
                        finding.server.empty() ? "" : ": ", terminal::plain_text(finding.text));
  }
  if (findings.empty()) terminal::print_out("no findings\n");
  terminal::print_out("{} queued URLs need about {} in all masters together\n", base::grouped(urls),
                      base::byte_count(bytes));
}

class Examination final : public ClusterWork {
 public:
  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string /*crawl*/) override {
    auto examined =
        co_await cluster::examine(client, async::Loop::current().now() + kExaminePatience);
    if (!examined) co_return fail(std::move(examined).error());
    health = std::move(*examined);
    co_return {};
  }

  cluster::Health health;
};

int run_cluster_doctor(ClusterDoctorArguments& arguments) {
  Examination examination;
  const auto done = with_cluster(arguments, examination);
  if (!done) return cluster_failed(kClusterDoctorCommand, done.error());
  const cluster::Health& health = examination.health;
  const std::vector<Finding> findings = cluster::judge(health);
  const std::uint64_t bytes = arguments.urls * (cluster::kSeenUrlBytes + cluster::kQueuedUrlBytes);
  if (arguments.is_json) {
    print_json(health, findings, bytes);
  } else {
    print_text(health, findings, arguments.urls, bytes);
  }
  const bool is_fatal = !findings.empty() && findings.front().weight == Finding::Weight::fatal;
  return is_fatal ? kFailed : kOk;
}

}  // namespace

constinit const Command cluster_doctor_command =
    command_of<declare_cluster_doctor, run_cluster_doctor>(
        kClusterDoctorCommand, "URL", "check Redis servers for a shared crawl");

}  // namespace gossamer::cli
