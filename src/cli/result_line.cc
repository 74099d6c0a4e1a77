#include "cli/result_line.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <utility>

#include "site/json_object.h"

namespace gossamer::cli {
namespace {

using Members = std::map<std::string, site::JsonMember, std::less<>>;

// Empty where it is missing or null.
std::string text_of(const Members& members, std::string_view name) {
  const auto found = members.find(name);
  return found != members.end() && found->second.is_text ? found->second.value : std::string();
}

std::uint64_t number_of(const Members& members, std::string_view name) {
  const auto found = members.find(name);
  return found == members.end() ? 0 : found->second.as_number().value_or(0);
}

crawl::SkipReason reason_named(std::string_view name) {
  for (std::size_t i = 0; i < crawl::kSkipReasons; ++i) {
    const auto reason = static_cast<crawl::SkipReason>(i);
    if (crawl::name(reason) == name) return reason;
  }
  return crawl::SkipReason::none;
}

Duration total_time(const Members& members) {
  const auto timings = members.find("timings");
  if (timings == members.end()) return Duration::zero();
  const auto read = site::read_json_object(timings->second.value);
  if (!read) return Duration::zero();
  for (const site::JsonMember& member : *read) {
    double milliseconds = 0;
    const char* const end = member.value.data() + member.value.size();
    if (member.name != "total") continue;
    const auto [stop, error] = std::from_chars(member.value.data(), end, milliseconds);
    if (error != std::errc() || stop != end || !(milliseconds >= 0 && milliseconds < 1e12)) break;
    return std::chrono::duration_cast<Duration>(
        std::chrono::duration<double, std::milli>(milliseconds));
  }
  return Duration::zero();
}

crawl::FetchRecord record_of(const Members& members) {
  crawl::FetchRecord record;
  record.url = text_of(members, "url");
  if (const std::uint64_t status = number_of(members, "status"); status > 0 && status < 1000) {
    record.status = static_cast<int>(status);
  }
  record.next_url = text_of(members, "next_url");
  record.error_detail = text_of(members, "error_detail");
  record.bytes = number_of(members, "bytes");
  record.wire_bytes = number_of(members, "wire_bytes");
  record.mime = text_of(members, "mime");
  record.depth = static_cast<std::uint32_t>(number_of(members, "depth"));
  record.via = text_of(members, "via");
  record.tries = std::max(1U, static_cast<std::uint32_t>(number_of(members, "tries")));
  record.duplicate_of = text_of(members, "duplicate_of");
  record.title = text_of(members, "title");
  record.facts.total = total_time(members);
  return record;
}

}  // namespace

ResultLine::ResultLine(std::string_view line) {
  auto read = site::read_json_object(line);
  if (!read) return;
  Members members;
  for (site::JsonMember& member : *read) {
    std::string name = member.name;
    members.insert_or_assign(std::move(name), std::move(member));
  }
  url_ = text_of(members, "url");
  if (url_.empty()) return;
  if (const std::string reason = text_of(members, "skip_reason"); !reason.empty()) {
    via_ = text_of(members, "via");
    skipped_ = {.url = url_,
                .reason = reason_named(reason),
                .via = via_,
                .depth = static_cast<std::uint32_t>(number_of(members, "depth")),
                .detail = text_of(members, "detail")};
    return;
  }
  error_ = text_of(members, "error");
  record_ = record_of(members);
  record_->error = error_;
}

}  // namespace gossamer::cli
