#pragma once

#include <atomic>

#include "async/ready.h"

namespace gossamer::async {

// The only way for other threads to reach a loop: a lock-free stack of Ready items, and a flag that
// says whether the loop sleeps and must be woken.
//
//   any thread:  push() -> true: the loop sleeps, wake it
//   the loop:    if (!prepare_to_sleep()) don't sleep;  ...sleep...;  woke_up();  drain()
class Inbox {
 public:
  // Returns whether the caller must wake the loop.
  bool push(Ready& item) noexcept {
    Ready* head = head_.load(std::memory_order_relaxed);
    do {
      item.next_ = head;
    } while (!head_.compare_exchange_weak(head, &item, std::memory_order_seq_cst,
                                          std::memory_order_relaxed));
    return sleeping_.load(std::memory_order_seq_cst);
  }

  // The store to sleeping_ and the load of head_ are in one total order with push(), so either we
  // see the item or the pusher sees that we sleep.
  bool prepare_to_sleep() noexcept {
    sleeping_.store(true, std::memory_order_seq_cst);
    if (head_.load(std::memory_order_seq_cst) == nullptr) return true;
    woke_up();
    return false;
  }

  void woke_up() noexcept { sleeping_.store(false, std::memory_order_relaxed); }

  bool empty() const noexcept { return head_.load(std::memory_order_relaxed) == nullptr; }

  // Moves everything into `ready`, oldest first.
  void drain(ReadyQueue& ready) noexcept {
    if (empty()) return;
    Ready* newest = head_.exchange(nullptr, std::memory_order_acquire);
    Ready* oldest = nullptr;
    while (newest != nullptr) {
      Ready* next = newest->next_;
      newest->next_ = oldest;
      oldest = newest;
      newest = next;
    }
    while (oldest != nullptr) {
      Ready* next = oldest->next_;
      ready.push(*oldest);
      oldest = next;
    }
  }

 private:
  std::atomic<Ready*> head_ = nullptr;
  std::atomic<bool> sleeping_ = false;
};

}  // namespace gossamer::async
