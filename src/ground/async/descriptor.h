#pragma once

#include "async/loop.h"
#include "async/operation.h"
#include "base/result.h"

namespace gossamer::async {

// See readiness().
class [[nodiscard]] ReadinessWait final : public WatchOperation {
 public:
  using WatchOperation::WatchOperation;
  Result<Readiness> await_resume() const {
    auto done = outcome("watch");
    if (!done) return fail(std::move(done).error());
    return static_cast<Readiness>(*done);
  }
};

// co_await readiness(fd, Readiness::readable): waits until a foreign descriptor (a pipe, a
// signalfd, a library's socket) is ready, and returns for what. One wait per descriptor at a time.
// REQUIRES: runs on a loop.
inline ReadinessWait readiness(int descriptor, Readiness interest) {
  return ReadinessWait(Loop::current().driver(), descriptor, interest);
}

}  // namespace gossamer::async
