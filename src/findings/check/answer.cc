#include "check/answer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/errc.h"
#include "base/number.h"
#include "wire/status_phrase.h"

namespace gossamer::check {
namespace {

bool parse_status(std::string_view text, int& into) {
  return base::parse_number(text, into) && into >= 100 && into <= 999;
}

Answer unchecked(std::string cause, std::string detail) {
  return {.kind = Answer::Kind::unchecked,
          .status = std::nullopt,
          .cause = std::move(cause),
          .detail = std::move(detail),
          .next = {}};
}

// Returns the detail without the code, which the cause says: "connect: Connection refused".
std::string detail_of(const crawler::FetchRecord& record) {
  const std::string code = std::string(record.error) + ": ";
  return record.error_detail.substr(record.error_detail.starts_with(code) ? code.size() : 0);
}

Answer of_failure(const crawler::FetchRecord& record) {
  // The fetch was not allowed or was stopped, which says nothing about the link.
  if (record.error == base::name(Errc::denied)) {
    return unchecked("denied", detail_of(record));
  }
  if (record.error == base::name(Errc::cancelled)) return unchecked("stopped", {});
  return {.kind = Answer::Kind::broken,
          .status = record.status,
          .cause = std::string(cause_of(record.error)),
          .detail = detail_of(record),
          .next = {}};
}

// Returns whether the error is only about the body: the response exists.
bool is_of_body(const crawler::FetchRecord& record) {
  return record.error == crawler::kUnwantedType || record.error == base::name(Errc::over_limit);
}

// Many sites answer so to programs, and a page to a browser.
bool is_block(int status) { return status == 403 || status == 429; }

}  // namespace

Result<AcceptedStatuses> AcceptedStatuses::parse(std::string_view text) {
  AcceptedStatuses accepted;
  accepted.ranges_.clear();
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view item = text.substr(at, end - at);
    at = end + 1;
    Range range;
    std::size_t middle = std::string_view::npos;
    std::size_t size = 0;
    for (const std::string_view between : {"..=", "-"}) {
      if (middle != std::string_view::npos) break;
      middle = item.find(between);
      size = between.size();
    }
    const bool is_one = middle == std::string_view::npos;
    const bool is_good = parse_status(item.substr(0, middle), range.first) &&
                         parse_status(is_one ? item : item.substr(middle + size), range.last) &&
                         range.first <= range.last;
    if (!is_good) {
      return fail(Errc::invalid_argument,
                  "expected statuses such as 200..=204,403, not '" + std::string(text) + "'");
    }
    accepted.ranges_.push_back(range);
  }
  return accepted;
}

std::string AcceptedStatuses::to_string() const {
  std::string text;
  for (const Range& range : ranges_) {
    if (!text.empty()) text += ',';
    text += std::to_string(range.first);
    if (range.last > range.first) text += "..=" + std::to_string(range.last);
  }
  return text;
}

bool AcceptedStatuses::contains(int status) const noexcept {
  return std::ranges::any_of(ranges_, [status](const Range& range) {
    return status >= range.first && status <= range.last;
  });
}

std::string_view cause_of(std::string_view error) noexcept {
  static constexpr auto kNames = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"timed_out", "timeout"},
      {"dns_failed", "dns"},
      {"tls_failed", "tls"},
      {"peer_closed", "closed"},
      {"malformed", "malformed_answer"},
      {"unavailable", "host_gave_up"},
  });
  const auto found =
      std::ranges::find(kNames, error, &std::pair<std::string_view, std::string_view>::first);
  return found == kNames.end() ? error : found->second;
}

Answer answer_of(const crawler::FetchRecord& record, const AcceptedStatuses& accepted) {
  if (!record.error.empty() && !is_of_body(record)) return of_failure(record);
  if (!record.status) return of_failure(record);
  Answer answer;
  answer.status = record.status;
  if (accepted.contains(*record.status)) {
    answer.kind = Answer::Kind::good;
  } else if (!record.next_url.empty()) {
    answer.kind = Answer::Kind::redirect;
    answer.next = record.next_url;
  } else {
    answer.kind = is_block(*record.status) ? Answer::Kind::blocked : Answer::Kind::broken;
    answer.cause = std::to_string(*record.status);
    answer.detail = wire::status_phrase(*record.status);
  }
  return answer;
}

Answer answer_of(const crawler::SkippedUrl& skipped) {
  const std::string_view phrase = crawler::describe(skipped.reason);
  std::string detail = skipped.detail.empty() ? std::string(phrase) : skipped.detail;
  return unchecked(std::string(crawler::name(skipped.reason)), std::move(detail));
}

}  // namespace gossamer::check
