#pragma once

#include <utility>

#include "async/scope.h"
#include "async/sleep.h"
#include "async/task.h"
#include "base/log.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::async {

// Calls `serve(connection)`, which returns a task, for each connection that a listener accepts. A
// connection that fails ends neither the others nor this. When it is cancelled, it cancels the
// tasks, waits for them, and fails with Errc::cancelled. BORROWS: the listener.
template <class Listener, class Serve>
Task<Result<void>> serve_each(Listener& listener, Serve serve) {
  // The client may have closed already, or descriptors are short.
  constexpr Duration kPauseAfterFailure = 100ms;
  Scope connections(OnFailure::keep_going);
  for (;;) {
    auto connection = co_await listener.accept();
    if (connection) {
      connections.spawn(serve(std::move(*connection)));
      continue;
    }
    if (connection.error() != Errc::cancelled) {
      LOG(warn, "cannot accept a connection: {}", connection.error().to_string());
    }
    if (auto slept = co_await sleep(kPauseAfterFailure); !slept) break;
  }
  connections.cancel();
  co_return co_await connections.join();
}

}  // namespace gossamer::async
