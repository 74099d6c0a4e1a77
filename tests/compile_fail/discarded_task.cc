// A Task does nothing until it is awaited: dropping it is a forgotten co_await.

#include "async/task.h"

using gossamer::async::Task;

Task<int> answer();
Task<void> ask();

Task<int> answer() { co_return 42; }

Task<void> ask() {
#ifdef MUST_NOT_COMPILE
  answer();
#else
  static_cast<void>(co_await answer());
#endif
  co_return;
}
