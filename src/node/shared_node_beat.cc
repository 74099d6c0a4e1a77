// The part of SharedNode that follows the crawl as a whole: its control, its levels and its end.
#include <utility>

#include "async/sleep.h"
#include "node/shared_node.h"

namespace gossamer::node {
namespace {

constexpr Duration kBeatEvery = 1s;
// Counting all partitions takes 768 commands, so many nodes count less often.
constexpr std::uint64_t kNodesPerCount = 8;

}  // namespace

async::Task<Result<void>> SharedNode::beat() {
  for (;;) {
    auto done = co_await beat_once();
    if (!done && !bear(done.error())) co_return {};
    if (done) recover();
    if (is_ended_) co_return {};
    if (auto slept = co_await async::sleep(kBeatEvery); !slept) co_return slept;
  }
}

async::Task<Result<void>> SharedNode::beat_once() {
  const Instant sent = now();
  auto facts = co_await servers_.crawl.beat(process_.report(), pages_.used());
  if (!facts) co_return fail(std::move(facts).error());
  pages_.heard(sent);
  follow(*facts);
  if (is_ended_) co_return {};
  if (auto executed = co_await execute_orders(); !executed) co_return executed;
  if (auto shared = co_await share_scope(); !shared) co_return shared;
  co_return co_await look_for_end();
}

void SharedNode::follow(const cluster::CrawlFacts& facts) {
  const cluster::Control before = std::exchange(facts_, facts).control;
  if (!facts.end.empty()) return end_crawl();
  if (facts.control == before) return;
  switch (facts.control) {
    case cluster::Control::run: return engine_->resume();
    case cluster::Control::pause: return engine_->pause();
    case cluster::Control::stop: return engine_->stop(crawler::EndReason::interrupted);
  }
}

async::Task<Result<void>> SharedNode::execute_orders() {
  if (facts_.orders <= orders_executed_ || engine_->is_over()) co_return {};
  auto orders = co_await servers_.crawl.orders(orders_executed_);
  if (!orders) co_return fail(std::move(orders).error());
  for (std::string& order : *orders) {
    co_await process_.execute(std::move(order));
    ++orders_executed_;
  }
  news_.set();
  co_return {};
}

async::Task<Result<void>> SharedNode::share_scope() {
  auto places = co_await scope_.exchange();
  if (!places) co_return fail(std::move(places).error());
  for (const std::string& place : *places) engine_->mail().take_root(place);
  co_return {};
}

async::Task<Result<void>> SharedNode::look_for_end() {
  const bool is_idle = book_.size() == 0 && outbox_.size() == 0 && is_begun_;
  const bool is_due = facts_.nodes > 1 && beats_++ % (1 + facts_.nodes / kNodesPerCount) == 0;
  if (!is_idle && !is_due) co_return {};
  const auto counts = co_await servers_.frontier.count();
  if (!counts) co_return fail(counts.error().copy());
  balance(*counts);
  const auto stepped = co_await levels_.follow(*counts);
  if (!stepped) co_return fail(stepped.error().copy());
  if (*stepped) news_.set();
  if (!is_idle || counts->found != counts->ended) co_return {};
  auto finished = co_await servers_.crawl.finish("finished", orders_executed_);
  if (!finished) co_return fail(std::move(finished).error());
  end_crawl();
  co_return {};
}

void SharedNode::balance(const cluster::SharedFrontier::Counts& counts) {
  if (counts.due == 0) return;  // the next level may have many hosts
  const std::size_t kept = lease_pace_.share(counts.due, facts_.nodes);
  if (book_.leave_beyond(kept, lease_pace_.wanted())) news_.set();
}

async::Task<Result<void>> SharedNode::leave(crawler::EndReason reason) {
  is_leaving_ = true;
  if (reason == crawler::EndReason::cluster_failed) co_return {};  // nobody waits for it
  Result<void> left;
  for (;;) {
    left = co_await exchange_once();
    if (left && book_.size() == 0 && outbox_.size() == 0) break;
    if (!left && !may_pass(left.error())) break;
    if (auto slept = co_await async::sleep(50ms); !slept) co_return slept;
  }
  const auto others = co_await servers_.crawl.leave(pages_.used());
  if (!left) co_return left;
  if (!others) co_return fail(others.error().copy());
  // Nodes that still have pages of the limit continue, so the last one ends the crawl.
  if (reason != crawler::EndReason::page_limit || *others > 0 || is_ended_) co_return {};
  const auto finished = co_await servers_.crawl.finish("page_limit", orders_executed_);
  co_return finished ? Result<void>() : fail(finished.error().copy());
}

}  // namespace gossamer::node
