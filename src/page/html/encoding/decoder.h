// Decodes bytes of one encoding to UTF-8, as the WHATWG Encoding Standard defines it, in pieces of
// any size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "html/encoding/encoding.h"

namespace gossamer::html {

// What happens to a byte order mark of the decoder's own encoding.
enum class ByteOrderMark : std::uint8_t { removed, kept };

// Never fails: invalid input becomes U+FFFD, exactly where and as often as the standard says. The
// output is valid UTF-8 and does not depend on how the input was divided.
//
//   Decoder decoder(Encoding::shift_jis);
//   while (...) page.append(decoder.decode(piece, scratch));
//   page.append(decoder.finish(scratch));
//
// BOUND: holds a few bytes of state and no heap memory; the output is at most three times as long
// as the input, plus a few bytes.
class Decoder {
 public:
  explicit Decoder(Encoding encoding, ByteOrderMark mark = ByteOrderMark::removed) noexcept;

  // Decodes the next piece as far as it is complete. Input that is already UTF-8 (valid UTF-8, or
  // ASCII in most encodings) is not copied.
  // BORROWS: the result views `bytes` or `scratch`, whose old content is dropped.
  std::string_view decode(std::string_view bytes, std::string& scratch);

  // Ends the input and returns what an unfinished sequence becomes. The decoder can then be used
  // again.
  // BORROWS: the result views `scratch`.
  std::string_view finish(std::string& scratch);

  // The same, appended to `out`.
  void decode_to(std::string_view bytes, std::string& out);
  void finish_to(std::string& out);

  Encoding encoding() const noexcept { return encoding_; }
  // Returns how many errors there were; each became one U+FFFD. finish() does not reset it.
  std::uint64_t errors() const noexcept { return state_.errors; }

  // The state between two bytes. Which members are used depends on the encoding.
  struct State {
    std::uint64_t errors = 0;
    std::uint32_t code_point = 0;        // UTF-8: the part read so far; UTF-16: lead surrogate
    std::uint8_t bytes_needed = 0;       // UTF-8: bytes that are missing
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
  bool expects_mark_;  // there was no output yet, and a leading mark will be removed
  State state_;
};

// Decodes a whole document.
std::string decode(Encoding encoding, std::string_view bytes,
                   ByteOrderMark mark = ByteOrderMark::removed);

}  // namespace gossamer::html
