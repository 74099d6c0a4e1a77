// How every command that crawls behaves: how fast and how much it asks, who it says it is, and how
// it gets to the network.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "base/number.h"
#include "base/result.h"
#include "base/time.h"
#include "cli/arguments.h"
#include "cli/choice.h"
#include "cli/crawl_arguments.h"
#include "crawl/scope/scope_options.h"

namespace gossamer::cli {

// The words as they were given, before they mean anything together.
struct MannerWords {
  bool no_robots = false;
  bool follow_nofollow = false;
  std::string user_agent;
  std::string contact;
  std::uint64_t max_size = 0;
  Duration timeout = Duration::zero();
  Duration read_timeout = Duration::zero();
  Duration dns_timeout = Duration::zero();
  std::uint64_t min_rate = http::Deadlines{}.bytes_per_second_min;
  std::optional<Duration> delay;
};

inline constexpr std::array<Choice<crawler::ScopeKind>, 5> kScopes = {{
    {"page", crawler::ScopeKind::page},
    {"prefix", crawler::ScopeKind::prefix},
    {"host", crawler::ScopeKind::host},
    {"domain", crawler::ScopeKind::domain},
    {"any", crawler::ScopeKind::any},
}};
// A whole number within bounds, into whatever holds it.
template <class Number>
Arguments::Taker taker_of_number(Number& into, std::uint64_t min) {
  return [&into, min](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
    if (!base::parse_number(text, number) || number < min || number > kMax) {
      return fmt::format("takes a whole number from {} on, not '{}'", min, text);
    }
    into = static_cast<std::uint32_t>(number);
    return {};
  };
}

// A number, or inf for none.
Arguments::Taker taker_of_depth(std::optional<std::uint32_t>& into);

// An option that is not given has no value.
template <class Value>
Arguments::Taker taker_of_optional(std::optional<Value>& into,
                                   Arguments::Taker (*taker)(Value& into)) {
  return [&into, taker](const std::string& text) {
    Value value = {};
    std::string problem = taker(value)(text);
    if (problem.empty()) into = value;
    return problem;
  };
}

// BORROWS, for all of them: the words and the options, until the arguments are parsed.
void declare_politeness(Arguments& declared, MannerWords& words, crawler::Options& options);
void declare_limits(Arguments& declared, MannerWords& words, CrawlArguments& arguments);
void declare_network_and_identity(Arguments& declared, MannerWords& words,
                                  CrawlArguments& arguments);

// Puts the words into the options. Fails with Errc::invalid_argument.
Result<void> settle_manners(const MannerWords& words, CrawlArguments& arguments);

}  // namespace gossamer::cli
