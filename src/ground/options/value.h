// The value of an option: its kind, how it is parsed, and its default.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/time.h"

namespace gossamer::options {

enum class Kind : std::uint8_t {
  text,
  file,      // shells complete paths
  folder,    // shells complete folders
  choice,    // one of a few words
  duration,  // "10s"; a bare number means seconds
  size,      // bytes: "500", "64K", "10M", "2G" (1024 each)
  count,     // a whole number
  pair,      // "NAME=VALUE"; in a configuration also a table: {name = "value"}
};

// Reads a value. Returns what is wrong with it; empty if it is valid.
using Taker = std::move_only_function<std::string(const std::string& text)>;
// The same for a value of one host.
using HostTaker =
    std::move_only_function<std::string(const std::string& host, const std::string& text)>;

// The value of one option. It is bound to a variable, whose initial value is the default.
// BORROWS: the variable, until the command line is parsed.
struct Value {
  Kind kind = Kind::text;
  std::string placeholder = {};           // its name in the help: "N"
  std::vector<std::string> choices = {};  // words that are values
  std::string initial = {};               // the default as the user would type it; empty: none
  Taker take = {};
  HostTaker take_for_host = {};  // empty: hosts have no value of their own
};

// Return text that the user could type: "10s", "500ms", "1d"; "64M", "1000".
std::string duration_text(Duration duration);
std::string size_text(std::uint64_t bytes);

std::string take_duration(const std::string& text, Duration& into);
// 0 becomes a time that does not pass.
std::string take_time_limit(const std::string& text, Duration& into);
std::string take_size(const std::string& text, std::uint64_t& into);

// Returns the one text of all texts that mean this value: "1m" for "60" and for "60s".
std::string canonical_text(Kind kind, const std::string& text);

Value text(std::string& into, std::string_view placeholder);
Value file(std::string& into);
Value folder(std::string& into);
Value duration(Duration& into);
Value duration(std::optional<Duration>& into);
Value size(std::uint64_t& into, std::uint64_t min = 0);
Value size(std::optional<std::uint64_t>& into, std::uint64_t min);
// Limits: 0 means no limit.
Value time_limit(Duration& into);
Value time_limit(std::optional<Duration>& into);
Value size_limit(std::optional<std::uint64_t>& into);
// Add one value per use. For Table::repeated().
Value texts(std::vector<std::string>& into, std::string_view placeholder);
Value files(std::vector<std::string>& into);
// For other kinds of values.
Value custom(std::string_view placeholder, Taker take, std::string initial = {});

template <class Number>
std::string take_count(const std::string& text, Number& into, std::uint64_t min) {
  std::uint64_t number = 0;
  if (!base::parse_number(text, number)) return "expected a whole number, not '" + text + "'";
  if (number < min || number > std::numeric_limits<Number>::max()) {
    return fmt::format("expected a whole number of at least {}, not '{}'", min, text);
  }
  into = static_cast<Number>(number);
  return {};
}

// A default below `min` means no default.
template <class Number>
Value count(Number& into, std::uint64_t min = 0) {
  return {.kind = Kind::count,
          .placeholder = "N",
          .initial = into < min ? std::string() : fmt::format("{}", into),
          .take = [&into, min](const std::string& text) { return take_count(text, into, min); }};
}

// An empty optional means no default. The word `none` resets the value; empty: there is no such
// word.
template <class Number>
Value count(std::optional<Number>& into, std::uint64_t min = 0, std::string none = {}) {
  Value value = {.kind = Kind::count, .placeholder = none.empty() ? "N" : "N|" + none};
  value.initial = into ? fmt::format("{}", *into) : none;
  if (!none.empty()) value.choices = {none};
  value.take = [&into, min, none](const std::string& text) -> std::string {
    if (!none.empty() && text == none) {
      into.reset();
      return {};
    }
    Number number = {};
    std::string problem = take_count(text, number, min);
    if (problem.empty()) into = number;
    if (problem.empty() || none.empty()) return problem;
    return fmt::format("expected a number or {}, not '{}'", none, text);
  };
  return value;
}

template <class Type>
struct Choice {
  std::string_view name;
  Type value;
};

// Returns the error for a word that is not one of the choices.
std::string about_choice(std::string_view text, const std::vector<std::string>& names);

template <class Type, std::size_t kSize>
std::vector<std::string> names_of(const std::array<Choice<Type>, kSize>& choices) {
  std::vector<std::string> names;
  for (const Choice<Type>& choice : choices) names.emplace_back(choice.name);
  return names;
}

template <class Type, std::size_t kSize>
std::string take_choice(const std::string& text, const std::array<Choice<Type>, kSize>& choices,
                        Type& into) {
  for (const Choice<Type>& choice : choices) {
    if (choice.name != text) continue;
    into = choice.value;
    return {};
  }
  return about_choice(text, names_of(choices));
}

// BORROWS: also the choices.
template <class Type, std::size_t kSize>
Value choice(const std::array<Choice<Type>, kSize>& choices, Type& into) {
  Value value = {.kind = Kind::choice, .choices = names_of(choices)};
  value.placeholder = fmt::format("{}", fmt::join(value.choices, "|"));
  for (const Choice<Type>& choice : choices) {
    if (choice.value == into) value.initial = choice.name;
  }
  value.take = [&choices, &into](const std::string& text) {
    return take_choice(text, choices, into);
  };
  return value;
}

}  // namespace gossamer::options
