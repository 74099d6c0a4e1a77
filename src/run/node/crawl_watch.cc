#include "node/crawl_watch.h"

#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"

namespace gossamer::node {
namespace {

using Work = ClusterTrouble::Work;

constexpr Duration kBeatEvery = 1s;
constexpr Duration kLookEvery = 1s;
// Counting all partitions takes 512 commands, or 1,024 if nothing is open. So many nodes count less
// often, and so does a node that has much to do while no other joins or leaves. A node that has not
// seen hosts yet does not know its share and would lease all of them: it counts at every look.
constexpr std::uint64_t kNodesPerCount = 8;
constexpr std::uint64_t kBusyLooksPerCount = 8;

}  // namespace

CrawlWatch::CrawlWatch(Parts parts, const std::string& crawl, const cluster::CrawlFacts& facts)
    : parts_(parts),
      facts_(facts),
      scope_(parts.client, crawl),
      levels_(parts.crawl, parts.frontier) {
  facts_.control = cluster::Control::run;  // until the first beat
}

async::Task<Result<void>> CrawlWatch::run() {
  async::Scope tasks(async::OnFailure::keep_going);
  tasks.spawn(beat());
  tasks.spawn(look_for_end());
  co_return co_await tasks.join();
}

async::Task<Result<void>> CrawlWatch::beat() {
  while (!is_ended_) {
    auto done = co_await beat_once();
    if (!done && !parts_.trouble.bear(Work::beat, done.error())) co_return {};
    if (done) parts_.trouble.recover(Work::beat);
    if (auto slept = co_await async::sleep(kBeatEvery); !slept) co_return slept;
  }
  co_return {};
}

async::Task<Result<void>> CrawlWatch::beat_once() {
  const Instant sent = async::Loop::current().now();
  auto facts = co_await parts_.crawl.beat(process_->report(), parts_.pages.used());
  if (!facts) co_return fail(std::move(facts).error());
  parts_.pages.heard(sent);
  follow(*facts);
  if (is_ended_) co_return {};
  if (auto executed = co_await execute_orders(); !executed) co_return executed;
  co_return co_await share_scope();
}

void CrawlWatch::follow(const cluster::CrawlFacts& facts) {
  const cluster::CrawlFacts before = std::exchange(facts_, facts);
  if (!facts.end.empty()) return end();
  if (facts.nodes != before.nodes && counts_.due > 0) parts_.holder.on_counts(counts_);
  if (facts.control == before.control) return;
  switch (facts.control) {
    case cluster::Control::run: return engine_->resume();
    case cluster::Control::pause: return engine_->pause();
    case cluster::Control::stop: return engine_->stop(crawler::EndReason::interrupted);
  }
}

void CrawlWatch::end() {
  if (!std::exchange(is_ended_, true)) parts_.holder.on_end();
}

async::Task<Result<void>> CrawlWatch::execute_orders() {
  if (facts_.orders <= orders_executed_ || engine_->is_over()) co_return {};
  auto orders = co_await parts_.crawl.orders(orders_executed_);
  if (!orders) co_return fail(std::move(orders).error());
  for (std::string& order : *orders) {
    co_await process_->execute(std::move(order));
    ++orders_executed_;
  }
  parts_.holder.on_news();
  co_return {};
}

async::Task<Result<void>> CrawlWatch::share_scope() {
  auto places = co_await scope_.exchange();
  if (!places) co_return fail(std::move(places).error());
  for (const std::string& place : *places) engine_->mail().take_root(place);
  co_return {};
}

async::Task<Result<void>> CrawlWatch::look_for_end() {
  while (!is_ended_) {
    auto done = co_await look_once();
    if (!done && !parts_.trouble.bear(Work::count, done.error())) co_return {};
    if (done) parts_.trouble.recover(Work::count);
    if (auto slept = co_await async::sleep(kLookEvery); !slept) co_return slept;
  }
  co_return {};
}

async::Task<Result<void>> CrawlWatch::look_once() {
  const bool is_idle = parts_.holder.is_idle();
  const bool is_calm = parts_.holder.is_busy() && facts_.nodes == counted_nodes_;
  const std::uint64_t looks =
      (1 + facts_.nodes / kNodesPerCount) * (is_calm ? kBusyLooksPerCount : 1);
  const bool is_due = facts_.nodes > 1 && (++looks_ >= looks || counts_.due == 0);
  if (!is_idle && !is_due) co_return {};
  looks_ = 0;
  counted_nodes_ = facts_.nodes;
  const std::size_t orders = orders_executed_;
  const auto counts = co_await parts_.frontier.count();
  if (!counts) co_return fail(counts.error().copy());
  counts_ = *counts;
  parts_.holder.on_counts(*counts);
  const auto stepped = co_await levels_.follow(*counts);
  if (!stepped) co_return fail(stepped.error().copy());
  if (*stepped) parts_.holder.on_news();
  if (!is_idle || counts->found != counts->ended) co_return {};
  auto finished = co_await parts_.crawl.finish("finished", orders);
  if (!finished) co_return fail(std::move(finished).error());
  end();
  co_return {};
}

async::Task<Result<void>> CrawlWatch::leave(crawler::EndReason reason) {
  auto left = co_await parts_.crawl.leave(parts_.pages.used());
  if (!left) co_return left;
  // All nodes have used their pages of the limit.
  if (reason != crawler::EndReason::page_limit || is_ended_) co_return {};
  const auto finished = co_await parts_.crawl.finish("page_limit", orders_executed_);
  co_return finished ? Result<void>() : fail(finished.error().copy());
}

}  // namespace gossamer::node
