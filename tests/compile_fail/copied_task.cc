// A Task has one owner.

#include <utility>

#include "async/task.h"

using gossamer::async::Task;

Task<int> answer();
Task<int> ask();

Task<int> answer() { co_return 42; }

Task<int> ask() {
  Task<int> task = answer();
#ifdef MUST_NOT_COMPILE
  Task<int> other = task;
#else
  Task<int> other = std::move(task);
#endif
  co_return co_await std::move(other);
}
