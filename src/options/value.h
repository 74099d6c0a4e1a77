// What an option takes: the kind of its value, how it is read, and what holds without it.
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

// Reads a value. Returns what is wrong with it; empty if it is good.
using Taker = std::move_only_function<std::string(const std::string& text)>;

// The value of one option. It is bound to a variable, and what that holds is the default: it is
// written nowhere else. BORROWS: the variable, until the command line is parsed.
struct Value {
  Kind kind = Kind::text;
  std::string placeholder = {};           // stands for it in the help: "N"
  std::vector<std::string> choices = {};  // words that are values
  std::string initial = {};               // the default as one would type it; empty: there is none
  Taker take = {};
};

// As one types them: "10s", "500ms", "1d"; "64M", "1000".
std::string duration_text(Duration duration);
std::string size_text(std::uint64_t bytes);

std::string take_duration(const std::string& text, Duration& into);
// 0 becomes a time that does not pass.
std::string take_time_limit(const std::string& text, Duration& into);
std::string take_size(const std::string& text, std::uint64_t& into);

Value text(std::string& into, std::string_view placeholder);
Value file(std::string& into);
Value folder(std::string& into);
Value duration(Duration& into);
Value duration(std::optional<Duration>& into);
Value size(std::uint64_t& into, std::uint64_t min = 0);
// Limits: 0 means that there is none.
Value time_limit(Duration& into);
Value time_limit(std::optional<Duration>& into);
Value size_limit(std::optional<std::uint64_t>& into);
// Many of them: each time one more. Use with Table::repeated().
Value texts(std::vector<std::string>& into, std::string_view placeholder);
Value files(std::vector<std::string>& into);
// For what none of these reads.
Value custom(std::string_view placeholder, Taker take, std::string initial = {});

template <class Number>
std::string take_count(const std::string& text, Number& into, std::uint64_t min) {
  std::uint64_t number = 0;
  if (!base::parse_number(text, number)) return "takes a whole number, not '" + text + "'";
  if (number < min || number > std::numeric_limits<Number>::max()) {
    return fmt::format("takes a whole number from {} on, not '{}'", min, text);
  }
  into = static_cast<Number>(number);
  return {};
}

// A default below `min` means that there is none.
template <class Number>
Value count(Number& into, std::uint64_t min = 0) {
  return {.kind = Kind::count,
          .placeholder = "N",
          .initial = into < min ? std::string() : fmt::format("{}", into),
          .take = [&into, min](const std::string& text) { return take_count(text, into, min); }};
}

// Without a default it has none. `none` is a word that takes a value back; empty: there is no such.
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
    return fmt::format("takes a number or {}, not '{}'", none, text);
  };
  return value;
}

template <class Type>
struct Choice {
  std::string_view name;
  Type value;
};

// What to say about a word that is none of these.
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

// BORROWS: the choices, too.
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
