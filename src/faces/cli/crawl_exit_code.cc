#include "cli/crawl_exit_code.h"

#include <string_view>

#include "base/errc.h"
#include "base/number.h"
#include "cli/command.h"
#include "record/outcome.h"
#include "record/skip_reason.h"

namespace gossamer::cli {
namespace {

// Records hold the name of a failure; the exit code needs its Errc.
Errc code_named(std::string_view name) {
  for (std::size_t i = 0; i < base::kErrcCount; ++i) {
    if (base::name(static_cast<Errc>(i)) == name) return static_cast<Errc>(i);
  }
  return Errc::internal;
}

}  // namespace

int exit_code_for(const crawler::FetchRecord& record) {
  if (crawler::is_wrong_guess(record)) return kOk;
  if (crawler::is_cut_by_limit(record)) {
    return worse(kFailed, exit_code_for_status(*record.status));
  }
  if (record.status && (record.error.empty() || record.error == crawler::kUnwantedType)) {
    return exit_code_for_status(*record.status);
  }
  if (record.error == crawler::kTooManyRedirects || record.error == crawler::kRedirectLoop) {
    return kServerError;
  }
  if (record.error == crawler::kBadRedirect) return kProtocolFailed;
  return exit_code_for(Error(code_named(record.error)));
}

int exit_code_for(const crawler::Statistics& statistics) {
  int worst = kOk;
  for (const auto& [status, count] : statistics.by_status) {
    worst = worse(worst, exit_code_for_status(status));
  }
  if (statistics.count(crawler::Outcome::truncated) > 0) worst = worse(worst, kFailed);
  for (const auto& [error, count] : statistics.by_error) {
    if (int status = 0; base::parse_number(error, status)) continue;  // it is in by_status
    crawler::FetchRecord record;
    record.error = error;
    worst = worse(worst, exit_code_for(record));
  }
  return worst;
}

int exit_code_for_guesses(const crawler::Statistics& statistics) {
  for (std::size_t i = 0; i < statistics.skipped.size(); ++i) {
    const auto reason = static_cast<crawler::SkipReason>(i);
    if (statistics.skipped[i] > 0 && is_guess(reason) && !is_requested(reason)) return kFailed;
  }
  return kOk;
}

int exit_code_for(crawler::EndReason end, int records) {
  switch (end) {
    case crawler::EndReason::finished:
    case crawler::EndReason::page_limit: return records;
    case crawler::EndReason::incomplete: return kIncomplete;
    case crawler::EndReason::quota: return kQuotaReached;
    case crawler::EndReason::time_limit: return kTimeLimitReached;
    case crawler::EndReason::memory_limit: return kMemoryLimitReached;
    case crawler::EndReason::interrupted: return kInterrupted;
    case crawler::EndReason::aborted: return kAborted;
    case crawler::EndReason::sink_failed: return kFileFailed;
    case crawler::EndReason::failed: return kFailed;
    case crawler::EndReason::cluster_failed: return kClusterFailed;
  }
  return kFailed;
}

}  // namespace gossamer::cli
