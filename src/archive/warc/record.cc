#include "warc/record.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/civil_time.h"

namespace gossamer::warc {
namespace {

using base::equals_ignoring_case;

constexpr std::string_view kBlanks = " \t\r\n\v\f";

constexpr std::pair<RecordType, std::string_view> kTypes[] = {
    {RecordType::warcinfo, "warcinfo"},     {RecordType::response, "response"},
    {RecordType::resource, "resource"},     {RecordType::request, "request"},
    {RecordType::metadata, "metadata"},     {RecordType::revisit, "revisit"},
    {RecordType::conversion, "conversion"}, {RecordType::continuation, "continuation"},
    {RecordType::arc_header, "arc_header"}, {RecordType::unknown, "unknown"},
};

constexpr WallTime kYearZero = {.seconds = -62'167'219'200};
constexpr WallTime kYearTenThousand = {.seconds = 253'402'300'800};

// Takes `count` digits from the front; nothing if there are fewer.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

// Year, month, day, hour, minute, second.
using Civil = std::array<int, 6>;
constexpr Civil kFirstMoment = {0, 1, 1, 0, 0, 0};

std::optional<WallTime> to_wall_time(const Civil& civil, std::uint32_t nanoseconds) {
  const auto [year, month, day, hour, minute, second] = civil;
  if (hour > 23) return std::nullopt;
  auto time = base::to_wall_time({year, month, day, hour, minute, second});
  if (!time || *time >= kYearTenThousand) return std::nullopt;
  time->nanoseconds = nanoseconds;
  return time;
}

// ".82": digits beyond the ninth are read and dropped.
std::optional<std::uint32_t> take_fraction(std::string_view& text) {
  if (!take(text, '.')) return 0;
  std::uint32_t nanoseconds = 0;
  std::size_t digits = 0;
  for (; auto digit = take_digits(text, 1); ++digits) {
    if (digits < 9) nanoseconds = nanoseconds * 10 + static_cast<std::uint32_t>(*digit);
  }
  if (digits == 0) return std::nullopt;
  for (; digits < 9; ++digits) nanoseconds *= 10;
  return nanoseconds;
}

// Takes "Z", or the offset from UTC, in minutes.
std::optional<int> take_zone(std::string_view& text) {
  if (take(text, 'Z') || take(text, 'z')) return 0;
  const bool is_east = text.starts_with('+');
  if (!take(text, '+') && !take(text, '-')) return std::nullopt;
  const auto hours = take_digits(text, 2);
  take(text, ':');
  const auto minutes = take_digits(text, 2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return (is_east ? 1 : -1) * (*hours * 60 + *minutes);
}

std::optional<WallTime> parse_rfc3339(std::string_view text) {
  constexpr std::string_view kSeparators = "--T::";
  Civil civil = kFirstMoment;
  const auto year = take_digits(text, 4);
  if (!year) return std::nullopt;
  civil[0] = *year;
  std::size_t part = 1;
  for (; part < civil.size() && !text.empty(); ++part) {
    const bool is_separated =
        take(text, kSeparators[part - 1]) || (part == 3 && (take(text, 't') || take(text, ' ')));
    if (!is_separated) break;
    const auto value = take_digits(text, 2);
    if (!value) return std::nullopt;
    civil[part] = *value;
  }
  std::optional<std::uint32_t> fraction = 0;
  std::optional<int> zone = 0;
  if (part == civil.size()) fraction = take_fraction(text);
  // Dates without a time have no zone; a time without one is UTC, the only zone of WARC.
  if (part > 4 && !text.empty()) zone = take_zone(text);
  if (!fraction || !zone || !text.empty()) return std::nullopt;
  auto time = to_wall_time(civil, *fraction);
  if (!time) return std::nullopt;
  time->seconds -= *zone * 60;
  // Only four-digit years can be written again.
  const bool can_be_written = *time >= kYearZero && *time < kYearTenThousand;
  return can_be_written ? time : std::nullopt;
}

// Parses 20140216050221; digits beyond the fourteenth are dropped, as other ARC readers do.
std::optional<WallTime> parse_digits(std::string_view text) {
  Civil civil = kFirstMoment;
  const auto year = take_digits(text, 4);
  if (!year) return std::nullopt;
  civil[0] = *year;
  for (std::size_t part = 1; part < civil.size() && !text.empty(); ++part) {
    const auto value = take_digits(text, 2);
    if (!value) return std::nullopt;
    civil[part] = *value;
  }
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return to_wall_time(civil, 0);
}

bool is_web_address(std::string_view uri) {
  const auto begins_with = [uri](std::string_view scheme) {
    return equals_ignoring_case(uri.substr(0, scheme.size()), scheme);
  };
  return begins_with("http:") || begins_with("https:");
}

// RFC 9112 section 5.2: a fold is read as one space.
void append_folded(std::string& value, std::string_view line) {
  const std::string_view more = base::trimmed(line, kBlanks);
  if (!value.empty() && !more.empty()) value += ' ';
  value += more;
}

}  // namespace

std::string_view name(RecordType type) noexcept {
  return kTypes[static_cast<std::size_t>(type)].second;
}

RecordType record_type_named(std::string_view name) noexcept {
  for (const auto& [type, spelling] : kTypes) {
    if (type != RecordType::arc_header && equals_ignoring_case(name, spelling)) return type;
  }
  return RecordType::unknown;
}

std::optional<WallTime> parse_record_date(std::string_view text) noexcept {
  text = base::trimmed(text, kBlanks);
  const bool has_digits_only = text.find_first_not_of("0123456789") == std::string_view::npos;
  return has_digits_only ? parse_digits(text) : parse_rfc3339(text);
}

std::string timestamp14(WallTime time) {
  std::string digits;
  for (const char c : to_rfc3339(time)) {
    if (c >= '0' && c <= '9') digits.push_back(c);
  }
  return digits;
}

void Fields::append_line(std::string_view line) {
  while (!line.empty() && kBlanks.find(line.back()) != std::string_view::npos) {
    line.remove_suffix(1);
  }
  if (line.starts_with(' ') || line.starts_with('\t')) {
    if (!list_.empty() && !is_skipping_) append_folded(list_.back().value, line);
    return;
  }
  const std::size_t colon = line.find(':');
  is_skipping_ = colon == std::string_view::npos;
  if (is_skipping_) return;
  append(std::string(base::trimmed(line.substr(0, colon), " \t")),
         std::string(base::trimmed(line.substr(colon + 1), kBlanks)));
}

void Fields::append(std::string name, std::string value) {
  list_.push_back({std::move(name), std::move(value)});
  is_skipping_ = false;
}

std::optional<std::string_view> Fields::find(std::string_view name) const noexcept {
  for (const Field& field : list_) {
    if (equals_ignoring_case(field.name, name)) return field.value;
  }
  return std::nullopt;
}

std::string RecordHead::target_uri() const {
  std::string_view given =
      fields.find(format == RecordFormat::arc ? "uri" : "WARC-Target-URI").value_or("");
  if (given.size() >= 2 && given.starts_with('<') && given.ends_with('>')) {
    given = given.substr(1, given.size() - 2);
  }
  std::string uri;
  for (const char c : given) {
    c == ' ' ? static_cast<void>(uri += "%20") : uri.push_back(c);
  }
  return uri;
}

std::string_view RecordHead::date_text() const noexcept {
  return fields.find(format == RecordFormat::arc ? "archive-date" : "WARC-Date").value_or("");
}

std::optional<WallTime> RecordHead::date() const { return parse_record_date(date_text()); }

std::string_view RecordHead::record_id() const noexcept {
  return fields.find("WARC-Record-ID").value_or("");
}

std::string_view RecordHead::content_type() const noexcept {
  return fields.find("Content-Type").value_or("");
}

bool RecordHead::has_http() const {
  if (block_bytes == 0) return false;
  if (type != RecordType::response && type != RecordType::request && type != RecordType::revisit) {
    return false;
  }
  if (is_web_address(target_uri())) return true;
  const std::string_view essence =
      base::trimmed(content_type().substr(0, content_type().find(';')), kBlanks);
  return equals_ignoring_case(essence, "application/http") ||
         equals_ignoring_case(essence, "message/http");
}

}  // namespace gossamer::warc
