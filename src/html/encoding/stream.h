// Bytes of a page in, UTF-8 out: finds out the encoding on the way.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "html/encoding/decoder.h"
#include "html/encoding/sniffer.h"

namespace gossamer::html {

// Holds bytes back until the encoding is known, which for most pages is the first piece of 1024
// bytes; from then on it is a Decoder. Since nothing comes out before the encoding is certain, a
// late <meta> never makes a page start again.
//
//   DecodingStream stream({.transport = charset_of_header});
//   while (...) tokenizer.feed(stream.decode(piece, scratch));
//   tokenizer.feed(stream.finish(scratch));
//
// BOUND: holds back at most SniffOptions::bytes_max bytes.
class DecodingStream {
 public:
  explicit DecodingStream(SniffOptions options) : options_(options) {}

  // The text of the next piece, as far as it can be known.
  // BORROWS: the result views `bytes` or `scratch`, whose old content is dropped.
  std::string_view decode(std::string_view bytes, std::string& scratch);

  // The end of the input. BORROWS: the result views `scratch`.
  std::string_view finish(std::string& scratch);

  // What was found; nothing while it is still open.
  const std::optional<SniffedEncoding>& sniffed() const noexcept { return sniffed_; }
  // How many U+FFFD stand for what could not be decoded.
  std::uint64_t errors() const noexcept { return decoder_ ? decoder_->errors() : 0; }

 private:
  bool settle(std::string_view bytes, bool is_whole);

  SniffOptions options_;
  std::optional<SniffedEncoding> sniffed_;
  std::optional<Decoder> decoder_;
  std::string held_;
  std::size_t look_again_at_ = 0;  // bytes held before another look is worth it
};

}  // namespace gossamer::html
