#include "cli/shared_crawl_arguments.h"

#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "base/escape.h"
#include "cli/cluster_client.h"
#include "cli/command.h"
#include "cli/crawl_arguments.h"
#include "cli/job_arguments.h"
#include "run/machine.h"
#include "run/shared_run.h"
#include "run/web_access.h"
#include "store/job_folder.h"

namespace gossamer::cli {
namespace {

using options::Concern;
using options::Power;

// BORROWS: the settings.
async::Task<Result<std::string>> read_settings(const run::ClusterSettings& cluster) {
  async::Scope lookups(async::OnFailure::keep_going);
  async::Scope connections(async::OnFailure::keep_going);
  auto web = co_await run::this_machine().open_web(lookups, {});
  if (!web) co_return fail(std::move(web).error());
  auto settings = co_await run::SharedRun::read_settings(cluster, (*web)->resolver(), connections);
  static_cast<void>(co_await connections.join());
  lookups.cancel();
  static_cast<void>(co_await lookups.join());
  co_return settings;
}

}  // namespace

void declare_shared_crawl(options::Table& table, CrawlArguments& arguments) {
  run::ClusterSettings& cluster = arguments.crawl.cluster;
  table.group("Shared crawl");
  table.option("--cluster", options::text(cluster.url, "URL"),
               "crawl together with other nodes: redis://HOST:PORT,HOST:PORT/NAME; needs --job",
               Concern::machine, Power::send);
  table.option("--cluster-password-file", options::file(arguments.redis_password_file),
               "read the password of Redis from FILE, not from GOSSAMER_REDIS_PASSWORD",
               Concern::run, Power::read_files);
  table.option("--cluster-cacert", options::file(cluster.tls.ca_file),
               "for rediss://: also trust the certificates in FILE (PEM)", Concern::machine,
               Power::weaken_tls);
  table.option("--cluster-lease", options::duration(cluster.lease),
               "give the hosts of a silent node to others after TIME", Concern::machine,
               Power::none);
}

Result<void> settle_shared_crawl(CrawlArguments& arguments) {
  run::ClusterSettings& cluster = arguments.crawl.cluster;
  if (!cluster.is_shared()) {
    if (arguments.redis_password_file.empty()) return {};
    return fail(Errc::invalid_argument, "--cluster-password-file requires --cluster");
  }
  auto password = read_redis_password(arguments.redis_password_file);
  if (!password) return fail(std::move(password).error());
  cluster.password = std::move(*password);
  return {};
}

bool lacks_shared_settings(const CrawlArguments& arguments) {
  return arguments.crawl.cluster.is_shared() && arguments.crawl.roots.empty() &&
         arguments.input_files.empty();
}

Result<options::StoredSettings> fetch_shared_settings(CrawlArguments& arguments) {
  const std::string& folder = arguments.crawl.job.folder;
  if (folder.empty()) {
    return fail(Errc::invalid_argument,
                "a node of a shared crawl needs its own crawl directory; add --job DIR");
  }
  if (auto settled = settle_shared_crawl(arguments); !settled) {
    return fail(std::move(settled).error());
  }
  const auto job = store::JobFolder::open(folder, store::JobFolder::Access::read);
  if (job && !job->is_new()) return stored_settings_of(*job);
  async::Loop loop;
  auto settings = loop.run(read_settings(arguments.crawl.cluster));
  if (!settings) return fail(std::move(settings).error());
  return options::StoredSettings{.name = arguments.crawl.cluster.url,
                                 .text = std::move(*settings),
                                 .doubt = "the first node of this shared crawl"};
}

int shared_crawl_error(std::string_view command, const Error& error) {
  static_cast<void>(usage_error(command, base::escape_for_terminal(error.message())));
  if (error == Errc::denied) return kAuthenticationFailed;
  return error == Errc::not_found ? int{kUsage} : exit_code_for(error);
}

}  // namespace gossamer::cli
