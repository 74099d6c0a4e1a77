// Misuse must not compile. The compiler compares its errors with the marks (-verify): each mistake
// is reported at its mark, and nothing else is. So the correct use next to each mistake compiles.

#include <chrono>
#include <coroutine>
#include <utility>

#include "async/future.h"
#include "async/queue.h"
#include "async/sleep.h"
#include "async/task.h"
#include "async/timeout.h"
#include "base/result.h"

namespace gossamer::async {
namespace {

Task<int> answer() { co_return 42; }
Task<Result<int>> checked_answer() { co_return 42; }

// A failure that is made must be returned.
Result<int> checked_port(int port) {
  if (port < 0) fail(Errc::malformed, "port");  // expected-error {{ignoring return value}}
  if (port > 65535) return fail(Errc::malformed, "port");
  return port;
}

// A Task does nothing until it is awaited: dropping it is a forgotten co_await.
Task<void> discards_a_task() {
  answer();  // expected-error {{a Task does nothing until it is awaited or spawned}}
  static_cast<void>(co_await answer());
}

// A Task has one owner.
Task<int> copies_a_task() {
  Task<int> task = answer();
  Task<int> copy = task;  // expected-error {{implicitly-deleted copy constructor of 'Task<int>'}}
  Task<int> other = std::move(task);
  co_return co_await std::move(other);
}

// Awaiting a named Task uses it up, and says so.
Task<int> awaits_a_named_task() {
  Task<int> task = answer();
  co_await task;  // expected-error {{no matching member function for call to 'await_transform'}}
  co_return co_await std::move(task);
}

// A wait can be cancelled: the caller has to check how it ended.
// BORROWS: the queue.
Task<void> discards_how_a_wait_ended(Queue<int>& queue) {
  co_await queue.push(1);  // expected-error {{ignoring return value}}
  if (!co_await queue.push(1)) co_return;
}

// A Task awaits Tasks and the runtime's waits. Nothing would resume it from any other.
Task<void> awaits_a_foreign_awaitable() {
  // expected-error@+1 {{no matching member function for call to 'await_transform'}}
  co_await std::suspend_always();
  static_cast<void>(co_await yield_now());
}

// A Future is awaited as a Result: one of a Result would be two.
Task<Result<int>> promises_a_result() {
  // expected-error@*:* {{a future is awaited as a Result; promise the value itself}}
  // expected-error@*:* 0+{{no member named}}  that follows from it
  Promise<Result<int>> wrong;
  Promise<int> promise;
  co_return co_await promise.future();
}

// A task that can time out has to be able to say so.
Task<void> times_out_without_a_result() {
  // expected-error@*:* {{a task that can time out returns a Result}}
  // expected-error@*:* 0+{{no matching constructor}}  that follows from it
  static_cast<void>(co_await with_timeout(std::chrono::seconds(1), answer()));
  static_cast<void>(co_await with_timeout(std::chrono::seconds(1), checked_answer()));
}

}  // namespace
}  // namespace gossamer::async
