#include "url/parser.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "base/check.h"
#include "url/code_points.h"
#include "url/domain.h"
#include "url/host.h"
#include "url/windows_drive.h"

namespace gossamer::url {
namespace {

constexpr bool is_control_or_space(char c) noexcept {
  return static_cast<unsigned char>(c) <= 0x20;
}

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && is_control_or_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_control_or_space(text.back())) text.remove_suffix(1);
  return text;
}

// The findings of one pass over the text.
struct Survey {
  bool has_control = false;  // tabs and line ends are among them
  bool is_ascii = true;
  bool has_percent = false;
};

constexpr std::uint64_t kEveryByte = 0x0101010101010101;
constexpr std::uint64_t kHighBits = 0x80 * kEveryByte;

// Surveys eight bytes at a time. The result is exact for ASCII; for other bytes it may report too
// much.
struct WordSurvey {
  void add(std::uint64_t word) noexcept {
    high |= word;
    control |= (word - 0x20 * kEveryByte) & ~word;
    const std::uint64_t percent_is_zero = word ^ ('%' * kEveryByte);
    percent |= (percent_is_zero - kEveryByte) & ~percent_is_zero;
  }
  std::uint64_t high = 0;
  std::uint64_t control = 0;
  std::uint64_t percent = 0;
};

std::uint64_t load_word(const char* from) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

Survey survey(std::string_view text) noexcept {
  WordSurvey words;
  if (text.size() >= 8) {
    const char* const last = text.data() + text.size() - 8;
    for (const char* at = text.data(); at < last; at += 8) words.add(load_word(at));
    words.add(load_word(last));
  } else {
    std::uint64_t word = 'a' * kEveryByte;
    if (!text.empty()) std::memcpy(&word, text.data(), text.size());
    words.add(word);
  }
  return {.has_control = (words.control & kHighBits) != 0,
          .is_ascii = (words.high & kHighBits) == 0,
          .has_percent = (words.percent & kHighBits) != 0};
}

bool has_tab_or_newline(std::string_view text) noexcept {
  return text.find_first_of("\t\n\r") != std::string_view::npos;
}

// Returns an upper bound of the size of the href. One byte becomes at most three, but nine if it is
// not UTF-8. An encoding can turn two bytes into sixteen. "::" and short IPv4 forms grow a little.
std::size_t capacity_for(std::string_view text, const Survey& survey, const Url* base,
                         const QueryEncoder* query_encoder) noexcept {
  constexpr std::size_t kSlack = 64;
  const std::size_t per_byte = survey.is_ascii ? 3 : 9;
  const std::size_t per_byte_encoded = query_encoder == nullptr ? 0 : 8;
  const bool may_need_idna = !survey.is_ascii || survey.has_percent;
  return (base == nullptr ? 0 : base->href().size()) + kSlack +
         text.size() * std::max(per_byte, per_byte_encoded) + (may_need_idna ? kDomainBytesMax : 0);
}

std::size_t scheme_length(std::string_view text) noexcept {
  if (text.empty() || !is_alpha(text[0])) return 0;
  std::size_t length = 1;
  while (length < text.size() && in_set(text[length], kSchemeByte)) ++length;
  return length < text.size() && text[length] == ':' ? length : 0;
}

// REQUIRES: `scheme` is lower case.
SchemeKind kind_of(std::string_view scheme) noexcept {
  switch (scheme.size()) {
    case 2: return scheme == "ws" ? SchemeKind::ws : SchemeKind::other;
    case 3:
      if (scheme == "wss") return SchemeKind::wss;
      return scheme == "ftp" ? SchemeKind::ftp : SchemeKind::other;
    case 4:
      if (scheme == "http") return SchemeKind::http;
      return scheme == "file" ? SchemeKind::file : SchemeKind::other;
    case 5: return scheme == "https" ? SchemeKind::https : SchemeKind::other;
    default: return SchemeKind::other;
  }
}

}  // namespace

UrlFailure Parser::parse_into(Url& url, std::string_view text, const Url* base,
                              QueryEncoder* query_encoder) {
  CHECK(base != &url);
  url.href_.clear();
  url.parts_ = {};
  if (text.size() > kUrlBytesMax) return UrlFailure::too_long;
  text = trim(text);
  const Survey seen = survey(text);
  if (seen.has_control && has_tab_or_newline(text)) {
    return parse_without_tabs_and_newlines(url, text, base, query_encoder);
  }

  const std::size_t capacity = capacity_for(text, seen, base, query_encoder);
  UrlFailure failure = UrlFailure::none;
  url.href_.resize_and_overwrite(capacity, [&](char* memory, std::size_t) -> std::size_t {
    Writer out(memory, capacity);
    Parser parser(text, base, query_encoder, out);
    failure = parser.run();
    if (failure != UrlFailure::none) return 0;
    url.parts_ = parser.parts_;
    return out.size();
  });
  return failure;
}

// Rare, and separate because its buffer would enlarge the stack frame of the usual path.
UrlFailure Parser::parse_without_tabs_and_newlines(Url& url, std::string_view text, const Url* base,
                                                   QueryEncoder* query_encoder) {
  constexpr std::size_t kOnStack = 1024;
  char on_stack[kOnStack];
  std::unique_ptr<char[]> on_heap;
  if (text.size() > kOnStack) on_heap = std::make_unique_for_overwrite<char[]>(text.size());
  char* const begin = on_heap ? on_heap.get() : on_stack;
  char* const end = std::copy_if(text.begin(), text.end(), begin,
                                 [](char c) { return c != '\t' && c != '\n' && c != '\r'; });
  return parse_into(url, {begin, static_cast<std::size_t>(end - begin)}, base, query_encoder);
}

bool Parser::base_has_scheme_of(SchemeKind kind) const noexcept {
  return base_ != nullptr && base_->scheme_kind() == kind;
}

bool Parser::is_beside(std::string_view text, const Url& other) noexcept {
  if (!other.is_http_or_https()) return false;
  const std::uint32_t length = other.parts_.path_begin;
  return text.size() > length && text[length] == '/' && text.starts_with(other.part(0, length));
}

// The part before the path is the base's and need not be read again.
UrlFailure Parser::base_origin_state() {
  take_base_scheme();
  take_base_authority();
  rest_.remove_prefix(parts_.path_begin);
  copy_base_until(parts_.path_begin);
  return path_start_state();
}

// The scheme start state, and what the standard does when there is no scheme.
UrlFailure Parser::run() {
  if (base_ != nullptr && base_->empty()) base_ = nullptr;
  if (base_ != nullptr && is_beside(rest_, *base_)) return base_origin_state();
  const std::size_t length = scheme_length(rest_);
  return length > 0 ? scheme_state(length) : no_scheme_state();
}

UrlFailure Parser::scheme_state(std::size_t colon) {
  write_scheme(rest_.substr(0, colon));
  rest_.remove_prefix(colon + 1);
  if (parts_.scheme_kind == SchemeKind::file) return file_state();
  if (is_special()) {
    // "special relative or authority": https:a is relative to a base of the same scheme.
    const bool is_relative = base_has_scheme_of(parts_.scheme_kind) && !rest_.starts_with("//");
    return is_relative ? relative_state() : special_authority_ignore_slashes_state();
  }
  return rest_.starts_with('/') ? path_or_authority_state() : opaque_path_state();
}

UrlFailure Parser::no_scheme_state() {
  if (base_ == nullptr) return UrlFailure::relative_without_base;
  if (base_->has_opaque_path()) {
    if (!rest_.starts_with('#')) return UrlFailure::relative_without_base;
    take_base_scheme();
    take_base_authority();
    copy_base_path();
    finish_path();
    copy_base_query();
    return fragment_state();
  }
  take_base_scheme();
  return parts_.scheme_kind == SchemeKind::file ? file_state() : relative_state();
}

UrlFailure Parser::special_authority_ignore_slashes_state() {
  while (at_slash()) rest_.remove_prefix(1);
  return authority_state();
}

// For a scheme that is not special, before a slash.
UrlFailure Parser::path_or_authority_state() {
  if (rest_.starts_with("//")) {
    rest_.remove_prefix(2);
    return authority_state();
  }
  write_no_authority();
  return path_start_state();
}

UrlFailure Parser::relative_state() {
  if (at_slash()) {
    rest_.remove_prefix(1);
    return relative_slash_state();
  }
  take_base_authority();
  return base_path_state();
}

// Reads a reference that starts where the path of the base ends.
UrlFailure Parser::base_path_state() {
  if (!rest_.empty() && rest_[0] != '?' && rest_[0] != '#') {
    const std::string_view path = base_->pathname();
    copy_base_until(parts_.path_begin);
    out_.put(path.substr(0, shortened_size(path)));
    return path_state();
  }
  copy_base_path();
  finish_path();
  if (!rest_.starts_with('?')) copy_base_query();
  return query_or_fragment_state();
}

UrlFailure Parser::relative_slash_state() {
  if (at_slash()) {
    copy_base_until(parts_.scheme_end);
    if (is_special()) return special_authority_ignore_slashes_state();
    rest_.remove_prefix(1);
    return authority_state();
  }
  take_base_authority();
  copy_base_until(parts_.path_begin);
  return path_state();
}

UrlFailure Parser::file_state() {
  if (at_slash()) {
    rest_.remove_prefix(1);
    return file_slash_state();
  }
  if (!base_has_scheme_of(SchemeKind::file)) {
    write_empty_file_host();
    return path_state();
  }
  take_base_authority();
  if (!starts_with_windows_drive_letter(rest_)) return base_path_state();
  copy_base_until(parts_.path_begin);
  return path_state();
}

UrlFailure Parser::file_slash_state() {
  if (at_slash()) {
    rest_.remove_prefix(1);
    return file_host_state();
  }
  if (!base_has_scheme_of(SchemeKind::file)) {
    write_empty_file_host();
    return path_state();
  }
  take_base_authority();
  copy_base_until(parts_.path_begin);
  if (!starts_with_windows_drive_letter(rest_)) {
    out_.put(leading_drive_of_path(base_->pathname()));
  }
  return path_state();
}

UrlFailure Parser::file_host_state() {
  const std::size_t end = std::min(rest_.find_first_of("/\\?#"), rest_.size());
  write_empty_file_host();
  const std::string_view host = rest_.substr(0, end);
  // file://C:/x: the drive is not a host but the first segment of the path.
  if (is_windows_drive_letter(host)) return path_state();
  if (!host.empty()) {
    const auto failure = write_host(host, true, out_, parts_.host_kind);
    if (failure != UrlFailure::none) return failure;
    if (out_.from(parts_.host_begin) == "localhost") {
      out_.cut(parts_.host_begin);
      parts_.host_kind = HostKind::none;
    }
    parts_.host_end = parts_.path_begin = out_.size();
  }
  rest_.remove_prefix(end);
  return path_start_state();
}

void Parser::write_scheme(std::string_view scheme) {
  for (const char c : scheme) out_.put(to_lower(c));
  parts_.scheme_kind = kind_of(out_.from(0));
  out_.put(':');
  parts_.scheme_end = out_.size();
}

void Parser::write_no_authority() {
  parts_.username_end = parts_.host_begin = parts_.host_end = parts_.path_begin = out_.size();
}

void Parser::write_empty_file_host() {
  copy_base_until(parts_.scheme_end);
  out_.put("//");
  parts_.has_authority = true;
  write_no_authority();
}

}  // namespace gossamer::url
