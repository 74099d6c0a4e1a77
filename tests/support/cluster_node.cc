#include "tests/support/cluster_node.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "record/page_row.h"

namespace gossamer::sim {
namespace {

constexpr std::size_t kJoinsMax = 5;

}  // namespace

ClusterNode::ClusterNode(std::size_t number, async::Loop& loop, MakeSettings make_settings,
                         redis_model::Cluster& cluster, std::uint64_t seed,
                         std::shared_ptr<Disk> archive)
    : number_(number),
      loop_(loop),
      life_(loop, async::OnFailure::keep_going),
      make_settings_(std::move(make_settings)),
      cluster_(cluster),
      seed_(seed),
      has_archive_(archive != nullptr),
      storage_(archive ? std::move(archive) : std::make_shared<Disk>(DiskOptions(), seed)) {}

std::string ClusterNode::mark() const { return fmt::format("node/{}.{}", number_, died_.size()); }

bool ClusterNode::is_of(const std::string& user_agent) const {
  return user_agent.contains(fmt::format("node/{}.", number_));
}

bool ClusterNode::is_of_dead(const std::string& user_agent, Instant at) const {
  for (std::size_t i = 0; i < died_.size(); ++i) {
    if (user_agent.ends_with(fmt::format("node/{}.{}", number_, i))) return at > died_[i];
  }
  return false;
}

void ClusterNode::start(net::Resolver& names) { life_.spawn(run(names)); }

async::Task<void> ClusterNode::join() { static_cast<void>(co_await ended_.wait()); }

async::Task<void> ClusterNode::run(net::Resolver& names) {
  while (!has_ended_ && !is_retired_) {
    cluster_.close_door(door(), false);
    is_dying_ = false;
    co_await live(names);
    // If Redis is not ready in time, the user starts the node again.
    const bool could_not_join = !is_dying_ && !failure_.empty() && joins_failed_ < kJoinsMax;
    joins_failed_ += could_not_join ? 1 : 0;
    if (could_not_join) until_next_ = 5s;
    has_ended_ = !is_dying_ && !could_not_join;
    if (has_ended_) break;
    static_cast<void>(co_await async::sleep(until_next_));
  }
  ended_.set();
}

async::Task<void> ClusterNode::live(net::Resolver& names) {
  const Duration since = async::Loop::current().now().time_since_epoch();
  support::SimulatedMachine machine(storage_, names, seed_ * 31 + died_.size(),
                                    WallTime{.seconds = 1'700'000'000} + since);
  machine.set_partitions(partitions_);
  run::CrawlSettings settings = make_settings_();
  settings.job.folder = "job";
  settings.job.has_archive = has_archive_;
  settings.cluster.url = cluster_.url(door(), kCrawl);
  settings.user_agent = run::own_user_agent() + " " + mark();
  const auto completed = run::complete(settings);
  EXPECT_TRUE(completed) << completed.error().to_string();
  auto job = run::JobStore::open(settings.job, machine);
  if (!job) {
    failure_ = job.error().to_string();
    co_return;
  }
  has_begun_ = has_open_sink_ = has_finished_ = false;
  run::Crawl crawl(std::move(settings), std::move(*job), machine);
  machine_ = &machine;
  crawl_ = &crawl;
  const auto end = co_await crawl.run(*this);
  crawl_ = nullptr;
  machine_ = nullptr;
  failure_.clear();
  if (!end) failure_ = end.error().error.to_string();
  if (end && end->failure) failure_ = end->failure->error.to_string();
  has_finished_ = end && !end->failure && end->reason == crawler::EndReason::finished;
  storage_.reopen();
}

void ClusterNode::kill(Duration until_next) {
  if (!is_running()) return;
  const async::Loop::Running running(loop_);
  is_dying_ = true;
  until_next_ = until_next;
  died_.push_back(loop_.now());
  // What it still does reaches nobody.
  cluster_.close_door(door(), true);
  machine_->die();
  crawl_->stop();
  crawl_->stop();
}

void ClusterNode::retire() {
  is_retired_ = true;
  kill(Duration::zero());
}

std::vector<crawler::FetchRecord> ClusterNode::records() const {
  std::vector<crawler::FetchRecord> all;
  EXPECT_TRUE(storage_.tables.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
    all.push_back(store::unpack_page(row).value());
    return true;
  }));
  return all;
}

}  // namespace gossamer::sim
