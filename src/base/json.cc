#include "base/json.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <utility>

#include "base/escape.h"
#include "base/utf8.h"

namespace gossamer::base {

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    std::size_t length = 1;
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += static_cast<char>(byte);
    } else if (byte < 0x20 || byte == 0x7F) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
    } else if (byte < 0x80) {
      out += static_cast<char>(byte);
    } else if (const Utf8Sequence decoded = decode_utf8(text); decoded.length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (length = decoded.length; is_harmful(decoded.code_point)) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", std::uint32_t{decoded.code_point});
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
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
  return raw(name, fmt::format("{}", value));
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
