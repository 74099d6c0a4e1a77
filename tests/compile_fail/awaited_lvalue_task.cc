// Awaiting a named Task uses it up, and says so.

#include <utility>

#include "async/task.h"

using gossamer::async::Task;

Task<int> answer();
Task<int> ask();

Task<int> answer() { co_return 42; }

Task<int> ask() {
  Task<int> task = answer();
#ifdef MUST_NOT_COMPILE
  co_return co_await task;
#else
  co_return co_await std::move(task);
#endif
}
