#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "async/queued_wait.h"
#include "base/check.h"
#include "base/result.h"

namespace gossamer::async {

// A number of permits, given out in the order of the requests.
class Semaphore {
 public:
  class Acquire;

  // One unit of the semaphore; the destructor returns it.
  class [[nodiscard]] Permit {
   public:
    Permit(Permit&& other) noexcept : semaphore_(std::exchange(other.semaphore_, nullptr)) {}
    Permit& operator=(Permit&& other) noexcept {
      Permit old(std::move(*this));
      semaphore_ = std::exchange(other.semaphore_, nullptr);
      return *this;
    }
    ~Permit() { release(); }
    void release() noexcept {
      if (semaphore_ != nullptr) std::exchange(semaphore_, nullptr)->give_back();
    }
    // Detaches the permit: its holder remembers it in another way, so that it takes no memory.
    void forget() noexcept { semaphore_ = nullptr; }

   private:
    friend class Semaphore;
    explicit Permit(Semaphore& semaphore) noexcept : semaphore_(&semaphore) {}
    Semaphore* semaphore_;
  };

  explicit Semaphore(std::size_t permits) noexcept : free_(permits), permits_(permits) {}
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;
  ~Semaphore() {
    CHECK(waiters_.empty() && free_ == permits_, "a semaphore dies with {} of {} permits out",
          permits_ - free_, permits_);
  }

  // co_await semaphore.acquire() gives a Result<Permit>; fails only with Errc::cancelled.
  Acquire acquire() noexcept;
  // Returns nothing if it would have to wait.
  std::optional<Permit> try_acquire() noexcept {
    if (free_ == 0) return std::nullopt;
    --free_;
    return Permit(*this);
  }
  std::size_t available() const { return free_; }
  // Restores a permit that its holder detached with forget().
  Permit recall() noexcept { return Permit(*this); }

 private:
  // The permit goes directly to the waiter that waited longest; no one can overtake it.
  void give_back() noexcept {
    if (waiters_.empty()) {
      ++free_;
    } else {
      QueuedWait::grant_first(waiters_);
    }
  }

  WaitList waiters_;
  std::size_t free_;
  const std::size_t permits_;
};

class [[nodiscard]] Semaphore::Acquire final : public QueuedWait {
 public:
  explicit Acquire(Semaphore& semaphore) noexcept
      : QueuedWait(semaphore.waiters_), semaphore_(semaphore) {}
  bool await_ready() noexcept {
    if (cancelled()) return true;
    if (semaphore_.free_ == 0) return false;
    --semaphore_.free_;
    return grant_now();
  }
  Result<Permit> await_resume() const {
    if (!granted()) return fail(Errc::cancelled);
    return Permit(semaphore_);
  }

 private:
  Semaphore& semaphore_;
};

inline Semaphore::Acquire Semaphore::acquire() noexcept { return Acquire(*this); }

}  // namespace gossamer::async
