// What became of a fetched URL. Every count of pages, redirects and errors uses this one
// definition: the summary, reports, metrics, displays and the dashboard. docs/crawl.md#counts says
// the same for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "record/record.h"

namespace gossamer::crawler {

enum class Outcome : std::uint8_t {
  page,       // a whole response of 2xx, or 304 for a stored page
  redirect,   // any other response of 3xx
  error,      // no response, one of 400 or above, a body that broke off, a redirect to nowhere
  truncated,  // one of our limits cut its body
  unwanted,   // no fault: an unwanted type, a guess that is wrong, a request that the end cut
};
inline constexpr std::size_t kOutcomes = 5;

// Each record has exactly one outcome.
Outcome outcome_of(const FetchRecord& record) noexcept;
// The same for a stored record of which only these are known. Status 0: not a response of HTTP.
Outcome outcome_of(int status, std::string_view error) noexcept;

// "page", "redirect", ... These names are stable: files and metrics have them.
std::string_view name(Outcome outcome) noexcept;

// Why a record is an error: its error, "timed_out", else its status, "404".
std::string cause_of(const FetchRecord& record);

}  // namespace gossamer::crawler
