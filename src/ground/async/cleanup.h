#pragma once

#include <exception>
#include <utility>

#include "async/outcome.h"
#include "async/task.h"
#include "async/timeout.h"

namespace gossamer::async {

// Runs a task to its end and returns how it ended, including an exception.
template <class T>
Task<Outcome<T>> settled(Task<T> task) {
  Outcome<T> outcome;
  try {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(task);
      outcome.set_value();
    } else {
      outcome.set_value(co_await std::move(task));
    }
  } catch (...) {
    outcome.set_exception(std::current_exception());
  }
  co_return outcome;
}

// Like Python's `async with`: runs `body`, then `clean_up`, whether the body succeeded, failed,
// threw or was cancelled. The clean-up is shielded from cancellation (unlike a destructor, it can
// wait), so give its waits deadlines. The result is the body's.
//
//   co_return co_await with_cleanup(use(connection), say_goodbye(connection));
template <class T>
Task<T> with_cleanup(Task<T> body, Task<void> clean_up) {
  Outcome<T> outcome = co_await settled(std::move(body));
  co_await shielded(std::move(clean_up));
  co_return outcome.take();
}

}  // namespace gossamer::async
