#include "wire/chunked_decoder.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/ascii.h"
#include "base/check.h"
#include "wire/text.h"

namespace gossamer::wire {
namespace {

constexpr std::size_t kSizeDigitsMax = 16;
constexpr std::uint64_t kChunkBytesMax = std::uint64_t{1} << 62;

void skip_blanks(std::string_view& text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

bool skip_token(std::string_view& text) noexcept {
  const std::size_t before = text.size();
  while (!text.empty() && is_token_char(text.front())) text.remove_prefix(1);
  return text.size() < before;
}

// REQUIRES: the text begins with a quotation mark.
bool skip_quoted(std::string_view& text) noexcept {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return true;
    }
    if (text[i] == '\\') ++i;
  }
  return false;
}

// chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )
bool is_extensions(std::string_view text) noexcept {
  if (!is_field_text(text)) return false;
  while (!text.empty()) {
    skip_blanks(text);
    if (!text.starts_with(';')) return false;
    text.remove_prefix(1);
    skip_blanks(text);
    if (!skip_token(text)) return false;
    std::string_view value = text;
    skip_blanks(value);
    if (!value.starts_with('=')) continue;
    value.remove_prefix(1);
    skip_blanks(value);
    const bool is_value = value.starts_with('"') ? skip_quoted(value) : skip_token(value);
    if (!is_value) return false;
    text = value;
  }
  return true;
}

}  // namespace

Result<ChunkedDecoder::Step> ChunkedDecoder::feed(Bytes input, const ChunkedLimits& limits) {
  CHECK(state_ != State::done);
  const std::size_t size = input.size();
  while (!input.empty() && state_ != State::done) {
    Result<void> went;
    if (state_ == State::data) {
      const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
      left_ -= take;
      if (left_ == 0) state_ = State::data_cr;
      return Step{.consumed = size - input.size() + take, .body = input.first(take)};
    }
    if (state_ == State::data_cr) {
      went = expect(input, '\r', State::data_lf);
    } else if (state_ == State::data_lf) {
      went = expect(input, '\n', State::size_line);
    } else {
      const bool is_trailer = state_ == State::trailer;
      auto line = take_line(
          input, is_trailer ? limits.trailer_bytes_max - trailer_bytes_ : limits.line_bytes_max);
      if (!line) return fail(std::move(line).error());
      if (line->empty()) break;
      if (is_trailer) trailer_bytes_ += static_cast<std::uint32_t>(line->size());
      went = is_trailer ? read_trailer_line(*line) : read_size_line(*line);
      line_.clear();
    }
    if (!went) return fail(std::move(went).error());
  }
  return Step{.consumed = size - input.size(), .is_done = state_ == State::done};
}

Result<void> ChunkedDecoder::expect(Bytes& input, char wanted, State then) {
  if (static_cast<char>(input.front()) != wanted) {
    return fail(Errc::malformed, "missing CRLF after a chunk");
  }
  input = input.subspan(1);
  state_ = then;
  return {};
}

Result<std::string_view> ChunkedDecoder::take_line(Bytes& input, std::size_t bytes_max) {
  const std::string_view text = as_text(input);
  const std::size_t end = text.find('\n');
  const bool is_whole = end != std::string_view::npos;
  const std::string_view part = text.substr(0, is_whole ? end + 1 : text.size());
  if (part.size() + line_.size() > bytes_max) {
    return fail(Errc::malformed, "chunk extension or trailer too long");
  }
  input = input.subspan(part.size());
  if (is_whole && line_.empty()) return part;
  line_ += part;
  return is_whole ? std::string_view(line_) : std::string_view();
}

Result<void> ChunkedDecoder::read_size_line(std::string_view line) {
  if (!line.ends_with("\r\n")) {
    return fail(Errc::malformed, "missing CRLF after a chunk size");
  }
  line.remove_suffix(2);
  std::size_t digits = 0;
  std::uint64_t size = 0;
  for (; digits < line.size() && base::hex_value(line[digits]) >= 0; ++digits) {
    if (digits == kSizeDigitsMax) return fail(Errc::malformed, "chunk size has too many digits");
    size = size << 4 | static_cast<std::uint64_t>(base::hex_value(line[digits]));
  }
  if (digits == 0) return fail(Errc::malformed, "missing chunk size");
  if (size > kChunkBytesMax) return fail(Errc::malformed, "chunk size too large");
  if (!is_extensions(line.substr(digits))) {
    return fail(Errc::malformed, "invalid chunk extension");
  }
  left_ = size;
  state_ = size == 0 ? State::trailer : State::data;
  return {};
}

Result<void> ChunkedDecoder::read_trailer_line(std::string_view line) {
  line.remove_suffix(1);
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  } else {
    has_bare_line_ends_ = true;
  }
  if (line.empty()) {
    state_ = State::done;
    return {};
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)) ||
      !is_field_text(line.substr(colon + 1))) {
    return fail(Errc::malformed, "invalid trailer field");
  }
  return {};
}

}  // namespace gossamer::wire
