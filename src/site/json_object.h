// Reads one JSON object of a line, one level deep (RFC 8259).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::site {

struct JsonMember {
  std::string name;
  // A text without its quotes and escapes; everything else as it stands: `12`, `null`, `[1, 2]`.
  std::string value;
  bool is_text = false;

  // Nothing if it is no whole number.
  std::optional<std::uint64_t> as_number() const;
};

// Fails with Errc::malformed. What is inside arrays and objects is not checked but for its ends.
Result<std::vector<JsonMember>> read_json_object(std::string_view line);

}  // namespace gossamer::site
