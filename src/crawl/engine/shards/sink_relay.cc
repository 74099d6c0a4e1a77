#include "engine/shards/sink_relay.h"

#include <utility>

#include "async/timeout.h"
#include "engine/exception.h"

namespace gossamer::crawler {

void SinkRelay::connect(async::Loop& loop) {
  const std::scoped_lock lock(mutex_);
  engine_loop_ = &loop;
}

void SinkRelay::disconnect() {
  const std::scoped_lock lock(mutex_);
  engine_loop_ = nullptr;
}

// REQUIRES: the mutex is held.
void SinkRelay::add(Item item) {
  items_.push_back(std::move(item));
  if (std::exchange(is_sink_told_, true)) return;
  sink_loop_.post([this] { has_items_.set(); });
}

async::Task<Result<void>> SinkRelay::put(Page page) {
  const std::size_t bytes = page.bytes();
  return pass({.what = std::move(page)}, bytes);
}

async::Task<Result<void>> SinkRelay::put_other(Exchange exchange) {
  const std::size_t bytes = exchange.capture.bytes();
  return pass({.what = std::move(exchange)}, bytes);
}

async::Task<Result<void>> SinkRelay::pass(Item item, std::size_t bytes) {
  if (manner_ == Manner::confirmed) co_return co_await pass_and_wait(std::move(item));
  {
    const std::scoped_lock lock(mutex_);
    if (failure_) co_return fail(failure_->copy());
    add(std::move(item));
    bytes_ += bytes;
    if (items_.size() < kItemsMax && bytes_ < kBytesMax) co_return {};
    is_engine_waiting_ = true;
    has_room_.clear();
  }
  if (auto waited = co_await has_room_.wait(); !waited) co_return waited;
  const std::scoped_lock lock(mutex_);
  if (failure_) co_return fail(failure_->copy());
  co_return {};
}

// BOUND: one page per worker of the engine.
async::Task<Result<void>> SinkRelay::pass_and_wait(Item item) {
  const auto receipt = std::make_shared<Receipt>();
  item.receipt = receipt;
  {
    const std::scoped_lock lock(mutex_);
    add(std::move(item));
  }
  if (!co_await receipt->has_come.wait()) {
    // The sink decides whether it has the page nevertheless.
    sink_loop_.post([this, receipt] { withdraw(receipt); });
    static_cast<void>(co_await async::shielded(arrival_of(*receipt)));
  }
  if (receipt->failure) co_return fail(std::move(*receipt->failure));
  co_return {};
}

void SinkRelay::withdraw(const std::shared_ptr<Receipt>& receipt) {
  if (const auto found = handing_.find(receipt.get()); found != handing_.end()) {
    return found->second.cancel();
  }
  const std::scoped_lock lock(mutex_);
  const auto is_it = [&receipt](const Item& item) { return item.receipt == receipt; };
  if (std::erase_if(items_, is_it) > 0) confirm(receipt, fail(Errc::cancelled));
}

void SinkRelay::skip(const SkippedUrl& skipped) {
  Skipped item = {.skipped = skipped, .url = std::string(skipped.url), .via = {}};
  item.via = skipped.via;
  const std::scoped_lock lock(mutex_);
  add({.what = std::move(item)});
}

async::Task<Result<void>> SinkRelay::run() {
  async::Scope at_once(async::OnFailure::keep_going);
  auto taken = co_await take_all(at_once);
  // The engine has ended, so no put() waits for the current deliveries.
  at_once.cancel();
  auto joined = co_await at_once.join();
  co_return taken ? std::move(joined) : std::move(taken);
}

async::Task<Result<void>> SinkRelay::take_all(async::Scope& at_once) {
  for (;;) {
    std::vector<Item> items;
    {
      const std::scoped_lock lock(mutex_);
      items.swap(items_);
      bytes_ = 0;
      is_sink_told_ = false;
      if (items.empty() && is_finishing_) co_return {};
    }
    if (items.empty()) {
      if (auto waited = co_await has_items_.wait(); !waited) co_return waited;
      has_items_.clear();
      continue;
    }
    if (manner_ == Manner::ahead) {
      co_await hand_over_all(std::move(items));
      continue;
    }
    for (Item& item : items) {
      if (item.receipt) {
        const Receipt* const receipt = item.receipt.get();
        handing_.emplace(receipt, at_once.spawn(hand_over_and_confirm(std::move(item))));
      } else {
        static_cast<void>(co_await hand_over(std::move(item)));
      }
    }
  }
}

async::Task<void> SinkRelay::hand_over_all(std::vector<Item> items) {
  for (Item& item : items) {
    auto put = co_await hand_over(std::move(item));
    if (put) continue;
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::move(put).error();
  }
  const std::scoped_lock lock(mutex_);
  if (engine_loop_ != nullptr && std::exchange(is_engine_waiting_, false)) {
    engine_loop_->post([this] { has_room_.set(); });
  }
}

async::Task<void> SinkRelay::hand_over_and_confirm(Item item) {
  const std::shared_ptr<Receipt> receipt = std::move(item.receipt);
  auto put = co_await hand_over(std::move(item));
  handing_.erase(receipt.get());
  const std::scoped_lock lock(mutex_);
  confirm(receipt, std::move(put));
}

// REQUIRES: the mutex is held.
void SinkRelay::confirm(const std::shared_ptr<Receipt>& receipt, Result<void> put) {
  if (engine_loop_ == nullptr) return;  // no put() waits
  std::optional<Error> failure;
  if (!put) failure = std::move(put).error();
  engine_loop_->post([receipt, failure = std::move(failure)]() mutable {
    receipt->failure = std::move(failure);
    receipt->has_come.set();
  });
}

// A sink that throws has failed. The engine must know, or it would wait forever.
async::Task<Result<void>> SinkRelay::hand_over(Item item) {
  try {
    co_return co_await hand_to_sink(std::move(item));
  } catch (...) {
    co_return fail(error_of_exception());
  }
}

async::Task<Result<void>> SinkRelay::hand_to_sink(Item item) {
  if (auto* const page = std::get_if<Page>(&item.what)) {
    co_return co_await sink_.put(std::move(*page));
  }
  if (auto* const other = std::get_if<Exchange>(&item.what)) {
    co_return co_await sink_.put_other(std::move(*other));
  }
  Skipped& owned = std::get<Skipped>(item.what);
  owned.skipped.url = owned.url;
  owned.skipped.via = owned.via;
  sink_.skip(owned.skipped);
  co_return {};
}

void SinkRelay::finish() {
  const std::scoped_lock lock(mutex_);
  is_finishing_ = true;
  has_items_.set();
}

}  // namespace gossamer::crawler
