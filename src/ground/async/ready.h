#pragma once

#include <cstddef>

namespace gossamer::async {

// Something the loop can run: a resumption, a callback, the end of a task. It is intrusive: the
// code that queues it owns it and keeps it alive until run() is called.
class Ready {
 public:
  Ready() = default;
  Ready(const Ready&) = delete;
  Ready& operator=(const Ready&) = delete;

  // Called once for each time it was queued. May destroy *this.
  virtual void run() noexcept = 0;

 protected:
  ~Ready() = default;

 private:
  friend class ReadyQueue;
  friend class Inbox;
  Ready* next_ = nullptr;
};

// First in, first out; never allocates. A Ready is in at most one queue.
class ReadyQueue {
 public:
  bool empty() const { return head_ == nullptr; }
  std::size_t size() const { return size_; }

  void push(Ready& item) {
    item.next_ = nullptr;
    (tail_ == nullptr ? head_ : tail_->next_) = &item;
    tail_ = &item;
    ++size_;
  }

  // REQUIRES: not empty.
  Ready& pop() {
    Ready& item = *head_;
    head_ = item.next_;
    if (head_ == nullptr) tail_ = nullptr;
    --size_;
    return item;
  }

 private:
  Ready* head_ = nullptr;
  Ready* tail_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gossamer::async
