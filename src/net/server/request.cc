#include "server/request.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "url/percent.h"
#include "wire/text.h"

namespace gossamer::server {
namespace {

constexpr int kBadRequest = 400;
constexpr int kTooLarge = 413;
constexpr int kTargetTooLong = 414;
constexpr int kHeadTooLarge = 431;
constexpr int kVersionNotSupported = 505;

// Visible ASCII only: browsers escape everything else. A fragment is never sent.
bool is_origin_form(std::string_view target) {
  return target.starts_with('/') &&
         std::ranges::all_of(target, [](char c) { return c > ' ' && c < 0x7F && c != '#'; });
}

bool is_text(std::string_view text) {
  while (!text.empty()) {
    const auto sequence = base::decode_utf8(text);
    if (sequence.length == 0 || sequence.code_point == 0) return false;
    text.remove_prefix(sequence.length);
  }
  return true;
}

// Decodes application/x-www-form-urlencoded.
std::string form_decoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return url::percent_decoded(spaced);
}

}  // namespace

std::string_view Request::path() const noexcept {
  return std::string_view(target).substr(0, target.find('?'));
}

std::string_view Request::query() const noexcept {
  const std::size_t mark = target.find('?');
  return mark == std::string::npos ? std::string_view() : std::string_view(target).substr(mark + 1);
}

std::optional<std::string_view> Request::find(std::string_view name) const noexcept {
  for (const Field& field : fields) {
    if (wire::equals_ignoring_case(field.name, name)) return field.value;
  }
  return {};
}

std::size_t Request::count(std::string_view name) const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      fields, [name](const Field& field) { return wire::equals_ignoring_case(field.name, name); }));
}

Result<std::optional<std::string>> Request::parameter(std::string_view name) const {
  std::string_view rest = query();
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (form_decoded(pair.substr(0, equals)) != name) continue;
    std::string value = form_decoded(pair.substr(std::min(equals + 1, pair.size())));
    if (value.size() > kParameterBytesMax) {
      return fail(Errc::over_limit, std::string(name) + " is too long");
    }
    if (!is_text(value)) return fail(Errc::malformed, std::string(name) + " is not a text");
    return std::optional<std::string>(std::move(value));
  }
  return std::optional<std::string>();
}

std::size_t RequestParser::feed(Bytes input) {
  std::string_view rest = as_text(input);
  while (state_ != State::done && state_ != State::failed) {
    if (state_ == State::body) {
      take_body(rest);
      if (state_ == State::body) break;
    } else if (state_ == State::chunks) {
      take_chunks(rest);
      if (state_ == State::chunks) break;
    } else if (take_line(rest)) {
      read_line();
    } else {
      break;
    }
  }
  return input.size() - rest.size();
}

bool RequestParser::take_line(std::string_view& input) {
  const std::size_t end = input.find('\n');
  const bool is_whole = end != std::string_view::npos;
  const std::string_view part = input.substr(0, is_whole ? end + 1 : input.size());
  const std::size_t line_room =
      limits_.line_bytes_max + 2 - std::min(line_.size(), limits_.line_bytes_max + 2);
  if (part.size() > line_room) {
    fail_with(state_ == State::start_line ? kTargetTooLong : kHeadTooLarge);
    return false;
  }
  if (part.size() > limits_.head_bytes_max - std::min(head_bytes_, limits_.head_bytes_max)) {
    fail_with(kHeadTooLarge);
    return false;
  }
  line_ += part;
  head_bytes_ += part.size();
  input.remove_prefix(part.size());
  if (!is_whole) return false;
  if (!line_.ends_with("\r\n")) {
    fail_with(kBadRequest);
    return false;
  }
  line_.resize(line_.size() - 2);
  return true;
}

void RequestParser::read_line() {
  if (state_ == State::start_line) {
    read_start_line();
  } else if (line_.empty()) {
    begin_body();
  } else {
    read_field();
  }
  line_.clear();
}

void RequestParser::read_start_line() {
  const std::string_view line = line_;
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return fail_with(kBadRequest);
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!wire::is_token(method) || !is_origin_form(target)) return fail_with(kBadRequest);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    return fail_with(version.starts_with("HTTP/") ? kVersionNotSupported : kBadRequest);
  }
  request_.method = method;
  request_.target = target;
  request_.is_http_1_1 = version == "HTTP/1.1";
  state_ = State::fields;
}

void RequestParser::read_field() {
  const std::string_view line = line_;
  // A line that begins with a blank continues the one above (obs-fold): the name is not a token.
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return fail_with(kBadRequest);
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = wire::trim_blanks(line.substr(colon + 1));
  if (!wire::is_token(name) || (!value.empty() && !wire::is_field_text(value))) {
    return fail_with(kBadRequest);
  }
  if (request_.fields.size() == limits_.fields_max) return fail_with(kHeadTooLarge);
  request_.fields.push_back({std::string(name), std::string(value)});
}

void RequestParser::begin_body() {
  const auto connection = request_.find("Connection").value_or("");
  bool closes = !request_.is_http_1_1;
  wire::for_each_in_list(connection, [&](std::string_view token) {
    closes |= wire::equals_ignoring_case(token, "close");
  });
  request_.keeps_alive = !closes;
  const std::size_t lengths = request_.count("Content-Length");
  const std::size_t codings = request_.count("Transfer-Encoding");
  if (lengths + codings > 1) return fail_with(kBadRequest);
  if (codings == 1) {
    const bool is_chunked =
        wire::equals_ignoring_case(*request_.find("Transfer-Encoding"), "chunked");
    if (!is_chunked || !request_.is_http_1_1) return fail_with(kBadRequest);
    state_ = State::chunks;
    return;
  }
  if (lengths == 0) {
    state_ = State::done;
    return;
  }
  const std::string_view digits = *request_.find("Content-Length");
  if (digits.empty() || !std::ranges::all_of(digits, wire::is_digit)) return fail_with(kBadRequest);
  constexpr std::size_t kDigitsMax = 9;
  if (digits.size() > kDigitsMax) return fail_with(kTooLarge);
  for (const char digit : digits)
    body_left_ = body_left_ * 10 + static_cast<std::size_t>(digit - '0');
  if (body_left_ > limits_.body_bytes_max) return fail_with(kTooLarge);
  state_ = body_left_ == 0 ? State::done : State::body;
}

void RequestParser::take_body(std::string_view& input) {
  const std::string_view part = input.substr(0, body_left_);
  request_.body += part;
  body_left_ -= part.size();
  input.remove_prefix(part.size());
  if (body_left_ == 0) state_ = State::done;
}

void RequestParser::take_chunks(std::string_view& input) {
  while (!input.empty() && !chunks_.is_done()) {
    const auto step = chunks_.feed(as_bytes(input), {});
    if (!step) return fail_with(kBadRequest);
    if (step->body.size() > limits_.body_bytes_max - request_.body.size()) {
      return fail_with(kTooLarge);
    }
    request_.body += as_text(step->body);
    input.remove_prefix(step->consumed);
  }
  if (!chunks_.is_done()) return;
  if (chunks_.has_bare_line_ends()) return fail_with(kBadRequest);
  state_ = State::done;
}

}  // namespace gossamer::server
