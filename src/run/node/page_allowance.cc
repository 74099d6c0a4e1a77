#include "node/page_allowance.h"

#include <algorithm>

#include "async/loop.h"

namespace gossamer::node {
namespace {

// Pages that a node takes with one call, at most.
constexpr std::uint64_t kPagesAtOnce = 1000;

// Pages that it takes with the next call.
std::uint64_t block_of(const cluster::CrawlFacts& facts) {
  const std::uint64_t left = facts.pages_left.value_or(0);
  const std::uint64_t nodes = std::max<std::uint64_t>(facts.nodes, 1);
  return std::clamp<std::uint64_t>(left / (2 * nodes), 1, kPagesAtOnce);
}

}  // namespace

std::uint64_t PageAllowance::used() const {
  if (!is_limited_) return 0;
  const crawler::OpenWork::Pages pages = work_.pages();
  return given_ - pages.left - pages.in_hand;
}

void PageAllowance::heard(Instant sent) {
  drop_stale();
  last_heard_ = sent;
}

void PageAllowance::drop_stale() {
  if (!is_limited_ || last_heard_ == Instant::min()) return;
  if (async::Loop::current().now() - last_heard_ >= valid_) given_ -= work_.take_back_pages();
}

bool PageAllowance::runs_short() {
  if (is_told_ || work_.pages().left > short_at_) return false;
  is_told_ = true;
  return true;
}

async::Task<Result<PageAllowance::Taken>> PageAllowance::take(cluster::CrawlFacts& facts,
                                                              bool is_at_work) {
  if (!is_limited_ || is_at_end_) co_return Taken::nothing;
  drop_stale();
  if (!is_at_work) given_ -= work_.take_back_pages();
  const std::uint64_t block = block_of(facts);
  short_at_ = block / 2;
  const bool wants_more = is_at_work && work_.pages().left <= short_at_;
  is_told_ = wants_more || !is_at_work;
  const std::uint64_t used_now = used();
  const bool is_known = used_now == known_used_ && given_ == known_given_;
  if (!wants_more && is_known) co_return Taken::nothing;
  auto given = co_await crawl_.take_pages(given_ + (wants_more ? block : 0), used_now);
  if (!given) co_return fail(std::move(given).error());
  known_used_ = used_now;
  known_given_ = *given;
  if (!wants_more) co_return Taken::nothing;
  const std::uint64_t more = *given - std::min(*given, given_);
  given_ += more;
  if (facts.pages_left) *facts.pages_left -= std::min(*facts.pages_left, more);
  is_waiting_ = false;
  if (more > 0) {
    work_.add_pages(more);
    short_at_ = block_of(facts) / 2;
    is_told_ = false;
    co_return Taken::more;
  }
  const crawler::OpenWork::Pages rest = work_.pages();
  if (rest.left > 0 || rest.in_hand > 0) co_return Taken::nothing;
  // Once both are 0, they stay so.
  is_at_end_ = facts.pages_left == 0 && facts.pages_reserved == 0;
  is_waiting_ = !is_at_end_;
  co_return is_at_end_ ? Taken::none_left : Taken::nothing;
}

}  // namespace gossamer::node
