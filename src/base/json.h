// JSON as we write it: one object per line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::base {

// `text` in quotes, at the end of `out`. Control characters and what base/escape.h calls harmful
// are escaped, so that a line is safe on a terminal; bytes that are not UTF-8 become U+FFFD,
// because JSON has no other way to say it.
void append_json_string(std::string& out, std::string_view text);

// An object, member by member, in the order they are given.
//
//   line = JsonLine().text("url", url).number("status", 200).finish();
class JsonLine {
 public:
  JsonLine& text(std::string_view name, std::string_view value);
  JsonLine& number(std::string_view name, std::uint64_t value);
  // With so many digits behind the point.
  JsonLine& decimal(std::string_view name, double value, int digits);
  JsonLine& boolean(std::string_view name, bool value);
  JsonLine& null(std::string_view name);
  // `json` is JSON already.
  JsonLine& raw(std::string_view name, std::string_view json);

  // The object, without a line feed. The writer begins anew.
  std::string finish();

 private:
  std::string out_;
};

}  // namespace gossamer::base
