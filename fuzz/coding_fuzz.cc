// Decodes bodies of any bytes under any codings: the output stays within the limit, does not depend
// on how they are divided, and is the same for the fast and the slow decoder.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "tests/support/decode_whole.h"
#include "wire/content_decoder.h"

namespace gossamer {
namespace {

// Without a limit on the ratio, which depends on how far a library reads ahead.
constexpr wire::DecodeLimits kLimits = {.bytes_max = 1 << 16, .ratio_max = 1 << 20};

wire::DecodedBody read(const std::vector<wire::ContentCoding>& codings, std::string_view bytes,
                       std::size_t piece, std::size_t out_bytes) {
  wire::DecodedBody decoded;
  wire::ContentDecoder decoder(codings, kLimits);
  std::vector<std::byte> out(out_bytes);
  for (std::size_t at = 0; at < bytes.size() && !decoder.has_stopped(); at += piece) {
    const std::string_view part = bytes.substr(at, piece);
    const std::vector<char> block(part.begin(), part.end());
    Bytes input = as_bytes({block.data(), block.size()});
    bool is_full = true;
    while (is_full && !decoder.has_stopped()) {
      const auto step = decoder.decode(input, out);
      CHECK(step.consumed <= input.size() && step.produced <= out.size());
      input = input.subspan(step.consumed);
      decoded.bytes += as_text(Bytes(out).first(step.produced));
      is_full = step.produced == out.size();
    }
    CHECK(input.empty());
  }
  CHECK_EQ(decoder.decoded_bytes(), decoded.bytes.size());
  decoded.end = decoder.finish();
  return decoded;
}

}  // namespace
}  // namespace gossamer

// The first byte: the number of codings and how the rest is divided; then one byte per coding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size == 0) return 0;
  const std::size_t count = std::min<std::size_t>(data[0] % 4, size - 1);
  std::vector<wire::ContentCoding> codings;
  for (std::size_t i = 1; i <= count; ++i) {
    codings.push_back(static_cast<wire::ContentCoding>(data[i] % 4));
  }
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1 + count, size - 1 - count);
  wire::WholeDecoder decoder;
  const wire::DecodedBody whole = decode_whole(decoder, codings, as_bytes(bytes), kLimits);
  CHECK_LE(whole.bytes.size(), kLimits.bytes_max);
  const wire::DecodedBody pieces = read(codings, bytes, 1 + data[0] / 4 % 8, 100);
  const bool is_damaged =
      whole.end == wire::DecodeEnd::damaged || pieces.end == wire::DecodeEnd::damaged;
  if (!is_damaged) {
    CHECK(pieces.bytes == whole.bytes);
    CHECK(pieces.end == whole.end);
  } else if (count == 1) {
    // How much is decoded before the damage is detected depends on the library, and libdeflate
    // accepts codes that zlib rejects.
    CHECK(pieces.bytes.starts_with(whole.bytes) || whole.bytes.starts_with(pieces.bytes));
  }
  return 0;
}
