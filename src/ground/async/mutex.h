#pragma once

#include <optional>

#include "async/semaphore.h"

namespace gossamer::async {

// Mutual exclusion across awaits. Code between two awaits needs no mutex, because nothing else runs
// then.
class Mutex {
 public:
  using Lock = Semaphore::Permit;

  // co_await mutex.lock() gives a Result<Lock>; fails only with Errc::cancelled.
  Semaphore::Acquire lock() noexcept { return one_.acquire(); }
  std::optional<Lock> try_lock() noexcept { return one_.try_acquire(); }
  bool locked() const { return one_.available() == 0; }

 private:
  Semaphore one_{1};
};

}  // namespace gossamer::async
