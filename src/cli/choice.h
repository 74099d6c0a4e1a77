// Options that take one of a few words.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/edit_distance.h"
#include "cli/arguments.h"
#include "cli/command.h"

namespace gossamer::cli {

template <class Value>
struct Choice {
  std::string_view name;
  Value value;
};

// Takes the value of that name. Gives what is wrong; another word is answered with what was meant.
template <class Value, std::size_t kSize>
std::string choose(const std::string& text, const std::array<Choice<Value>, kSize>& choices,
                   Value& into) {
  std::vector<std::string_view> names;
  for (const Choice<Value>& choice : choices) {
    if (choice.name == text) {
      into = choice.value;
      return {};
    }
    names.push_back(choice.name);
  }
  const std::string_view near = base::nearest(text, names);
  if (!near.empty()) return fmt::format("there is no '{}'; did you mean {}?", text, near);
  return fmt::format("is one of {}, not '{}'", fmt::join(names, ", "), text);
}

// BORROWS: both.
template <class Value, std::size_t kSize>
Arguments::Taker taker_of(const std::array<Choice<Value>, kSize>& choices, Value& into) {
  return [&choices, &into](const std::string& text) { return choose(text, choices, into); };
}

}  // namespace gossamer::cli
