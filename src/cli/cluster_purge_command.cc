#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/figures.h"
#include "cli/cluster_client.h"
#include "cli/commands.h"
#include "cluster/purge.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kPurgeCommand = "cluster purge";
constexpr Duration kStepPatience = 30s;

struct PurgeArguments : ClusterArguments {
  bool is_confirmed = false;
  bool is_forced = false;
};

void declare_purge(options::Table& table, PurgeArguments& arguments) {
  table.summary("Delete a shared crawl from Redis. The directories of nodes stay.");
  declare_cluster(table, arguments);
  table.flag("--yes", arguments.is_confirmed, "confirm it; nothing is deleted without this");
  table.flag("--force", arguments.is_forced, "also delete a crawl that has not ended");
}

class PurgeWork final : public ClusterWork {
 public:
  explicit PurgeWork(bool is_forced) : is_forced_(is_forced) {}

  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string crawl) override {
    auto shared = co_await open_crawl(client, crawl);
    // Without a crawl there may be the rest of one.
    if (!shared && shared.error() != Errc::not_found) co_return fail(std::move(shared).error());
    if (shared) {
      auto ready = co_await check(*shared);
      if (!ready) co_return ready;
    }
    auto removed = co_await cluster::purge(client, std::move(crawl), kStepPatience);
    if (!removed) co_return fail(std::move(removed).error());
    keys = *removed;
    co_return {};
  }

  std::uint64_t keys = 0;

 private:
  // Fails if the crawl must not be deleted. Stops one that runs. BORROWS: the crawl.
  async::Task<Result<void>> check(cluster::SharedCrawl& shared) const {
    auto facts = co_await shared.facts();
    if (!facts) co_return fail(std::move(facts).error());
    if (!facts->end.empty()) co_return {};
    if (!is_forced_) {
      co_return fail(Errc::exists, "the crawl has not ended; stop it, or use --force");
    }
    auto stopped = co_await shared.control(cluster::Control::stop);
    if (!stopped) co_return fail(std::move(stopped).error());
    co_return {};
  }

  const bool is_forced_;
};

int run_purge(PurgeArguments& arguments) {
  if (!arguments.is_confirmed) {
    return usage_error(kPurgeCommand, "this deletes the crawl; confirm it with --yes");
  }
  PurgeWork work(arguments.is_forced);
  const auto done = with_cluster(arguments, work);
  if (!done && done.error() == Errc::exists)
    return usage_error(kPurgeCommand, done.error().detail());
  if (!done) return cluster_failed(kPurgeCommand, done.error());
  terminal::print_out("{} deleted\n", base::counted(work.keys, "key"));
  return kOk;
}

}  // namespace

constinit const Command cluster_purge_command =
    command_of<declare_purge, run_purge>(kPurgeCommand, "URL --yes", "delete a crawl from Redis");

}  // namespace gossamer::cli
