// The chunked transfer coding: RFC 9112 section 7.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::wire {

struct ChunkedLimits {
  std::uint32_t line_bytes_max = 4096;     // a size and its extensions
  std::uint32_t trailer_bytes_max = 4096;  // all trailer fields together
};

// Never blocks, and holds at most one line of framing.
//
// Extensions and trailer fields are checked and dropped, because nothing in them can be trusted.
// Lines of the framing must end with CRLF; those of the trailer, which frame nothing, may end with
// a bare LF.
class ChunkedDecoder {
 public:
  struct Step {
    std::size_t consumed = 0;
    Bytes body;  // BORROWS: a part of the input
    bool is_done = false;
  };

  // Reads the next bytes of the connection, up to the end of a piece of body, of the input or of
  // the message. Fails with Errc::malformed or Errc::over_limit, and must not be called again then.
  Result<Step> feed(Bytes input, const ChunkedLimits& limits);

  bool is_done() const noexcept { return state_ == State::done; }
  // Returns whether a trailer line ended with a bare LF.
  bool has_bare_line_ends() const noexcept { return has_bare_line_ends_; }

 private:
  enum class State : std::uint8_t { size_line, data, data_cr, data_lf, trailer, done };

  // Takes a line from the input; empty if it has not ended yet. line_ holds its beginning.
  Result<std::string_view> take_line(Bytes& input, std::size_t bytes_max);
  Result<void> read_size_line(std::string_view line);
  Result<void> read_trailer_line(std::string_view line);
  Result<void> expect(Bytes& input, char wanted, State then);

  std::string line_;        // the beginning of a line whose end has not arrived
  std::uint64_t left_ = 0;  // bytes left of the chunk
  std::uint32_t trailer_bytes_ = 0;
  State state_ = State::size_line;
  bool has_bare_line_ends_ = false;
};

}  // namespace gossamer::wire
