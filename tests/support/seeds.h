// The seeds of a test over many worlds: GOSSAMER_SEED=<seed> replays one, GOSSAMER_SEEDS=<count>
// changes their number.
#pragma once

#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "tests/support/suite.h"

namespace gossamer::sim {

inline std::optional<std::uint64_t> number_from_environment(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  const std::string_view text = value;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    ADD_FAILURE() << name << " is not a number: " << text;
    return std::nullopt;
  }
  return number;
}

struct Seeds {
  std::uint64_t first;
  std::uint64_t count;
};

inline Seeds seeds_to_run(std::uint64_t count) {
  if (const auto seed = number_from_environment("GOSSAMER_SEED")) return {*seed, 1};
  if (const auto given = number_from_environment("GOSSAMER_SEEDS")) return {1, *given};
  if (support::is_long_suite() && !support::kIsSanitized) return {1, count};
  // A tenth. Sanitizers run worlds that the quick suite does not.
  return {support::kIsSanitized ? count / 10 + 1 : 1, count / 10};
}

}  // namespace gossamer::sim
