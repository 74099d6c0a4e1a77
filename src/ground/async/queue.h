#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "async/queue_storage.h"
#include "async/queued_wait.h"
#include "base/check.h"
#include "base/result.h"

namespace gossamer::async {

// A bounded queue between coroutines of one loop, with a count of unfinished work.
//
//   Result<Queue<Url>::Claim> url = co_await queue.pop();
//   if (!url) co_return;              // closed or cancelled
//   visit(**url);                     // ... may push more
//                                     // the claim dies: this one is finished
//   co_await queue.join();            // elsewhere: until everything pushed is finished
//
// Items leave in the order of the storage (first in first out, or best first); waiters are served
// in the order of their arrival.
template <class T, class Storage>
class BasicQueue {
 public:
  class Claim;
  class Push;
  class Pop;
  class Join;

  static constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

  // REQUIRES: capacity > 0
  explicit BasicQueue(std::size_t capacity) : capacity_(capacity) { CHECK(capacity > 0); }
  BasicQueue(const BasicQueue&) = delete;
  BasicQueue& operator=(const BasicQueue&) = delete;
  // REQUIRES: there are no waiters and no claims.
  ~BasicQueue() {
    CHECK(poppers_.empty() && pushers_.empty() && joiners_.empty(), "a queue dies with waiters");
    CHECK(claims_ == 0, "a queue dies with {} claims held", claims_);
  }

  // co_await push(item) gives a Result<void>. Waits while full. Fails with Errc::closed after
  // close() and with Errc::cancelled; the item is then dropped and was never counted.
  Push push(T item) { return Push(*this, std::move(item)); }
  // Returns false if the queue is full or closed; the item is then unchanged.
  bool try_push(T&& item);

  // co_await pop() gives a Result<Claim>. Waits while empty. After close() it returns the remaining
  // items, then fails with Errc::closed. Fails with Errc::cancelled.
  Pop pop() noexcept { return Pop(*this); }
  std::optional<Claim> try_pop();

  // co_await join() gives a Result<void>: waits until every item was popped and its claim
  // destroyed. Fails only with Errc::cancelled.
  Join join() noexcept { return Join(*this); }

  // Ends pushing and wakes the waiters. Idempotent.
  void close() noexcept {
    closed_ = true;
    QueuedWait::grant_all(pushers_);
    QueuedWait::grant_all(poppers_);
  }

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  bool closed() const { return closed_; }
  // Items pushed and not yet finished: those in the queue and those claimed.
  std::size_t unfinished() const { return items_.size() + claims_; }

 private:
  bool full() const { return items_.size() >= capacity_; }
  void accept(T&& item);
  T release();
  void finish_one() noexcept {
    --claims_;
    if (unfinished() == 0) QueuedWait::grant_all(joiners_);
  }

  Storage items_;
  const std::size_t capacity_;
  std::size_t claims_ = 0;
  WaitList poppers_;
  WaitList pushers_;
  WaitList joiners_;
  bool closed_ = false;
};

// An item and the duty to finish it: the destructor counts it as done, on every path.
template <class T, class Storage>
class [[nodiscard]] BasicQueue<T, Storage>::Claim {
 public:
  Claim(Claim&& other) noexcept
      : queue_(std::exchange(other.queue_, nullptr)), item_(std::move(other.item_)) {}
  Claim& operator=(Claim&&) = delete;
  ~Claim() {
    if (queue_ != nullptr) queue_->finish_one();
  }

  T& operator*() { return item_; }
  T* operator->() { return &item_; }

 private:
  friend class BasicQueue;
  // The queue has already counted the claim.
  Claim(BasicQueue& queue, T&& item) : queue_(&queue), item_(std::move(item)) {}

  BasicQueue* queue_;
  T item_;
};

template <class T, class Storage>
class [[nodiscard]] BasicQueue<T, Storage>::Push final : public QueuedWait {
 public:
  Push(BasicQueue& queue, T&& item)
      : QueuedWait(queue.pushers_), queue_(queue), item_(std::move(item)) {}

  bool await_ready() {
    if (cancelled() || queue_.closed_) return true;
    if (queue_.full()) return false;
    queue_.accept(std::move(item_));
    return accepted_ = true;
  }
  Result<void> await_resume() const {
    if (accepted_) return {};
    return fail(queue_.closed_ ? Errc::closed : Errc::cancelled);
  }

 private:
  friend class BasicQueue;
  BasicQueue& queue_;
  T item_;
  bool accepted_ = false;
};

template <class T, class Storage>
class [[nodiscard]] BasicQueue<T, Storage>::Pop final : public QueuedWait {
 public:
  explicit Pop(BasicQueue& queue) noexcept : QueuedWait(queue.poppers_), queue_(queue) {}

  bool await_ready() {
    if (cancelled()) return true;
    if (!queue_.empty()) item_.emplace(queue_.release());
    return item_.has_value() || queue_.closed_;
  }
  Result<Claim> await_resume() {
    if (item_) return Claim(queue_, std::move(*item_));
    return fail(cancelled() ? Errc::cancelled : Errc::closed);
  }

 private:
  friend class BasicQueue;
  BasicQueue& queue_;
  std::optional<T> item_;
};

template <class T, class Storage>
class [[nodiscard]] BasicQueue<T, Storage>::Join final : public QueuedWait {
 public:
  explicit Join(BasicQueue& queue) noexcept : QueuedWait(queue.joiners_), queue_(queue) {}
  bool await_ready() noexcept { return cancelled() || (queue_.unfinished() == 0 && grant_now()); }
  Result<void> await_resume() const {
    if (!granted()) return fail(Errc::cancelled);
    return {};
  }

 private:
  BasicQueue& queue_;
};

// An item goes directly to the waiter that waited longest; no one can overtake it.
template <class T, class Storage>
void BasicQueue<T, Storage>::accept(T&& item) {
  if (poppers_.empty()) return items_.push(std::move(item));
  auto& popper = static_cast<Pop&>(poppers_.front());
  popper.item_.emplace(std::move(item));
  ++claims_;
  QueuedWait::grant_first(poppers_);
}

// Removes an item, counts the claim, and lets the next pusher continue.
template <class T, class Storage>
T BasicQueue<T, Storage>::release() {
  T item = items_.pop();
  ++claims_;
  if (!pushers_.empty()) {
    auto& pusher = static_cast<Push&>(pushers_.front());
    pusher.accepted_ = true;
    items_.push(std::move(pusher.item_));
    QueuedWait::grant_first(pushers_);
  }
  return item;
}

template <class T, class Storage>
bool BasicQueue<T, Storage>::try_push(T&& item) {
  if (closed_ || full()) return false;
  accept(std::move(item));
  return true;
}

template <class T, class Storage>
auto BasicQueue<T, Storage>::try_pop() -> std::optional<Claim> {
  if (empty()) return std::nullopt;
  return Claim(*this, release());
}

// First in, first out.
template <class T>
using Queue = BasicQueue<T, FifoStorage<T>>;

// The least item first (by Less); equal ones in the order of their arrival.
template <class T, class Less = std::less<T>>
using PriorityQueue = BasicQueue<T, PriorityStorage<T, Less>>;

}  // namespace gossamer::async
