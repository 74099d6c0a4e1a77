// Bytes of one encoding to UTF-8, as the WHATWG Encoding Standard says, in pieces of any size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "html/encoding/encoding.h"

namespace gossamer::html {

// What becomes of a byte order mark that belongs to the decoder's own encoding.
enum class ByteOrderMark : std::uint8_t { removed, kept };

// Never fails: what cannot be decoded becomes U+FFFD, exactly where and as often as the standard
// says. What comes out is valid UTF-8 and does not depend on how the input was cut.
//
//   Decoder decoder(Encoding::shift_jis);
//   while (...) page.append(decoder.decode(piece, scratch));
//   page.append(decoder.finish(scratch));
//
// BOUND: holds a few bytes of state and no heap memory; the output is at most three times as long
// as the input, and a few bytes.
class Decoder {
 public:
  explicit Decoder(Encoding encoding, ByteOrderMark mark = ByteOrderMark::removed) noexcept;

  // The text of the next piece, as far as it is complete. Input that is UTF-8 already (valid UTF-8,
  // or ASCII in most encodings) is not copied.
  // BORROWS: the result views `bytes` or `scratch`, whose old content is dropped.
  std::string_view decode(std::string_view bytes, std::string& scratch);

  // The end of the input: what an unfinished sequence becomes. The decoder is then as new.
  // BORROWS: the result views `scratch`.
  std::string_view finish(std::string& scratch);

  // The same two, but appending to `out`.
  void decode_to(std::string_view bytes, std::string& out);
  void finish_to(std::string& out);

  Encoding encoding() const noexcept { return encoding_; }
  // How many errors there were so far, each of which became one U+FFFD. finish() does not reset it.
  std::uint64_t errors() const noexcept { return state_.errors; }

  // What there is between two bytes. Which members mean something is up to the encoding.
  struct State {
    std::uint64_t errors = 0;
    std::uint32_t code_point = 0;        // UTF-8: as far as it is read; UTF-16: lead surrogate
    std::uint8_t bytes_needed = 0;       // UTF-8: bytes that are still to come
    std::uint8_t lower_boundary = 0x80;  // UTF-8: of the next byte
    std::uint8_t upper_boundary = 0xBF;
    std::uint8_t first = 0;  // lead byte; 0: none
    std::uint8_t second = 0;
    std::uint8_t third = 0;
    bool has_first = false;        // UTF-16, where the first byte may be 0
    bool is_jis0212 = false;       // EUC-JP
    bool has_output = false;       // ISO-2022-JP: output flag
    std::uint8_t mode = 0;         // ISO-2022-JP: decoder state; replacement: error returned
    std::uint8_t output_mode = 0;  // ISO-2022-JP: decoder output state
  };

 private:
  bool is_between_characters() const noexcept;
  std::string_view without_mark(std::string_view text) noexcept;

  Encoding encoding_;
  bool removes_mark_;
  bool expects_mark_;  // nothing has come out yet, and a mark that does is to be removed
  State state_;
};

// The whole of a document at once.
std::string decode(Encoding encoding, std::string_view bytes,
                   ByteOrderMark mark = ByteOrderMark::removed);

}  // namespace gossamer::html
