#include "crawl/sink_relay.h"

#include <utility>

namespace gossamer::crawl {

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
  const std::size_t bytes = page.body.size() + (page.capture ? page.capture->bytes() : 0);
  return pass(std::move(page), bytes);
}

async::Task<Result<void>> SinkRelay::put_other(Exchange exchange) {
  const std::size_t bytes = exchange.capture.bytes();
  return pass(std::move(exchange), bytes);
}

async::Task<Result<void>> SinkRelay::pass(Item item, std::size_t bytes) {
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

void SinkRelay::skip(const SkippedUrl& skipped) {
  Skipped item = {.skipped = skipped, .url = std::string(skipped.url), .via = {}};
  item.via = skipped.via;
  const std::scoped_lock lock(mutex_);
  add(std::move(item));
}

async::Task<Result<void>> SinkRelay::run() {
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
}

async::Task<Result<void>> SinkRelay::hand_over(Item item) {
  if (auto* const page = std::get_if<Page>(&item)) co_return co_await sink_.put(std::move(*page));
  if (auto* const other = std::get_if<Exchange>(&item)) {
    co_return co_await sink_.put_other(std::move(*other));
  }
  Skipped& owned = std::get<Skipped>(item);
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

}  // namespace gossamer::crawl
