// A Task awaits Tasks and the runtime's own waits. Whatever else suspends it would be resumed by
// nobody, or by somebody who knows nothing of the loop.

#include <coroutine>

#include "async/sleep.h"
#include "async/task.h"

using gossamer::async::Task;

Task<void> suspend();

Task<void> suspend() {
#ifdef MUST_NOT_COMPILE
  co_await std::suspend_always();
#else
  static_cast<void>(co_await gossamer::async::yield_now());
#endif
}
