// JSON that others or we wrote (RFC 8259), read whole.
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
  // A text without its quotes and escapes; numbers, true, false and null as they stand.
  std::string text;
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;

  // The first member of that name; nullptr if there is none, or this is no object.
  const JsonValue* find(std::string_view name) const noexcept;
  // The text of that member, also of a number; empty if there is none.
  std::string_view text_of(std::string_view name) const noexcept;
  // Of a whole number, or a text that is one: indexes write lengths both ways.
  std::optional<std::uint64_t> as_number() const noexcept;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

// Fails with Errc::malformed, and with Errc::over_limit beyond a depth of 64 or 250,000 values.
// More lenient than RFC 8259: bytes that are not UTF-8 and control characters in texts pass as they
// are, and half of a surrogate pair becomes U+FFFD.
Result<JsonValue> parse_json(std::string_view text);

}  // namespace gossamer::base
