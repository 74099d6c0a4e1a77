// Result<T>: a value or the reason why there is none.
//
//   Result<Head> read_head(Bytes input) {
//     if (input.size() > kHeadBytesMax) return fail(Errc::over_limit, "response head");
//     auto line = read_status_line(input);
//     if (!line) return fail(std::move(line).error());
//     ...
//   }
//
// In a coroutine the same lines say `co_return fail(...)`.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "base/error.h"

namespace gossamer::base {

// std::expected<T, Error> that cannot be ignored: neither `file.sync();` nor `co_await
// queue.push(item);` compiles without a warning. It is a class only because an alias cannot be
// [[nodiscard]].
template <class T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using Base = std::expected<T, Error>;
  using Base::Base;
  using Base::operator=;

  Result() = default;
  Result(Result&&) = default;
  Result& operator=(Result&&) = default;
  // Copying a Result is deleted, because copying an Error must be explicit. Result& is deleted too,
  // or the inherited constructor from a value would accept it: Result<bool>(other) would become
  // has_value().
  Result(const Result&) = delete;
  Result(Result&) = delete;
  Result& operator=(const Result&) = delete;
  ~Result() = default;
};

// The result of fail() converts into a Result of any type.
[[nodiscard]] inline std::unexpected<Error> fail(Error error) noexcept {
  return std::unexpected<Error>(std::move(error));
}

[[nodiscard]] inline std::unexpected<Error> fail(Errc code) noexcept {
  return std::unexpected<Error>(Error(code));
}

[[nodiscard]] inline std::unexpected<Error> fail(Errc code, std::string detail) {
  return std::unexpected<Error>(Error(code, std::move(detail)));
}

// Passes an error on and adds a clause of context:
//   if (!page) co_return fail(std::move(page).error(), "while reading " + url);
[[nodiscard]] inline std::unexpected<Error> fail(Error error, std::string context) {
  return std::unexpected<Error>(std::move(error).with_context(std::move(context)));
}

}  // namespace gossamer::base

namespace gossamer {
using base::fail;
using base::Result;
}  // namespace gossamer
