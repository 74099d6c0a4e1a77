#include <gtest/gtest.h>
#include <tests/support/job_process.h>

#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "record/page_row.h"

namespace gossamer::sim {
namespace {

// What a crawl that has come to its end tries once more.
bool has_failed(const crawler::FetchRecord& page) {
  const int status = page.status.value_or(0);
  return !page.error.empty() || status == 408 || status == 429 || status >= 500;
}

// By the first bytes of their keys.
std::size_t origins_waiting(const store::Tables& tables) {
  std::size_t count = 0;
  std::string from;
  for (bool has_more = true; has_more;) {
    has_more = false;
    EXPECT_TRUE(tables.scan(store::Table::waiting, from, [&](std::string_view key, auto) {
      from.clear();
      store::append_big_endian(from, store::read_big_endian(key, 4) + 1, 4);
      has_more = true;
      return false;
    }));
    count += has_more ? 1 : 0;
  }
  return count;
}

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

bool has_waiting(const store::Tables& tables) {
  bool is_there = false;
  EXPECT_TRUE(tables.scan(store::Table::waiting, {}, [&](auto, auto) {
    is_there = true;
    return false;
  }));
  return is_there;
}

JobProcess::JobProcess(run::CrawlSettings settings, const Life& life,
                       support::SimulatedStorage& storage, std::uint64_t seed)
    : settings_(std::move(settings)), life_(life), storage_(storage), seed_(seed) {
  settings_.job.folder = "job";
  settings_.web.guard.allow_private = true;
  const auto completed = run::complete(settings_);
  EXPECT_TRUE(completed);
  settings_.job.memory_bytes = life.memory_bytes;
  settings_.host_bytes_max = life.host_bytes_max;
}

async::Task<void> JobProcess::run(net::Resolver& names, WallTime wall_start) {
  async::Loop& loop = async::Loop::current();
  begun_ = loop.now();
  support::SimulatedMachine machine(storage_, names, seed_, wall_start);
  if (life_.operations > 0) machine.die_before(life_.operations);
  if (life_.full_at > 0) machine.fill_before(life_.full_at);
  machine.on_death([this, &loop] {
    died_ = loop.now();
    // It may be in the middle of something.
    loop.call_soon([this] { stop(2); });
  });
  co_await crawl(machine);
  if (died_ == base::kNever) died_ = loop.now();
  operations_ = machine.operations();
}

async::Task<void> JobProcess::crawl(support::SimulatedMachine& machine) {
  const std::size_t pages_before = pages_in(storage_.tables).size();
  auto job = run::JobStore::open(settings_.job, machine);
  if (!job) {
    failure_ = job.error().to_string();
    co_return;
  }
  if (!run::fit_to_job(settings_, **job)) {
    has_finished_ = true;
    co_return;
  }
  run::Crawl crawl(std::move(settings_), std::move(*job), machine);
  crawl_ = &crawl;
  async::Scope watchers(async::OnFailure::keep_going);
  watchers.spawn(end_life(machine));
  watchers.spawn(fill_disk());
  const auto end = co_await crawl.run(*this);
  crawl_ = nullptr;
  watchers.cancel();
  static_cast<void>(co_await watchers.join());
  if (start_) lost_ = pages_before - std::min(pages_before, done_.size());
  if (!end) failure_ = end.error().error.to_string();
  if (end && end->failure) failure_ = end->failure->error.to_string();
  const bool is_whole = end && !end->failure && !machine.is_dead();
  has_finished_ = is_whole && end->reason == crawler::EndReason::finished;
  is_incomplete_ = is_whole && end->reason == crawler::EndReason::incomplete;
}

void JobProcess::begin(const run::CrawlStart& start) {
  start_ = start;
  done_ = pages_in(storage_.tables);
  EXPECT_TRUE(storage_.tables.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
    const auto page = store::unpack_page(row);
    if (page && has_failed(*page)) failed_.insert(page->url);
    return true;
  }));
}

async::Task<Result<void>> JobProcess::put(crawler::Page /*page*/) {
  constexpr std::size_t kHostBytes = 1500;  // at least
  hosts_away_ = hosts_away_ || origins_waiting(storage_.tables) * kHostBytes > life_.host_bytes_max;
  co_return {};
}

void JobProcess::stop(int times) {
  for (int i = 0; i < times && crawl_ != nullptr; ++i) crawl_->stop();
}

async::Task<Result<void>> JobProcess::end_life(support::SimulatedMachine& machine) {
  if (life_.length == Duration::max()) co_return {};
  if (auto slept = co_await async::sleep(life_.length); !slept) co_return slept;
  if (life_.death == Death::stopped) {
    stop(1);
  } else {
    machine.die();
  }
  co_return {};
}

async::Task<Result<void>> JobProcess::fill_disk() {
  if (life_.full_from == Duration::max()) co_return {};
  if (auto slept = co_await async::sleep(life_.full_from); !slept) co_return slept;
  if (life_.room_when_full == 0) storage_.set_full(true);
  storage_.free_bytes = life_.room_when_full;
  if (auto slept = co_await async::sleep(life_.full_for); !slept) co_return slept;
  storage_.set_full(false);
  co_return {};
}

}  // namespace gossamer::sim
