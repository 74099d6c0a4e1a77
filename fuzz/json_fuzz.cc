// JSON of any bytes is read within bounds, and the value is the same when it is written and read
// again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/json_value.h"

namespace gossamer {
namespace {

using base::JsonValue;

std::string written(const JsonValue& value) {
  std::string out;
  base::append_json(out, value);
  return out;
}

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const auto value = base::parse_json({reinterpret_cast<const char*>(data), size});
  if (!value) {
    CHECK(value.error().code() == Errc::malformed || value.error().code() == Errc::over_limit);
    return 0;
  }
  // After the first writing, bytes that are not UTF-8 have become U+FFFD.
  const std::string once = written(*value);
  const auto again = base::parse_json(once);
  CHECK(again.has_value());
  CHECK(written(*again) == once);
  return 0;
}
