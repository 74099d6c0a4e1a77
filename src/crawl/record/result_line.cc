#include "record/result_line.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include "base/json_value.h"

namespace gossamer::report {
namespace {

using base::JsonValue;

// Empty where it is missing or null.
std::string text_in(const JsonValue& object, std::string_view name) {
  const JsonValue* const value = object.find(name);
  return value != nullptr && value->kind == JsonValue::Kind::text ? value->text : std::string();
}

std::uint64_t count_in(const JsonValue& object, std::string_view name) {
  const JsonValue* const value = object.find(name);
  return value == nullptr ? 0 : value->as_number().value_or(0);
}

crawler::SkipReason reason_named(std::string_view name) {
  for (std::size_t i = 0; i < crawler::kSkipReasons; ++i) {
    const auto reason = static_cast<crawler::SkipReason>(i);
    if (crawler::name(reason) == name) return reason;
  }
  return crawler::SkipReason::none;
}

Duration total_time(const JsonValue& line) {
  const JsonValue* const timings = line.find("timings");
  const JsonValue* const total = timings == nullptr ? nullptr : timings->find("total");
  if (total == nullptr) return Duration::zero();
  double milliseconds = 0;
  const char* const end = total->text.data() + total->text.size();
  const auto [stop, error] = std::from_chars(total->text.data(), end, milliseconds);
  if (error != std::errc() || stop != end || !(milliseconds >= 0 && milliseconds < 1e12)) {
    return Duration::zero();
  }
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double, std::milli>(milliseconds));
}

crawler::FetchRecord record_of(const JsonValue& line) {
  crawler::FetchRecord record;
  record.url = text_in(line, "url");
  if (const std::uint64_t status = count_in(line, "status"); status > 0 && status < 1000) {
    record.status = static_cast<int>(status);
  }
  record.next_url = text_in(line, "next_url");
  record.error_detail = text_in(line, "error_detail");
  record.bytes = count_in(line, "bytes");
  record.wire_bytes = count_in(line, "wire_bytes");
  record.mime = text_in(line, "mime");
  record.depth = static_cast<std::uint32_t>(count_in(line, "depth"));
  record.via = text_in(line, "via");
  record.tries = std::max(1U, static_cast<std::uint32_t>(count_in(line, "tries")));
  record.duplicate_of = text_in(line, "duplicate_of");
  record.similar_to = text_in(line, "similar_to");
  const JsonValue* const guess = line.find("guess");
  record.is_guess = guess != nullptr && guess->text == "true";
  record.title = text_in(line, "title");
  record.facts.total = total_time(line);
  return record;
}

}  // namespace

ResultLine::ResultLine(std::string_view line) {
  const auto read = base::parse_json(line);
  if (!read) return;
  url_ = text_in(*read, "url");
  if (url_.empty()) return;
  if (const std::string reason = text_in(*read, "skip_reason"); !reason.empty()) {
    via_ = text_in(*read, "via");
    skipped_ = {.url = url_,
                .reason = reason_named(reason),
                .via = via_,
                .depth = static_cast<std::uint32_t>(count_in(*read, "depth")),
                .detail = text_in(*read, "detail")};
    return;
  }
  error_ = text_in(*read, "error");
  record_ = record_of(*read);
  record_->error = error_;
}

}  // namespace gossamer::report
