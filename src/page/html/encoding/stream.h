// Decodes the bytes of a page to UTF-8 and determines the encoding on the way.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "html/encoding/decoder.h"
#include "html/encoding/sniffer.h"

namespace gossamer::html {

// Holds bytes back until a declaration is found or ruled out, usually after the first 1024 bytes.
// Where none is found, ASCII passes; the first other byte and those behind it are held back until
// they tell whether the text is UTF-8. From then on it is a Decoder. Nothing is returned before its
// characters are certain, so a late <meta> never restarts a page.
//
//   DecodingStream stream({.transport = charset_of_header});
//   while (...) tokenizer.feed(stream.decode(piece, scratch));
//   tokenizer.feed(stream.finish(scratch));
//
// BOUND: holds back at most SniffOptions::bytes_max bytes, or kDecisiveBytes if that is more.
class DecodingStream {
 public:
  explicit DecodingStream(SniffOptions options) : options_(options) {}

  // Returns the text of the next piece as far as it is known.
  // BORROWS: the result views `bytes` or `scratch`, whose old content is dropped.
  std::string_view decode(std::string_view bytes, std::string& scratch);

  // Ends the input. BORROWS: the result views `scratch`.
  std::string_view finish(std::string& scratch);

  // Returns the encoding; nothing while a declaration may follow. While the content can still
  // decide, it is the fallback.
  const std::optional<SniffedEncoding>& sniffed() const noexcept { return sniffed_; }
  // Returns how many U+FFFD replace invalid input.
  std::uint64_t errors() const noexcept { return decoder_ ? decoder_->errors() : 0; }

 private:
  // Looks for a declaration in what has come so far. Returns whether that is decided.
  bool find_declaration(std::string_view bytes, bool is_whole);
  // Decodes what follows, once no declaration can. Appends to `out`.
  void pass(std::string_view bytes, std::string& out);
  // Passes ASCII and decides at the first other bytes.
  void pass_undeclared(std::string_view bytes, std::string& out);
  void decide_by_content(std::string& out);

  SniffOptions options_;
  std::optional<SniffedEncoding> sniffed_;
  std::optional<Decoder> decoder_;
  std::string held_;
  std::size_t look_again_at_ = 0;  // bytes to hold before the next check
};

}  // namespace gossamer::html
