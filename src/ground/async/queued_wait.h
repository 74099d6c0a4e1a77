#pragma once

#include <coroutine>

#include "async/intrusive_list.h"
#include "async/wait.h"

namespace gossamer::async {

class QueuedWait;
using WaitList = IntrusiveList<QueuedWait>;

// A wait in a line: at an event, a semaphore, or either end of a queue. The code that serves the
// line grants the wait and provides its result in the same step, so that nothing is lost if the
// waiter is cancelled directly afterwards: a granted wait can no longer be cancelled.
class QueuedWait : public Wait, public ListNode<QueuedWait> {
 public:
  void await_suspend(std::coroutine_handle<>) noexcept {
    line_.push_back(*this);
    park();
  }

  // Removes the first wait of a line and lets it continue. REQUIRES: the line is not empty.
  static QueuedWait& grant_first(WaitList& line) noexcept {
    QueuedWait& first = line.pop_front();
    first.granted_ = true;
    first.complete();
    return first;
  }
  static void grant_all(WaitList& line) noexcept {
    while (!line.empty()) grant_first(line);
  }

 protected:
  explicit QueuedWait(WaitList& line) noexcept : line_(line) {}
  ~QueuedWait() = default;

  // Grants the wait without waiting.
  bool grant_now() noexcept { return granted_ = true; }
  bool granted() const { return granted_; }

 private:
  void cancel() noexcept final {
    line_.remove(*this);
    complete();
  }

  WaitList& line_;
  bool granted_ = false;
};

}  // namespace gossamer::async
