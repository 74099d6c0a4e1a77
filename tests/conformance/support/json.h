// JSON of the test vectors. Only the tests read JSON this way.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "testdata.h"

namespace gossamer::conformance {

using Json = nlohmann::json;

// The value of the `\uHHHH` that starts at `text[at]`; -1 if there is none.
inline int escaped_code_unit(std::string_view text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int unit = 0;
  for (const char c : text.substr(at + 2, 4)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

// JSON may escape lone surrogates, which UTF-8 cannot represent, so the parser would reject the
// file. Replaces them with \ufffd, as a USVString does. `count` is their number.
inline std::string without_lone_surrogates(std::string_view text, long* count = nullptr) {
  std::string out(text);
  for (std::size_t i = 0; i + 6 <= out.size(); ++i) {
    if (out[i] != '\\') continue;
    const int unit = escaped_code_unit(out, i);
    if (unit < 0xD800 || unit > 0xDFFF) {
      ++i;  // an escaped character does not start an escape
      continue;
    }
    const int next = escaped_code_unit(out, i + 6);
    if (unit < 0xDC00 && next >= 0xDC00 && next <= 0xDFFF) {
      i += 11;
      continue;
    }
    out.replace(i, 6, "\\ufffd");
    if (count != nullptr) ++*count;
    i += 5;
  }
  return out;
}

// Parses JSON; broken JSON fails the test and returns null.
inline Json parse_json(std::string_view text) {
  Json json = Json::parse(without_lone_surrogates(text), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    ADD_FAILURE() << "not JSON: " << text.substr(0, 80);
    return nullptr;
  }
  return json;
}

inline Json read_json(std::string_view relative) { return parse_json(read_testdata(relative)); }

// Calls `use(json)` for every line of a JSON Lines file.
template <class Use>
void for_each_json_line(std::string_view relative, Use use) {
  const std::string text = read_testdata(relative);
  for_each_line(text, [&](std::string_view line) { use(parse_json(line)); });
}

// The string at `key`; empty if there is none or it is null.
inline std::string string_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || !found->is_string() ? std::string() : found->get<std::string>();
}

// Decodes a string of hexadecimal digits.
inline std::string bytes_from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const std::string unit = "\\u00" + std::string(hex.substr(i, 2));
    bytes.push_back(static_cast<char>(escaped_code_unit(unit, 0)));
  }
  return bytes;
}

}  // namespace gossamer::conformance
