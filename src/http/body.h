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

// The codings of an answer's body. A coding that we do not know leaves the body as it came.
std::vector<wire::ContentCoding> codings_of(const wire::ResponseHead& head);

// Reads the body of an answer with its content codings undone, piece by piece and within bounds.
class BodyReader {
 public:
  // BORROWS: the response, for as long as it lives.
  explicit BodyReader(Response& response, const wire::DecodeLimits& limits = {});
  // The same, but a coded body that is small is collected and given as one piece if `whole` can
  // decode it in one go, which takes a third of the time. What is read is also appended to
  // `as_it_came`, if there is one, with its content codings. BORROWS: all.
  BodyReader(Response& response, const wire::DecodeLimits& limits, wire::WholeDecoder& whole,
             std::string* as_it_came = nullptr);

  // The next piece; empty at the end. Fails as Response::next() does, and with Errc::over_limit
  // when the decoded body hits its bound, Errc::malformed when it is damaged; what was given before
  // is good. Pieces may lie ready in any number and be as small as a byte, so others have their
  // turn every kStepWork. BORROWS: the reader; the bytes are good until the next call.
  async::Task<Result<Bytes>> next() { return decoder_ ? next_decoded() : next_uncoded(); }

 private:
  static constexpr std::size_t kBufferBytes = 64 * 1024;
  // BOUND: of what comes in one step. Each piece counts its bytes and kPieceWork.
  static constexpr std::size_t kStepWork = 512 * 1024;
  static constexpr std::size_t kPieceWork = 128;
  // BOUND: of what is collected to be decoded in one go; about what decoding in pieces takes.
  static constexpr std::size_t kCollectedBytesMax = 128 * 1024;

  async::Task<Result<Bytes>> next_decoded();
  async::Task<Result<Bytes>> next_uncoded();
  async::Task<Result<Bytes>> receive();
  async::Task<bool> decode_whole();
  // Counts a piece. True: it is time for others.
  bool ends_step(const Result<Bytes>& piece) noexcept;

  Response& response_;
  wire::DecodeLimits limits_;
  std::uint64_t bytes_left_;  // of a body that is not coded
  std::vector<wire::ContentCoding> codings_;
  std::optional<wire::ContentDecoder> decoder_;  // nothing: the body is not coded
  wire::WholeDecoder* whole_ = nullptr;          // nullptr: that is over, or nobody wants it
  std::string collected_;                        // coded, and then decoded
  std::optional<Result<void>> ended_;            // the response, while it was collected
  std::vector<std::byte> buffer_;
  Bytes rest_;                         // received, not decoded
  std::string* as_it_came_ = nullptr;  // nullptr: nobody wants that
  std::size_t step_work_ = 0;          // since others had their turn
  bool may_have_more_ = false;
  bool is_over_bound_ = false;
};

// BOUND: of the decoded bytes, unless told otherwise; a string that grows takes three times that.
inline constexpr std::uint64_t kWholeBodyBytesMax = 16 * 1024 * 1024;

struct WholeBody {
  std::string bytes;  // decoded, or as far as that went
  // Why it is not whole: the codes of Response::next() and BodyReader::next().
  std::optional<Error> trouble;
};

// Reads it to its end, or to the first trouble. A body that is small and came whole is decoded in
// one go, which is cheaper. Appends the body as it came to `as_it_came`, if there is one. BORROWS:
// the response, the decoder and that.
async::Task<WholeBody> read_whole(Response& response, wire::WholeDecoder& decoder,
                                  wire::DecodeLimits limits = {.bytes_max = kWholeBodyBytesMax},
                                  std::string* as_it_came = nullptr);

}  // namespace gossamer::http
