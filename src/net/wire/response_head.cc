#include "wire/response_head.h"

#include <utility>

#include "wire/text.h"

namespace gossamer::wire {
namespace {

// Most heads have fewer fields, so their positions are allocated once.
constexpr std::size_t kFieldsExpected = 16;

// Takes the line up to the LF at `end`, and returns it without LF or CRLF.
std::string_view take_line(std::string_view& text, std::size_t end, bool& is_bare) noexcept {
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  is_bare = line.empty() || line.back() != '\r';
  if (!is_bare) line.remove_suffix(1);
  return line;
}

bool frames_the_body(std::string_view name) noexcept {
  return equals_ignoring_case(name, "content-length") ||
         equals_ignoring_case(name, "transfer-encoding");
}

}  // namespace

Result<ResponseHead> ResponseHead::parse(std::string_view raw, std::size_t fields_max) {
  ResponseHead head;
  auto is_whole = head.append(raw, fields_max);
  if (!is_whole) return fail(std::move(is_whole).error());
  if (!*is_whole) return fail(Errc::malformed, "the response head has no end");
  return head;
}

Result<bool> ResponseHead::append(std::string_view part, std::size_t fields_max) {
  raw_ += part;
  while (true) {
    std::string_view rest = std::string_view(raw_).substr(parsed_bytes_);
    const bool is_first = status_ < 0;
    if (!is_first && fields_.empty() && !rest.empty() && is_blank(rest.front())) {
      return fail(Errc::malformed, "the first field line begins with a space");
    }
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return false;
    bool is_bare = false;
    const std::string_view line = take_line(rest, end, is_bare);
    parsed_bytes_ = static_cast<std::uint32_t>(raw_.size() - rest.size());
    if (line.empty() && !is_first) {
      if (!rest.empty()) return fail(Errc::malformed, "unexpected text after the head");
      if (const char* why = ambiguity(is_bare)) return fail(Errc::malformed, why);
      note_line_end(is_bare);
      return true;
    }
    auto read = is_first ? parse_status_line(line) : parse_line(line, fields_max);
    if (!read) return fail(std::move(read).error());
    if (!is_first && (is_bare || was_bare_) && frames_the_body(at(fields_.back().name))) {
      is_framing_near_bare_ = true;
    }
    note_line_end(is_bare);
  }
}

void ResponseHead::note_line_end(bool is_bare) noexcept {
  was_bare_ = is_bare;
  has_bare_line_ends_ |= is_bare;
  has_whole_line_ends_ |= !is_bare;
}

// Called at the empty line. Returns nullptr if a reader that accepts only CRLF finds the same head.
const char* ResponseHead::ambiguity(bool is_bare) const noexcept {
  if (is_bare != was_bare_) {
    return "the last two lines of the head end in different ways (LF and CRLF), so programs "
           "disagree on where the body begins";
  }
  if (is_framing_near_bare_ && has_whole_line_ends_ && !is_bare) {
    return "lines next to Content-Length or Transfer-Encoding end in different ways (LF and CRLF), "
           "so programs disagree on where the body ends";
  }
  return nullptr;
}

Result<void> ResponseHead::parse_line(std::string_view line, std::size_t fields_max) {
  if (is_blank(line.front())) return unfold(line);
  if (fields_.size() >= fields_max) return fail(Errc::over_limit, "too many fields in the head");
  return parse_field(line);
}

// RFC 9112 section 4: status-line = HTTP-version SP status-code SP [ reason-phrase ]
Result<void> ResponseHead::parse_status_line(std::string_view line) {
  if (!line.starts_with("HTTP/")) return fail(Errc::malformed, "not an HTTP response");
  if (!line.starts_with("HTTP/1.0 ") && !line.starts_with("HTTP/1.1 ")) {
    return fail(Errc::malformed, "unsupported HTTP version");
  }
  minor_version_ = line[7] == '1' ? 1 : 0;
  const std::string_view code = line.substr(9, 3);
  if (code.size() < 3 || !is_digit(code[0]) || !is_digit(code[1]) || !is_digit(code[2])) {
    return fail(Errc::malformed, "the status code is not three digits");
  }
  status_ =
      static_cast<std::int16_t>((code[0] - '0') * 100 + (code[1] - '0') * 10 + (code[2] - '0'));
  std::string_view reason = line.substr(12);
  if (!reason.empty()) {
    if (reason.front() != ' ') return fail(Errc::malformed, "the status code is not three digits");
    reason.remove_prefix(1);
  }
  if (!is_field_text(reason)) {
    return fail(Errc::malformed, "control character in the reason phrase");
  }
  reason_ = place_of(reason);
  return {};
}

// RFC 9112 section 5: field-line = field-name ":" OWS field-value OWS
Result<void> ResponseHead::parse_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    return fail(Errc::malformed, "a field line has no colon");
  }
  const std::string_view name = line.substr(0, colon);
  if (!is_token(name)) return fail(Errc::malformed, "invalid field name");
  const std::string_view value = trim_blanks(line.substr(colon + 1));
  if (!is_field_text(value)) return fail(Errc::malformed, "control character in a field value");
  if (fields_.empty()) fields_.reserve(kFieldsExpected);
  fields_.push_back({place_of(name), place_of(value)});
  return {};
}

// RFC 9112 section 5.2: a user agent replaces each obs-fold with spaces.
Result<void> ResponseHead::unfold(std::string_view line) {
  Place& value = fields_.back().value;
  if (frames_the_body(at(fields_.back().name))) {
    return fail(Errc::malformed, "a framing field is folded over several lines");
  }
  const std::string_view more = trim_blanks(line);
  if (!is_field_text(more)) return fail(Errc::malformed, "control character in a field value");
  if ((value.begin & kUnfolded) == 0) {
    const std::string_view so_far = at(value);
    value.begin = kUnfolded | static_cast<std::uint32_t>(unfolded_.size());
    unfolded_ += so_far;
  }
  if (!more.empty()) {
    if (value.size > 0) unfolded_ += ' ';
    unfolded_ += more;
  }
  value.size = static_cast<std::uint32_t>(unfolded_.size()) - (value.begin & ~kUnfolded);
  return {};
}

ResponseHead::Place ResponseHead::place_of(std::string_view part) const noexcept {
  return {static_cast<std::uint32_t>(part.data() - raw_.data()),
          static_cast<std::uint32_t>(part.size())};
}

std::size_t ResponseHead::next(std::string_view name, std::size_t from) const noexcept {
  while (from < fields_.size() && !equals_ignoring_case(at(fields_[from].name), name)) ++from;
  return from;
}

std::optional<std::string_view> ResponseHead::find(std::string_view name) const noexcept {
  const std::size_t found = next(name, 0);
  if (found == fields_.size()) return std::nullopt;
  return at(fields_[found].value);
}

std::vector<std::string_view> ResponseHead::find_all(std::string_view name) const {
  std::vector<std::string_view> values;
  for_each(name, [&](std::string_view value) { values.push_back(value); });
  return values;
}

bool ResponseHead::has_token(std::string_view name, std::string_view token) const noexcept {
  bool found = false;
  for_each(name, [&](std::string_view value) {
    for_each_in_list(value,
                     [&](std::string_view one) { found |= equals_ignoring_case(one, token); });
  });
  return found;
}

Result<std::optional<std::string_view>> location(const ResponseHead& head) {
  const std::optional<std::string_view> first = head.find("location");
  bool differs = false;
  head.for_each("location", [&](std::string_view value) { differs |= value != *first; });
  if (differs) return fail(Errc::malformed, "conflicting Location fields");
  return first;
}

}  // namespace gossamer::wire
