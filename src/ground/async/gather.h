#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "async/cleanup.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"

// Runs several tasks concurrently. All of these functions wait until every task has ended, in any
// case, and pass a cancellation on to each.
namespace gossamer::async {

template <class T>
using ValueOrMonostate = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <class T>
ValueOrMonostate<T> take_value(JoinHandle<T>& handle) {
  if constexpr (std::is_void_v<T>) {
    handle.take();
    return {};
  } else {
    return handle.take();
  }
}

// Runs all tasks and returns all results, including failures, in the order of the tasks.
template <class T>
Task<std::vector<T>> gather(std::vector<Task<T>> tasks) {
  Scope scope(OnFailure::keep_going);
  std::vector<JoinHandle<T>> handles;
  handles.reserve(tasks.size());
  for (Task<T>& task : tasks) handles.push_back(scope.spawn(std::move(task)));
  static_cast<void>(co_await scope.join());
  std::vector<T> results;
  results.reserve(handles.size());
  for (JoinHandle<T>& handle : handles) results.push_back(handle.take());
  co_return results;
}

inline Task<void> gather(std::vector<Task<void>> tasks) {
  Scope scope(OnFailure::keep_going);
  for (Task<void>& task : tasks) scope.spawn(std::move(task));
  static_cast<void>(co_await scope.join());
}

// The same for a few tasks of different types; void becomes std::monostate.
template <class... Ts>
Task<std::tuple<ValueOrMonostate<Ts>...>> gather(Task<Ts>... tasks) {
  Scope scope(OnFailure::keep_going);
  std::tuple<JoinHandle<Ts>...> handles{scope.spawn(std::move(tasks))...};
  static_cast<void>(co_await scope.join());
  co_return std::apply(
      [](auto&... handle) { return std::tuple<ValueOrMonostate<Ts>...>{take_value(handle)...}; },
      handles);
}

// Returns all values, or the first failure, which cancels the rest.
template <class T>
Task<Result<std::vector<T>>> gather_or_fail(std::vector<Task<Result<T>>> tasks) {
  Scope scope(OnFailure::cancel_siblings);
  std::vector<JoinHandle<Result<T>>> handles;
  handles.reserve(tasks.size());
  for (auto& task : tasks) handles.push_back(scope.spawn(std::move(task)));
  if (auto joined = co_await scope.join(); !joined) co_return fail(std::move(joined).error());
  std::vector<T> values;
  values.reserve(handles.size());
  for (auto& handle : handles) {
    Result<T> result = handle.take();
    if (!result) co_return fail(std::move(result).error());
    values.push_back(std::move(*result));
  }
  co_return values;
}

template <class T>
struct Contest {
  std::optional<T> winner;
  Error failure = Error(Errc::invalid_argument, "no task to wait for");
};

// BORROWS: scope and contest, which live in first_result and outlive every contender.
template <class T>
Task<void> contend(Task<Result<T>> task, Scope& scope, Contest<T>& contest) {
  Outcome<Result<T>> outcome = co_await settled(std::move(task));
  if (contest.winner) co_return;  // another task has won
  Result<T> result = outcome.take();
  if (!result) {
    contest.failure = std::move(result).error();
  } else {
    contest.winner.emplace(std::move(*result));
    scope.cancel();
  }
}

// Returns the first value and cancels the others. If all fail, returns the last failure.
template <class T>
Task<Result<T>> first_result(std::vector<Task<Result<T>>> tasks) {
  Contest<T> contest;
  Scope scope;
  for (auto& task : tasks) scope.spawn(contend(std::move(task), scope, contest));
  auto joined = co_await scope.join();
  if (contest.winner) co_return std::move(*contest.winner);
  if (!joined) co_return fail(std::move(joined).error());
  co_return fail(std::move(contest.failure));
}

}  // namespace gossamer::async
