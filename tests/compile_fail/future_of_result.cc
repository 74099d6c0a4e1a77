// A Future is awaited as a Result: one of a Result would be two.

#include "async/future.h"

using gossamer::Result;
using gossamer::async::Promise;
using gossamer::async::Task;

Task<Result<int>> ask();

Task<Result<int>> ask() {
#ifdef MUST_NOT_COMPILE
  Promise<Result<int>> promise;
#else
  Promise<int> promise;
#endif
  auto answer = co_await promise.future();
  co_return 1;
}
