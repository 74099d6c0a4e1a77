#include "html/encoding/stream.h"

#include <algorithm>
#include <utility>

#include "html/encoding/utf8.h"

namespace gossamer::html {
namespace {

// Byte order marks and the like appear within this many bytes, so each of these bytes triggers a
// check.
constexpr std::size_t kSignatureBytes = 16;
// After that a prescan is needed. It is repeated only when the text has doubled: data that arrives
// byte by byte must not cost the square of its length.
constexpr std::size_t kPrescanBytes = 1024;

}  // namespace

bool DecodingStream::find_declaration(std::string_view bytes, bool is_whole) {
  sniffed_ = sniff_declared_encoding(bytes, options_, is_whole);
  if (sniffed_) {
    if (!content_decides(*sniffed_, options_)) decoder_.emplace(sniffed_->encoding);
    return true;
  }
  look_again_at_ = bytes.size() < kSignatureBytes ? bytes.size() + 1
                   : bytes.size() < kPrescanBytes ? kPrescanBytes
                                                  : std::min(2 * bytes.size(), options_.bytes_max);
  return false;
}

void DecodingStream::decide_by_content(std::string& out) {
  if (begins_as_utf8(held_)) sniffed_ = {Encoding::utf_8, EncodingSource::content};
  // A byte order mark at the beginning of the document would have decided before.
  decoder_.emplace(sniffed_->encoding, ByteOrderMark::kept);
  decoder_->decode_to(std::exchange(held_, {}), out);
}

void DecodingStream::pass_undeclared(std::string_view bytes, std::string& out) {
  if (held_.empty()) {
    const std::size_t ascii = ascii_prefix(bytes);
    out.append(bytes.substr(0, ascii));
    bytes.remove_prefix(ascii);
  }
  held_.append(bytes);
  if (held_.size() >= kDecisiveBytes) decide_by_content(out);
}

void DecodingStream::pass(std::string_view bytes, std::string& out) {
  if (decoder_) return decoder_->decode_to(bytes, out);
  pass_undeclared(bytes, out);
}

std::string_view DecodingStream::decode(std::string_view bytes, std::string& scratch) {
  if (decoder_) return decoder_->decode(bytes, scratch);
  if (!sniffed_) {
    const bool is_first = held_.empty();
    if (is_first && find_declaration(bytes, /*is_whole=*/false)) return decode(bytes, scratch);
    held_.append(bytes);
    scratch.clear();
    if (is_first || held_.size() < look_again_at_) return {};
    if (find_declaration(held_, /*is_whole=*/false)) pass(std::exchange(held_, {}), scratch);
    return scratch;
  }
  if (held_.empty() && ascii_prefix(bytes) == bytes.size()) return bytes;
  scratch.clear();
  pass_undeclared(bytes, scratch);
  return scratch;
}

std::string_view DecodingStream::finish(std::string& scratch) {
  scratch.clear();
  if (!sniffed_) {
    find_declaration(held_, /*is_whole=*/true);
    pass(std::exchange(held_, {}), scratch);
  }
  if (!decoder_) decide_by_content(scratch);
  decoder_->finish_to(scratch);
  return scratch;
}

}  // namespace gossamer::html
