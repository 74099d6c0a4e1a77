#include <gtest/gtest.h>
#include <tests/sim/job_process.h>

#include <string>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "crawl/crawl.h"
#include "crawl/frontier/frontier.h"
#include "store/archiving_sink.h"
#include "store/lost_pages.h"
#include "store/page_row.h"
#include "store/page_table.h"

namespace gossamer::sim {
namespace {

class NoSink final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page /*page*/) override { co_return {}; }
};

}  // namespace

std::set<std::string> pages_in(const store::Tables& tables) {
  std::set<std::string> urls;
  EXPECT_TRUE(tables.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
    const auto page = store::unpack_page(row);
    EXPECT_TRUE(page);
    if (page) urls.insert(page->url);
    return true;
  }));
  return urls;
}

JobProcess::JobProcess(const Plan& plan, const Life& life, Storage& storage, std::uint64_t seed,
                       WallTime wall_start)
    : plan_(plan),
      life_(life),
      storage_(storage),
      files_(storage.disk),
      site_(plan.site),
      fate_({.seed = seed,
             .random = base::Random(seed).fork("process"),
             .wall_start = wall_start,
             .outages = life.outages}) {}

async::Task<void> JobProcess::run() {
  const auto asked = co_await live_beside(plan_, site_, fate_,
                                          [this](crawler::World& world) { return crawl(world); });
  for (const site::LogEntry& entry : asked) {
    if (entry.begun <= died_) log_.push_back(entry);
  }
}

store::ArchiveOptions JobProcess::archive_options(store::KnownPayloads& payloads) const {
  store::ArchiveOptions options;
  options.file_bytes_max = life_.file_bytes_max;
  options.known = &payloads;
  options.seed = fate_.seed;
  options.now = [this] { return fate_.wall_start; };
  return options;
}

async::Task<void> JobProcess::crawl(crawler::World& world) {
  begun_ = world.loop_start;
  store::Ledger ledger(storage_.tables, store::Durability::group);
  store::KeptPayloads payloads(ledger);
  auto archive = co_await store::Archive::open(files_, pool_, archive_options(payloads));
  const auto lost = !archive ? fail(archive.error().copy())
                             : store::put_back_lost_pages(storage_.tables, options().order,
                                                          [&](std::string_view file) {
                                                            return (*archive)->whole_length(file);
                                                          });
  const bool has_begun = lost && co_await (*archive)->begin();
  if (!has_begun) {  // the disk fails while the last one's end is looked after
    died_ = async::Loop::current().now();
    co_return;
  }
  lost_ = *lost;
  done_ = pages_in(storage_.tables);
  store::KeptWork work(
      ledger, {.wall_start = fate_.wall_start, .loop_start = begun_, .head_max = life_.head_max});
  NoSink nowhere;
  store::PageTable pages(ledger, options().identity, nowhere);
  store::ArchivingSink sink(**archive, pages, {.space_patience = Duration::max()});
  crawler::Shards shards(life_.shards, crawler::frontier_options(options(), world));
  watch_ledger(ledger);
  Parts parts = {world, **archive, ledger, work, sink, shards};
  co_await crawl_with(parts);
}

// BORROWS: the ledger, which ends before the process.
void JobProcess::watch_ledger(store::Ledger& ledger) {
  ledger.on_trouble([this, &ledger] {
    const bool is_full = *ledger.trouble() == Errc::no_space;
    on_all([is_full](crawler::Engine& engine) {
      if (is_full) return engine.pause();
      engine.stop(crawler::EndReason::failed);
    });
  });
}

async::Task<void> JobProcess::crawl_with(Parts& parts) {
  has_finished_ = true;
  async::Scope watchers(async::OnFailure::keep_going);
  async::Scope engines(async::OnFailure::keep_going);
  for (std::uint32_t i = 0; i < life_.shards; ++i) engines.spawn(crawl_shard(parts, i));
  watchers.spawn(die());
  watchers.spawn(sync(parts));
  static_cast<void>(co_await engines.join());
  watchers.cancel();
  static_cast<void>(co_await watchers.join());
  if (died_ == base::kNever) {
    died_ = async::Loop::current().now();
    const auto closed = co_await parts.archive.close();
    static_cast<void>(parts.ledger.try_again());
    parts.ledger.commit();
    const auto synced = storage_.tables.sync();
    has_finished_ = has_finished_ && closed && !parts.ledger.trouble() && synced;
  }
}

async::Task<void> JobProcess::crawl_shard(const Parts& parts, std::uint32_t index) {
  const bool is_alone = life_.shards == 1;
  store::KeptShare share(parts.work, {.index = index, .count = life_.shards});
  crawler::FrontierOptions with = crawler::frontier_options(options(), parts.world);
  with.is_continued = !life_.is_first;
  with.host_bytes_max = life_.host_bytes_max;
  crawler::Frontier frontier(async::Loop::current(), std::move(with),
                             is_alone ? nullptr : parts.shards.share(), &share);
  wire::CookieJar cookies;
  crawler::Options settings = options();
  settings.grace = 1s;
  settings.keeps_captures = true;
  settings.host_bytes_max = life_.host_bytes_max;
  crawler::Engine engine(parts.world, std::move(settings), frontier, parts.sink, cookies,
                         is_alone ? nullptr : &parts.shards[index]);
  engines_.push_back(&engine);
  parts.shards[index].join_in(async::Loop::current(), engine);
  const auto end = co_await engine.run();
  has_finished_ = has_finished_ && end && *end == crawler::EndReason::finished;
  is_incomplete_ = is_incomplete_ || (end && *end == crawler::EndReason::incomplete);
  hosts_away_ += frontier.hosts() - frontier.hosts_in_memory();
  std::erase(engines_, &engine);
  if (!is_alone) EXPECT_TRUE(co_await parts.shards[index].leave());
}

template <class Change>
void JobProcess::on_all(Change change) {
  for (crawler::Engine* const engine : std::vector(engines_)) change(*engine);
}

async::Task<Result<void>> JobProcess::die() {
  if (life_.length == Duration::max()) co_return {};
  if (auto slept = co_await async::sleep(life_.length); !slept) co_return slept;
  if (life_.death == Death::stopped) {
    on_all([](crawler::Engine& engine) { engine.stop(crawler::EndReason::interrupted); });
    co_return {};
  }
  died_ = async::Loop::current().now();
  storage_.tables.freeze();
  files_.unplug();
  if (life_.death != Death::killed) storage_.disk->crash();
  on_all([](crawler::Engine& engine) { engine.abort(); });
  co_return {};
}

async::Task<Result<void>> JobProcess::sync(const Parts& parts) {
  for (;;) {
    if (auto slept = co_await async::sleep(1s); !slept) co_return slept;
    const auto trouble = parts.ledger.trouble();
    if (trouble && *trouble == Errc::no_space && parts.ledger.try_again()) {
      on_all([](crawler::Engine& engine) { engine.resume(); });
    }
    // The archive first: what the tables say of it is to be there.
    auto synced = co_await parts.archive.sync();
    if (synced) synced = storage_.tables.sync();
    if (!synced) parts.ledger.fail_with(std::move(synced).error());
  }
}

}  // namespace gossamer::sim
