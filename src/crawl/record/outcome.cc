#include "record/outcome.h"

#include <fmt/format.h>

#include "base/errc.h"

namespace gossamer::crawler {
namespace {

// A type that the crawl does not want, or a request in flight when the crawl ended.
bool is_unwanted(std::string_view error) {
  return error == kUnwantedType || error == base::name(Errc::cancelled);
}

}  // namespace

Outcome outcome_of(int status, std::string_view error) noexcept {
  if (status >= 400) return Outcome::error;
  if (is_unwanted(error)) return Outcome::unwanted;
  if (status > 0 && error == base::name(Errc::over_limit)) return Outcome::truncated;
  if (!error.empty()) return Outcome::error;
  return status >= 300 && status != 304 ? Outcome::redirect : Outcome::page;
}

Outcome outcome_of(const FetchRecord& record) noexcept {
  if (is_wrong_guess(record)) return Outcome::unwanted;
  return outcome_of(record.status.value_or(0), record.error);
}

std::string_view name(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::page: return "page";
    case Outcome::redirect: return "redirect";
    case Outcome::error: return "error";
    case Outcome::truncated: return "truncated";
    case Outcome::unwanted: return "unwanted";
  }
  return "";
}

std::string cause_of(const FetchRecord& record) {
  const bool has_cause = !record.error.empty() && !is_cut_by_limit(record);
  if (has_cause || !record.status) return std::string(record.error);
  return fmt::format("{}", *record.status);
}

}  // namespace gossamer::crawler
