#include "html/encoding/stream.h"

#include <algorithm>

namespace gossamer::html {
namespace {

// Byte order marks and the like appear within this many bytes, so each of these bytes triggers a
// check.
constexpr std::size_t kSignatureBytes = 16;
// After that a prescan is needed. It is repeated only when the text has doubled: data that arrives
// byte by byte must not cost the square of its length.
constexpr std::size_t kPrescanBytes = 1024;

}  // namespace

bool DecodingStream::settle(std::string_view bytes, bool is_whole) {
  sniffed_ = sniff_encoding(bytes, options_, is_whole);
  if (sniffed_) {
    decoder_.emplace(sniffed_->encoding);
    return true;
  }
  look_again_at_ = bytes.size() < kSignatureBytes ? bytes.size() + 1
                   : bytes.size() < kPrescanBytes ? kPrescanBytes
                                                  : std::min(2 * bytes.size(), options_.bytes_max);
  return false;
}

std::string_view DecodingStream::decode(std::string_view bytes, std::string& scratch) {
  if (decoder_) return decoder_->decode(bytes, scratch);
  if (held_.empty() && settle(bytes, /*is_whole=*/false)) return decoder_->decode(bytes, scratch);

  const bool is_first = held_.empty();
  held_.append(bytes);
  scratch.clear();
  if (is_first || held_.size() < look_again_at_ || !settle(held_, /*is_whole=*/false)) return {};
  decoder_->decode_to(held_, scratch);
  held_ = {};
  return scratch;
}

std::string_view DecodingStream::finish(std::string& scratch) {
  scratch.clear();
  if (!decoder_) {
    settle(held_, /*is_whole=*/true);
    decoder_->decode_to(held_, scratch);
    held_ = {};
  }
  decoder_->finish_to(scratch);
  return scratch;
}

}  // namespace gossamer::html
