// The parser's states for path, query and fragment.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>

#include "base/check.h"
#include "url/code_points.h"
#include "url/parser.h"
#include "url/percent.h"
#include "url/windows_drive.h"

namespace gossamer::url {
namespace {

// Returns the number of dots if the segment is only one or two dots, plain or escaped; else 0.
// https://url.spec.whatwg.org/#single-dot-path-segment
int count_dots(std::string_view segment) noexcept {
  int dots = 0;
  while (!segment.empty()) {
    if (segment[0] == '.') {
      segment.remove_prefix(1);
    } else if (segment.starts_with("%2e") || segment.starts_with("%2E")) {
      segment.remove_prefix(3);
    } else {
      return 0;
    }
    if (++dots > 2) return 0;
  }
  return dots;
}

// Returns whether an encoding may differ from UTF-8. ISO-2022-JP gives a meaning to three controls.
bool needs_encoder(std::string_view query) noexcept {
  for (const char c : query) {
    if (!is_ascii(c) || c == 0x0E || c == 0x0F || c == 0x1B) return true;
  }
  return false;
}

}  // namespace

UrlFailure Parser::path_start_state() {
  if (at_slash()) {
    rest_.remove_prefix(1);
    return path_state();
  }
  const bool has_path = !rest_.empty() && rest_[0] != '?' && rest_[0] != '#';
  if (is_special() || has_path) return path_state();
  finish_path();
  return query_or_fragment_state();
}

// Reads segments. The slash before the first one is already consumed.
UrlFailure Parser::path_state() {
  bool more = true;
  while (more) {
    const std::uint32_t begin = out_.size();
    out_.put('/');
    if (!may_be_unusual_segment()) {
      more = write_usual_segments();
      continue;
    }
    write_segment();
    more = at_slash();
    if (more) rest_.remove_prefix(1);
    finish_segment(begin, more);
  }
  finish_path();
  return query_or_fragment_state();
}

// Returns whether the segment may be one or two dots, or a drive.
bool Parser::may_be_unusual_segment() const noexcept {
  return parts_.scheme_kind == SchemeKind::file ||
         (!rest_.empty() && (rest_[0] == '.' || rest_[0] == '%'));
}

// Writes segments up to the end of the path, or up to one that begins with a dot or an escape. In
// that case returns true, and the slash before it is consumed.
bool Parser::write_usual_segments() {
  while (true) {
    rest_.remove_prefix(out_.put_until(rest_, kUsualPathStop));
    if (rest_.empty()) return false;
    const char c = rest_[0];
    if (c == '?' || c == '#') return false;
    if ((c == '.' || c == '%') && out_.back() == '/') {
      out_.cut(out_.size() - 1);
      return true;
    }
    write_path_character();
  }
}

void Parser::write_segment() {
  while (true) {
    rest_.remove_prefix(out_.put_until(rest_, kPathStop));
    if (rest_.empty()) return;
    const char c = rest_[0];
    if (is_slash(c) || c == '?' || c == '#') return;
    write_path_character();
  }
}

// Writes the first character of the rest. REQUIRES: the rest is not empty and does not begin with /
// ? or #.
void Parser::write_path_character() {
  const char c = rest_[0];
  if (!is_ascii(c)) {
    rest_.remove_prefix(percent_encode_non_ascii(rest_, out_));
    return;
  }
  if (is_slash(c)) {
    out_.put('/');
  } else {
    in_set(c, kPathSet) ? out_.put_escaped(c) : out_.put(c);
  }
  rest_.remove_prefix(1);
}

// `begin` is the position of the slash before the segment.
void Parser::finish_segment(std::uint32_t begin, bool slash_follows) {
  const std::string_view segment = out_.from(begin + 1);
  if (segment.empty() || (segment[0] != '.' && segment[0] != '%')) {
    const bool is_drive = parts_.scheme_kind == SchemeKind::file && begin == parts_.path_begin &&
                          is_windows_drive_letter(segment);
    if (is_drive) {
      out_.cut(out_.size() - 1);
      out_.put(':');
    }
    return;
  }
  const int dots = count_dots(segment);
  if (dots == 0) return;
  out_.cut(begin);
  if (dots == 2) {
    const std::size_t size = shortened_size(out_.from(parts_.path_begin));
    out_.cut(parts_.path_begin + static_cast<std::uint32_t>(size));
  }
  if (!slash_follows) out_.put('/');
}

// https://url.spec.whatwg.org/#shorten-a-urls-path
std::size_t Parser::shortened_size(std::string_view path) const noexcept {
  const bool is_drive = parts_.scheme_kind == SchemeKind::file && path.size() == 3 &&
                        leading_drive_of_path(path).size() == 3;
  if (is_drive || path.empty()) return path.size();
  const void* const slash = ::memrchr(path.data(), '/', path.size());
  return slash == nullptr ? 0
                          : static_cast<std::size_t>(static_cast<const char*>(slash) - path.data());
}

void Parser::copy_base_path() {
  copy_base_until(parts_.path_begin);
  out_.put(base_->pathname());
  parts_.opaque_path = base_->has_opaque_path();
}

void Parser::copy_base_query() {
  out_.put(base_->part(base_->parts_.path_end, base_->parts_.query_end));
  parts_.query_end = out_.size();
}

void Parser::finish_path() {
  // Without a host, "//" at the start of a path would be read as one.
  if (!parts_.has_authority && !parts_.opaque_path &&
      out_.from(parts_.path_begin).starts_with("//")) {
    out_.insert(parts_.path_begin, "/.");
    parts_.path_begin += 2;
  }
  parts_.path_end = parts_.query_end = out_.size();
}

UrlFailure Parser::opaque_path_state() {
  write_no_authority();
  parts_.opaque_path = true;
  const std::size_t end = std::min(rest_.find_first_of("?#"), rest_.size());
  std::string_view path = rest_.substr(0, end);
  rest_.remove_prefix(end);
  // A space at the end would be lost when the URL is parsed again without what follows.
  const bool escape_last = path.ends_with(' ') && !rest_.empty();
  if (escape_last) path.remove_suffix(1);
  percent_encode(path, kC0ControlSet, out_);
  if (escape_last) out_.put("%20");
  finish_path();
  return query_or_fragment_state();
}

UrlFailure Parser::query_or_fragment_state() {
  if (rest_.empty()) return UrlFailure::none;
  return rest_[0] == '?' ? query_state() : fragment_state();
}

UrlFailure Parser::query_state() {
  const std::size_t end = std::min(rest_.find('#'), rest_.size());
  const std::string_view query = rest_.substr(1, end - 1);
  rest_.remove_prefix(end);
  out_.put('?');
  if (const auto failure = write_query(query); failure != UrlFailure::none) return failure;
  parts_.query_end = out_.size();
  return query_or_fragment_state();
}

UrlFailure Parser::write_query(std::string_view query) {
  const ByteClass set = is_special() ? kSpecialQuerySet : kQuerySet;
  const bool may_be_encoded = query_encoder_ != nullptr && is_special() &&
                              parts_.scheme_kind != SchemeKind::ws &&
                              parts_.scheme_kind != SchemeKind::wss;
  if (may_be_encoded && needs_encoder(query)) return write_encoded_query(query, set);
  percent_encode(query, set, out_);
  return UrlFailure::none;
}

// https://url.spec.whatwg.org/#string-percent-encode-after-encoding
UrlFailure Parser::write_encoded_query(std::string_view query, ByteClass set) {
  // The part after the query needs room too.
  const std::size_t room_for_fragment = rest_.size() * 9;
  std::string bytes;
  while (!query.empty()) {
    bytes.clear();
    const QueryEncoder::Step step = query_encoder_->encode(query, bytes);
    CHECK(step.consumed > 0 && step.consumed <= query.size());
    query.remove_prefix(step.consumed);
    if (bytes.size() * 3 + 32 + room_for_fragment > out_.room()) return UrlFailure::too_long;
    for (const char c : bytes) in_set(c, set) ? out_.put_escaped(c) : out_.put(c);
    if (!step.refused) continue;
    char digits[10];
    const auto value = static_cast<std::uint32_t>(*step.refused);
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out_.put("%26%23");
    out_.put(std::string_view(digits, static_cast<std::size_t>(end - digits)));
    out_.put("%3B");
  }
  return UrlFailure::none;
}

UrlFailure Parser::fragment_state() {
  out_.put('#');
  percent_encode(rest_.substr(1), kFragmentSet, out_);
  return UrlFailure::none;
}

}  // namespace gossamer::url
