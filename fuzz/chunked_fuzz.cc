// Decodes chunked bodies of any bytes: the result does not depend on how they are divided, and a
// body that was written is read back.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "wire/chunked_decoder.h"

namespace gossamer {
namespace {

constexpr wire::ChunkedLimits kLimits = {.line_bytes_max = 64, .trailer_bytes_max = 128};

struct Reading {
  std::string body;
  std::size_t consumed = 0;
  bool is_done = false;
  bool has_failed = false;
};

Reading read(std::string_view bytes, std::size_t piece) {
  Reading reading;
  wire::ChunkedDecoder decoder;
  while (reading.consumed < bytes.size() && !reading.is_done) {
    const std::string_view part = bytes.substr(reading.consumed, piece);
    const std::vector<char> block(part.begin(), part.end());
    const auto step = decoder.feed(as_bytes({block.data(), block.size()}), kLimits);
    reading.has_failed = !step;
    if (!step) break;
    CHECK(step->consumed > 0 && step->consumed <= part.size());
    reading.consumed += step->consumed;
    reading.body += as_text(step->body);
    reading.is_done = step->is_done;
  }
  return reading;
}

std::string chunked(std::string_view body, std::size_t piece) {
  std::string out;
  for (std::size_t at = 0; at < body.size(); at += piece) {
    const std::string_view part = body.substr(at, piece);
    out += fmt::format("{:X}\r\n{}\r\n", part.size(), part);
  }
  return out + "0\r\n\r\n";
}

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = 1 + data[0] % 16;
  const Reading whole = read(bytes, size);
  const Reading pieces = read(bytes, piece);
  CHECK(pieces.body == whole.body && pieces.is_done == whole.is_done);
  CHECK_EQ(pieces.has_failed, whole.has_failed);
  CHECK(whole.has_failed || pieces.consumed == whole.consumed);
  const Reading again = read(chunked(bytes, piece), size);
  CHECK(again.is_done && again.body == bytes);
  return 0;
}
