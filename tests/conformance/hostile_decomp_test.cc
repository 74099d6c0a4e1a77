// Hostile bodies for decoders: bombs, wrong lengths, truncation.

#include <array>
#include <string>
#include <vector>

#include "support/json.h"
#include "support/testdata.h"
#include "tests/support/decode_whole.h"
#include "wire/content_coding.h"
#include "wire/content_decoder.h"

namespace gossamer::conformance {
namespace {

constexpr std::uint64_t kBytesMax = 16 * 1024 * 1024;
constexpr wire::DecodeLimits kLimits = {.bytes_max = kBytesMax};

wire::DecodedBody decode_in_pieces(std::span<const wire::ContentCoding> codings,
                                   std::string_view body, std::size_t piece_bytes) {
  wire::DecodedBody decoded;
  wire::ContentDecoder decoder(codings, kLimits);
  std::array<std::byte, 5000> scratch;
  for (std::size_t at = 0; at < body.size(); at += piece_bytes) {
    const ExactBlock piece(body.substr(at, piece_bytes));
    Bytes input = as_bytes(piece.view());
    std::size_t produced = scratch.size();
    while (produced == scratch.size() && !decoder.has_stopped()) {
      const auto step = decoder.decode(input, scratch);
      input = input.subspan(step.consumed);
      produced = step.produced;
      decoded.bytes += as_text(Bytes(scratch).first(produced));
    }
  }
  decoded.end = decoder.finish();
  return decoded;
}

bool passes(const Json& row, const wire::DecodedBody& decoded) {
  if (row.contains("expect_body")) {
    return decoded.end == wire::DecodeEnd::complete &&
           decoded.bytes == string_at(row, "expect_body");
  }
  if (row.contains("inflated_bytes") && row["inflated_bytes"] > kBytesMax) {
    return decoded.end != wire::DecodeEnd::complete && decoded.bytes.size() <= kBytesMax;
  }
  if (row.contains("inflated_bytes")) return decoded.bytes.size() == row["inflated_bytes"];
  return decoded.end != wire::DecodeEnd::complete && decoded.bytes.size() <= kBytesMax;
}

TEST(HostileDecompressionSuite, StopsAtTheLimitAndKeepsWhatThereWas) {
  NEEDS_TESTDATA("hostile/manifest.json");
  Score score("hostile/decomp");
  for (const Json& row : read_json("hostile/manifest.json")) {
    const std::string file = string_at(row, "file");
    if (!file.starts_with("decomp/")) continue;
    const std::string body = read_testdata("hostile/" + file);
    const std::string header = string_at(row, "content_encoding");
    const std::vector<std::string_view> values = {header};
    const auto codings = wire::parse_content_codings(values);
    if (!codings) {
      score.count(codings.error() == Errc::over_limit, [&] { return row.dump(); });
      continue;
    }
    wire::WholeDecoder decoder;
    const ExactBlock block(body);
    const wire::DecodedBody whole =
        decode_whole(decoder, *codings, as_bytes(block.view()), kLimits);
    const std::size_t piece_bytes = body.size() < 10'000 ? 1 : 1000;
    const wire::DecodedBody pieces = decode_in_pieces(*codings, body, piece_bytes);
    const bool is_same = pieces.bytes == whole.bytes && pieces.end == whole.end;
    score.count(is_same && passes(row, whole), [&] {
      return fmt::format("{}: {} bytes, {}; in pieces {} bytes, {}", row.dump(), whole.bytes.size(),
                         wire::name(whole.end), pieces.bytes.size(), wire::name(pieces.end));
    });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
