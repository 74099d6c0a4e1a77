#pragma once

#include <coroutine>
#include <utility>

#include "async/cancel_scope.h"
#include "async/task.h"
#include "async/timeout.h"
#include "base/result.h"
#include "net/chunk.h"

namespace gossamer::http {

// A receive that another task can end early: it then fails with Errc::cancelled, although its own
// task is not cancelled. `scope` is set while it waits.
class InterruptibleReceive final : public async::ScopedTaskAwaiter<Result<net::Chunk>> {
  using Base = async::ScopedTaskAwaiter<Result<net::Chunk>>;

 public:
  // BORROWS: the place of the scope.
  InterruptibleReceive(async::Task<Result<net::Chunk>> task, async::CancelScope*& scope) noexcept
      : Base(std::move(task), async::CancelScope::Kind::open), place_(scope) {}

  std::coroutine_handle<> await_suspend(std::coroutine_handle<> handle) noexcept {
    place_ = &scope();
    return Base::await_suspend(handle);
  }
  Result<net::Chunk> await_resume() {
    place_ = nullptr;
    return Base::await_resume();
  }

 private:
  async::CancelScope*& place_;
};

}  // namespace gossamer::http
