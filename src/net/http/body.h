#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"
#include "http/response.h"
#include "wire/content_decoder.h"
#include "wire/whole_decoder.h"

namespace gossamer::http {

// Returns the codings of a response body. A body with an unknown coding is left as received.
std::vector<wire::ContentCoding> codings_of(const wire::ResponseHead& head);

// Reads the body of a response and decodes its content codings, piece by piece and within bounds.
class BodyReader {
 public:
  // BORROWS: the response, for as long as it lives.
  explicit BodyReader(Response& response, const wire::DecodeLimits& limits = {});
  // The same, but a small encoded body is collected and returned as one piece if `whole` can decode
  // it, which takes a third of the time. The received bytes, still encoded, are also appended to
  // `as_it_came`, if it is not null. BORROWS: all.
  BodyReader(Response& response, const wire::DecodeLimits& limits, wire::WholeDecoder& whole,
             std::string* as_it_came = nullptr);

  // Returns the next piece; empty at the end. Fails as Response::next() does, with Errc::over_limit
  // if the decoded body reaches its bound, and with Errc::malformed if it is damaged; earlier
  // pieces are valid. Any number of pieces can be ready, and they can be as small as a byte, so it
  // yields to other tasks every kStepWork. BORROWS: the reader; the bytes are valid until the next
  // call.
  async::Task<Result<Bytes>> next() { return decoder_ ? next_decoded() : next_uncoded(); }
  // Makes sure that no lent buffer is held, so that the caller may wait. REQUIRES: the last piece
  // was used.
  void hold();
  // The memory that it takes now, with the windows of its decoders; and what next() may add.
  std::size_t bytes_held() const noexcept;
  std::size_t bytes_next_max() const noexcept;
  // Collects nothing, which takes less memory.
  void decode_in_pieces() noexcept { whole_ = nullptr; }
  // From now on, the decoded body may be this large. REQUIRES: the bound was not reached yet.
  void raise_limit(std::uint64_t bytes_max);

 private:
  static constexpr std::size_t kBufferBytes = 64 * 1024;
  // BOUND: the work in one step. Each piece counts its bytes and kPieceWork.
  static constexpr std::size_t kStepWork = 512 * 1024;
  static constexpr std::size_t kPieceWork = 128;
  // BOUND: bytes collected to be decoded as a whole; about what decoding in pieces needs.
  static constexpr std::size_t kCollectedBytesMax = 128 * 1024;
  // BOUND: bytes decoded as a whole.
  static constexpr std::size_t kWholeBytesMax = 512 * 1024;

  async::Task<Result<Bytes>> next_decoded();
  async::Task<Result<Bytes>> next_uncoded();
  async::Task<Result<Bytes>> receive();
  async::Task<bool> decode_whole();
  // Counts a piece. Returns true if it is time to yield.
  bool ends_step(const Result<Bytes>& piece) noexcept;

  Response& response_;
  wire::DecodeLimits limits_;
  std::uint64_t bytes_left_;  // of an unencoded body
  std::vector<wire::ContentCoding> codings_;
  std::optional<wire::ContentDecoder> decoder_;  // nothing: the body is not encoded
  wire::WholeDecoder* whole_ = nullptr;          // nullptr: finished, or not requested
  std::string collected_;                        // encoded, and then decoded
  std::string held_;                             // by hold()
  std::optional<Result<void>> ended_;            // how the response ended, while it was collected
  std::vector<std::byte> buffer_;
  Bytes rest_;                         // received, not decoded
  std::string* as_it_came_ = nullptr;  // nullptr: not requested
  std::size_t step_work_ = 0;          // since the last yield
  bool may_have_more_ = false;
  bool is_over_bound_ = false;
};

// BOUND: the default limit of decoded bytes; a growing string takes three times that.
inline constexpr std::uint64_t kWholeBodyBytesMax = 16 * 1024 * 1024;

struct WholeBody {
  std::string bytes;  // decoded, possibly only a part
  // Why it is incomplete: the codes of Response::next() and BodyReader::next().
  std::optional<Error> trouble;
};

// Reads the body to its end, or to the first failure. A small, complete body is decoded as a whole,
// which is cheaper. Appends the received bytes to `as_it_came`, if it is not null. BORROWS: the
// response, the decoder and that string.
async::Task<WholeBody> read_whole(Response& response, wire::WholeDecoder& decoder,
                                  wire::DecodeLimits limits = {.bytes_max = kWholeBodyBytesMax},
                                  std::string* as_it_came = nullptr);

}  // namespace gossamer::http
