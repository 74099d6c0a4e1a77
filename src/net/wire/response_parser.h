// Reads one response from the bytes of a connection, however they are divided.
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

// How much a server can make us hold or read before it sends a useful response.
struct ResponseLimits {
  std::uint32_t head_bytes_max = 300 * 1024;
  std::uint32_t line_bytes_max = 100 * 1024;
  std::uint32_t fields_max = 5000;
  // Number of 1xx responses before the final one.
  std::uint32_t interim_max = 16;
  ChunkedLimits chunked = {};
};

// The part of a head that has arrived.
struct CollectedHead {
  ResponseHead head;
  std::uint32_t line_bytes = 0;  // of the unfinished line
  std::uint32_t lines = 0;
  bool line_begins_with_cr = false;
};

// Allocates nothing before the first byte arrives, and after the head only for a line of chunk
// framing that arrives in pieces. ResponseHead::parse, framing_of and ChunkedDecoder say what is
// accepted.
//
// Interim responses are skipped, except 101: we never request a switch of protocols.
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

  // Takes one step. Call it until it returns need_more or complete, even with no input left: a
  // response without a body is complete directly after its head.
  // Fails with Errc::malformed, Errc::over_limit or Errc::unsupported. The connection is then
  // unusable, and the parser must not be called again.
  Result<Step> feed(Bytes input);

  // Call it when the peer has closed. Succeeds if that ends the response, or if it had ended
  // before; is_complete() is then true. Fails with Errc::peer_closed if something is missing: the
  // body so far is truncated.
  Result<void> finish();

  // REQUIRES: the last step was Kind::head.
  ResponseHead take_head();

  bool is_complete() const noexcept { return state_ == State::complete; }
  // Returns whether a byte has arrived. If the connection ended before that, the server might not
  // have seen the request.
  bool has_begun() const noexcept { return has_begun_; }
  // Returns whether the connection can carry another exchange, judging by this response. The caller
  // must also check that no bytes are left over.
  bool is_reusable() const noexcept { return is_complete() && framing_.keeps_alive; }
  // The framing of the final head. REQUIRES: a step of Kind::head was returned.
  const Framing& framing() const noexcept { return framing_; }

 private:
  enum class State : std::uint8_t { head, head_given, body, complete, failed };

  Result<Step> go_on(Bytes input);
  Result<Step> feed_head(Bytes input);
  Result<Step> feed_body(Bytes input);
  Result<std::size_t> find_end(CollectedHead& collected, std::string_view input) const;
  // Takes the bytes of the head from the input. Returns true if the head ends there.
  Result<bool> collect(std::string_view& input);
  Result<void> end_head();
  Result<void> skip_blank_lines(std::string_view& input);
  Result<void> skip();

  const ResponseLimits* limits_;
  // The stages follow each other in this order; a waiting exchange holds the first one, empty.
  std::variant<CollectedHead, ChunkedDecoder> stage_;
  Framing framing_;
  std::uint64_t left_ = 0;     // for Framing::Kind::length
  std::uint32_t skipped_ = 0;  // interim responses, and blank lines before a head
  RequestKind kind_;
  State state_ = State::head;
  bool has_begun_ = false;
  bool has_blank_cr_ = false;  // of a line end before the head
};

static_assert(sizeof(ResponseParser) <= 192, "it is part of every waiting exchange");

}  // namespace gossamer::wire
