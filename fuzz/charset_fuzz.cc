// Sniffs and decodes any bytes: the output is valid UTF-8 and does not depend on how they are
// divided.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "html/encoding/decoder.h"
#include "html/encoding/encoder.h"
#include "html/encoding/encoding.h"
#include "html/encoding/stream.h"
#include "html/encoding/utf8.h"

namespace gossamer {
namespace {

std::string decode_in_pieces(html::Encoding encoding, std::string_view bytes, std::size_t piece) {
  html::Decoder decoder(encoding);
  std::string text, scratch;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    text += decoder.decode(bytes.substr(at, piece), scratch);
  }
  return text += decoder.finish(scratch);
}

void check_decoder(html::Encoding encoding, std::string_view bytes, std::size_t piece) {
  const std::string whole = html::decode(encoding, bytes);
  CHECK_EQ(html::valid_utf8_prefix(whole), whole.size());
  CHECK(decode_in_pieces(encoding, bytes, piece) == whole);
  html::encode(encoding, whole);
}

struct Reading {
  std::string text;
  html::Encoding encoding;
};

Reading read(std::string_view bytes, std::size_t piece, const html::SniffOptions& options) {
  html::DecodingStream stream(options);
  std::string text, scratch;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    text += stream.decode(bytes.substr(at, piece), scratch);
  }
  text += stream.finish(scratch);
  return {text, stream.sniffed()->encoding};
}

void check_stream(std::string_view bytes, std::size_t piece, html::DocumentKind kind) {
  const html::SniffOptions options = {.kind = kind, .bytes_max = 4096};
  const Reading whole = read(bytes, bytes.size() + 1, options);
  const Reading cut = read(bytes, piece, options);
  CHECK(whole.encoding == cut.encoding);
  CHECK(whole.text == cut.text);
  CHECK_EQ(html::valid_utf8_prefix(whole.text), whole.text.size());
}

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t piece = 1 + data[1] % 64;
  html::encoding_from_label(bytes);
  html::encoding_from_meta_content(bytes);
  check_decoder(static_cast<html::Encoding>(data[0] % html::kEncodingCount), bytes, piece);
  check_stream(bytes, piece, static_cast<html::DocumentKind>(data[1] >> 6));
  return 0;
}
