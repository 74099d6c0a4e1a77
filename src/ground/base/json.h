// Writes JSON: one object per line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::base {

// Appends `text` in quotes to `out`. Control characters and those that base/escape.h calls harmful
// are escaped, so that a line is safe on a terminal. Bytes that are not UTF-8 become U+FFFD,
// because JSON cannot represent them.
void append_json_string(std::string& out, std::string_view text);

// Writes an object, member by member, in the given order.
//
//   line = JsonLine().text("url", url).number("status", 200).finish();
class JsonLine {
 public:
  JsonLine& text(std::string_view name, std::string_view value);
  JsonLine& number(std::string_view name, std::uint64_t value);
  // Writes `digits` digits after the decimal point.
  JsonLine& decimal(std::string_view name, double value, int digits);
  JsonLine& boolean(std::string_view name, bool value);
  JsonLine& null(std::string_view name);
  // `json` is JSON already.
  JsonLine& raw(std::string_view name, std::string_view json);

  // Returns the object, without a line feed, and starts a new one.
  std::string finish();

 private:
  std::string out_;
};

}  // namespace gossamer::base
