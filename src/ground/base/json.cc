#include "base/json.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/escape.h"
#include "base/utf8.h"

namespace gossamer::base {
namespace {

constexpr auto kIsPlainInJson = [] {
  std::array<bool, 256> is_plain = {};
  for (std::size_t byte = 0x20; byte < 0x7F; ++byte) is_plain[byte] = true;
  is_plain['"'] = is_plain['\\'] = false;
  return is_plain;
}();

// Returns whether some of eight bytes need an escape: those below space, above ~, " and \. A bit of
// each byte, the highest, is the answer for it.
bool has_escape(std::uint64_t word) noexcept {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kTops = 0x80 * kOnes;
  const auto has_zero = [](std::uint64_t bytes) { return (bytes - kOnes) & ~bytes & kTops; };
  const std::uint64_t low = (word - 0x20 * kOnes) & ~word;
  return ((low | (word + kOnes) | word) & kTops) != 0 || has_zero(word ^ '"' * kOnes) != 0 ||
         has_zero(word ^ '\\' * kOnes) != 0;
}

// Returns how many bytes at the beginning need no escape.
std::size_t plain_json_bytes(std::string_view text) noexcept {
  std::size_t count = 0;
  for (std::uint64_t word = 0; text.size() - count >= sizeof(word); count += sizeof(word)) {
    std::memcpy(&word, text.data() + count, sizeof(word));
    if (has_escape(word)) break;
  }
  while (count < text.size() && kIsPlainInJson[static_cast<unsigned char>(text[count])]) ++count;
  return count;
}

// Appends the first character, which needs an escape. Returns how many bytes it has.
std::size_t append_json_escape(std::string& out, std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte == '"' || byte == '\\') {
    out += '\\';
    out += static_cast<char>(byte);
    return 1;
  }
  if (byte < 0x80) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    out.append("\\u00").push_back(kDigits[byte >> 4]);
    out.push_back(kDigits[byte & 15]);
    return 1;
  }
  const Utf8Sequence decoded = decode_utf8(text);
  if (decoded.length == 0) {
    out += "\xEF\xBF\xBD";
    return 1;
  }
  if (is_harmful(decoded.code_point)) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", std::uint32_t{decoded.code_point});
  } else {
    out += text.substr(0, decoded.length);
  }
  return decoded.length;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (;;) {
    const std::size_t plain = plain_json_bytes(text);
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    text.remove_prefix(append_json_escape(out, text));
  }
  out += '"';
}

JsonLine& JsonLine::raw(std::string_view name, std::string_view json) {
  out_ += out_.empty() ? "{" : ", ";
  append_json_string(out_, name);
  out_ += ": ";
  out_ += json;
  return *this;
}

JsonLine& JsonLine::text(std::string_view name, std::string_view value) {
  raw(name, {});
  append_json_string(out_, value);
  return *this;
}

JsonLine& JsonLine::number(std::string_view name, std::uint64_t value) {
  const fmt::format_int digits(value);
  return raw(name, std::string_view(digits.data(), digits.size()));
}

JsonLine& JsonLine::decimal(std::string_view name, double value, int digits) {
  return raw(name, fmt::format("{:.{}f}", value, digits));
}

JsonLine& JsonLine::boolean(std::string_view name, bool value) {
  return raw(name, value ? "true" : "false");
}

JsonLine& JsonLine::null(std::string_view name) { return raw(name, "null"); }

std::string JsonLine::finish() {
  if (out_.empty()) out_ = "{";
  return std::exchange(out_, std::string()) + "}";
}

}  // namespace gossamer::base
