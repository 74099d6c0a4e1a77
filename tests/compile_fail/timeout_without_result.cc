// What can time out has to be able to say so.

#include "async/timeout.h"

using gossamer::Result;
using gossamer::async::Task;

Task<int> forever();
Task<Result<int>> limited();
Task<void> ask();

Task<int> forever() { co_return 1; }
Task<Result<int>> limited() { co_return 1; }

Task<void> ask() {
#ifdef MUST_NOT_COMPILE
  static_cast<void>(co_await gossamer::async::with_timeout(std::chrono::seconds(1), forever()));
#else
  static_cast<void>(co_await gossamer::async::with_timeout(std::chrono::seconds(1), limited()));
#endif
}
