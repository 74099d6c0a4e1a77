// Reads JSON (RFC 8259) into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::base {

struct JsonMember;

struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, number, text, array, object };

  Kind kind = Kind::null;
  // A string without its quotes and escapes; numbers, true, false and null as written.
  std::string text;
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;

  // Returns the first member of that name; nullptr if there is none, or if this is not an object.
  const JsonValue* find(std::string_view name) const noexcept;
  // Returns the text of that member, also of a number; empty if there is none.
  std::string_view text_of(std::string_view name) const noexcept;
  // Returns the value of a whole number, or of a string that contains one: indexes write lengths
  // both ways.
  std::optional<std::uint64_t> as_number() const noexcept;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

inline constexpr int kJsonDepthMax = 64;

// Fails with Errc::malformed, and with Errc::over_limit beyond the depth or 250,000 values. It is
// more lenient than RFC 8259: bytes that are not UTF-8 and control characters in strings are
// accepted, and half of a surrogate pair becomes U+FFFD.
// REQUIRES: depth_max <= kJsonDepthMax.
Result<JsonValue> parse_json(std::string_view text, int depth_max = kJsonDepthMax);

// Appends the value as JSON. A number that only parse_json() accepts ("inf", "01") becomes a
// string.
void append_json(std::string& out, const JsonValue& value);

}  // namespace gossamer::base
