#include "cli/shared_crawl_arguments.h"

#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "base/escape.h"
#include "cli/command.h"
#include "cli/crawl_arguments.h"
#include "run/machine/machine.h"
#include "run/machine/web_access.h"
#include "run/shared/shared_run.h"
#include "settings/cluster_arguments.h"
#include "settings/job_arguments.h"
#include "store/job_folder.h"

namespace gossamer::cli {
namespace {

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
  if (auto settled = settings::complete_shared_crawl(arguments); !settled) {
    return fail(std::move(settled).error());
  }
  const auto job = store::JobFolder::open(folder, store::JobFolder::Access::read);
  if (job && !job->is_new()) return settings::stored_settings_of(*job);
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
