// Reads one response from the bytes of a connection, however they are cut.
//
//   ResponseParser parser(RequestKind::ordinary, limits);
//   while (true) {
//     auto step = parser.feed(input);
//     if (!step) ...                                  // close the connection
//     input = input.subspan(step->consumed);
//     if (step->kind == Step::Kind::head) head = parser.take_head();
//     if (step->kind == Step::Kind::body) use(step->body);
//     if (step->kind == Step::Kind::complete) break;  // `input` is what is left over
//     if (step->kind == Step::Kind::need_more) input = ...;  // or parser.finish() at the end
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "base/bytes.h"
#include "base/result.h"
#include "wire/chunked_decoder.h"
#include "wire/framing.h"
#include "wire/response_head.h"

namespace gossamer::wire {

// What a server may make us hold or read before it says anything of use.
struct ResponseLimits {
  std::uint32_t head_bytes_max = 300 * 1024;
  std::uint32_t line_bytes_max = 100 * 1024;
  std::uint32_t fields_max = 5000;
  // Responses of the class 1xx before the one that counts.
  std::uint32_t interim_max = 16;
  ChunkedLimits chunked = {};
};

// A head as far as it came.
struct CollectedHead {
  ResponseHead head;
  std::uint32_t line_bytes = 0;  // of the line that has not ended
  std::uint32_t lines = 0;
  bool line_begins_with_cr = false;
};

// Nothing is allocated before the first byte arrives, and after the head only for a line of chunk
// framing that came in pieces. See ResponseHead::parse, framing_of and ChunkedDecoder for what is
// accepted and what is not.
//
// Interim responses are skipped, but for 101: nobody here asks to switch protocols.
class ResponseParser {
 public:
  struct Step {
    enum class Kind : std::uint8_t {
      need_more,  // all input is consumed
      head,       // take_head() now
      body,       // a piece of it; there may be more in the rest of the input
      complete,   // the response has ended; the rest of the input is not part of it
    };
    Kind kind = Kind::need_more;
    std::size_t consumed = 0;
    Bytes body;  // BORROWS: a part of the input
  };

  // BORROWS: the limits, for as long as this lives.
  ResponseParser(RequestKind kind, const ResponseLimits& limits) noexcept
      : limits_(&limits), kind_(kind) {}

  // Goes on by one step. To be called until it says need_more or complete, also with no input
  // left: a response without a body is complete right behind its head.
  // Fails with Errc::malformed, Errc::over_limit or Errc::unsupported; the connection is then of
  // no use, and the parser may not be asked again.
  Result<Step> feed(Bytes input);

  // The peer has closed. Succeeds if that ends the response, or it had ended before; is_complete()
  // then. Fails with Errc::peer_closed if something is missing: the body so far is truncated.
  Result<void> finish();

  // REQUIRES: a step of Kind::head was the last.
  ResponseHead take_head();

  bool is_complete() const noexcept { return state_ == State::complete; }
  // Whether a byte has come. If none has and the connection ended, the request may not have been
  // seen.
  bool has_begun() const noexcept { return has_begun_; }
  // Whether the connection may carry another exchange, as far as this response says. Bytes that
  // are left over after it forbid that too, which the caller sees.
  bool is_reusable() const noexcept { return is_complete() && framing_.keeps_alive; }
  // Of the final head. REQUIRES: a step of Kind::head was given.
  const Framing& framing() const noexcept { return framing_; }
  // Bytes of a body with a known length that have not come yet.
  std::uint64_t body_bytes_left() const noexcept { return left_; }

 private:
  enum class State : std::uint8_t { head, head_given, body, complete, failed };

  Result<Step> go_on(Bytes input);
  Result<Step> feed_head(Bytes input);
  Result<Step> feed_body(Bytes input);
  Result<std::size_t> find_end(CollectedHead& collected, std::string_view input) const;
  // Takes from the input what belongs to the head. True if the head has ended there.
  Result<bool> collect(std::string_view& input);
  Result<void> end_head();
  Result<void> skip_blank_lines(std::string_view& input);
  Result<void> skip();

  const ResponseLimits* limits_;
  // One after the other, in this order; a waiting exchange holds the first, empty.
  std::variant<CollectedHead, ChunkedDecoder> stage_;
  Framing framing_;
  std::uint64_t left_ = 0;  // of Framing::Kind::length
  std::uint32_t skipped_ = 0;  // interim responses, and blank lines before a head
  RequestKind kind_;
  State state_ = State::head;
  bool has_begun_ = false;
  bool has_blank_cr_ = false;  // of a line end before the head
};

static_assert(sizeof(ResponseParser) <= 192, "it is part of every waiting exchange");

}  // namespace gossamer::wire
