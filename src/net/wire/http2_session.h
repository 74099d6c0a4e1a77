// The client's side of an HTTP/2 connection (RFC 9113) without the socket: bytes in, events out;
// requests in, bytes out. No nghttp2 in this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/bytes.h"
#include "base/result.h"
#include "wire/request_writer.h"
#include "wire/response_head.h"
#include "wire/response_parser.h"

struct nghttp2_session;

namespace gossamer::wire {

// How a stream ended.
enum class Http2End : std::uint8_t {
  complete,        // the server ended the response: END_STREAM
  unprocessed,     // the server did not process the request, so any method can be repeated
  http1_required,  // the server wants the request over HTTP/1.1
  failed,
};

// Receives the response of one stream. The calls come from inside Http2Session::receive(),
// output() and fail(), and must not call the session.
class Http2Reader {
 public:
  // The request has left the queue in which it waits while the server accepts no more streams.
  virtual void on_sent(std::size_t bytes) = 0;
  // A frame of the response: its bytes on the connection.
  virtual void on_frame(std::size_t bytes) = 0;
  // The first fields of the response have arrived.
  virtual void on_begin() = 0;
  // The final head, in the syntax of HTTP/1.1 and without a reason.
  virtual void on_head(ResponseHead head) = 0;
  // A piece of the body. BORROWS: for the call. Return the bytes with Http2Session::consume().
  virtual void on_body(Bytes piece) = 0;
  // The last call. The error is set unless the response is complete.
  virtual void on_end(Http2End end, std::optional<Error> error) = 0;

 protected:
  ~Http2Reader() = default;
};

struct Http2Limits {
  // Fields of one head, as the sum of names, values and 4 bytes each; trailers are part of it.
  ResponseLimits response;
  // BOUND: the bytes of one stream that its reader has not consumed.
  std::uint32_t stream_window = 128 * 1024;
  // Given back when bytes arrive, so that an unread stream does not stop the others.
  std::uint32_t connection_window = 4 * 1024 * 1024;
  // Frames in a row that bring neither fields nor a byte of a body.
  std::uint32_t idle_frames_max = 1000;
  // The same in bytes, because nghttp2 does not count frames of unknown types.
  std::size_t idle_bytes_max = 16 * 1024 * 1024;
};

// Codes of RST_STREAM and GOAWAY: "REFUSED_STREAM", ...
std::string_view http2_code_name(std::uint32_t code) noexcept;

// One connection. After every call, successful or not, output() must be sent.
//
// A malformed response fails its stream; a violation of the framing fails the connection.
class Http2Session {
 public:
  // BORROWS: the limits, for as long as it lives.
  explicit Http2Session(const Http2Limits& limits);
  ~Http2Session();
  Http2Session(const Http2Session&) = delete;
  Http2Session& operator=(const Http2Session&) = delete;

  // Queues a request and returns its stream. It waits in the queue while the server accepts no more
  // concurrent streams. REQUIRES: accepts_requests(), and write_request() accepts `head`.
  // BORROWS: the head for the call; the body and the reader until on_end() or cancel().
  std::int32_t request(const Request& head, std::string_view scheme, Bytes body,
                       Http2Reader& reader);
  // Ends a stream early. Its reader gets no more calls. Ignores streams that have ended.
  void cancel(std::int32_t stream);
  // The reader has used this many bytes of the body: the server may send more.
  void consume(std::int32_t stream, std::size_t bytes);

  // Takes what the server sent. Fails if the connection cannot continue: Errc::malformed, or
  // Errc::over_limit if the server only keeps us busy. Call fail() then.
  Result<void> receive(Bytes bytes);
  // Returns whether receive() would use more bytes. If not, the connection is over.
  bool wants_input() const;

  bool has_output() const;
  // Appends what must be sent, about `bytes_max` at most.
  Result<void> take_output(std::string& out, std::size_t bytes_max);

  // Ends all streams: the connection has failed. Streams that were not sent are unprocessed.
  void fail(const Error& why);

  // Returns whether new requests are possible. False is permanent.
  bool accepts_requests() const;
  // Streams that have not ended, including those in the queue.
  std::size_t streams() const { return streams_.size(); }
  // Returns why the server wants no more requests, if its GOAWAY says that it gets too many.
  std::optional<Error> refusal() const;
  // The code of the server's GOAWAY.
  std::optional<std::uint32_t> goaway_code() const { return goaway_code_; }

 private:
  struct Callbacks;
  struct Stream {
    Http2Reader* reader = nullptr;
    Bytes body;             // of the request, not sent yet
    std::string head;       // the text of the current head
    std::size_t bytes = 0;  // of the fields of the current head
    std::int32_t id = 0;
    std::uint32_t fields = 0;
    std::uint32_t interim = 0;
    std::int16_t status = 0;  // of the current head
    bool is_sent = false;
    bool has_head = false;  // the final one
    bool was_reset = false;
    std::optional<Error> failure;  // why we end it
  };
  struct Free {
    void operator()(nghttp2_session* session) const noexcept;
  };

  Stream* stream_of(std::int32_t id);
  void end(Stream& stream, Http2End how, std::optional<Error> error);
  int note_frame();
  void note_progress() { idle_frames_ = idle_bytes_ = 0; }
  // Fails the connection, because the server only keeps us busy.
  void keep_calm();
  int take_field(Stream& stream, std::string_view name, std::string_view value);
  void end_fields(Stream& stream, bool is_last);
  static int reject(Stream& stream, Error error);
  void give_up(Stream& stream, Error error);
  void close(Stream& stream, std::uint32_t code);
  void note_goaway(std::uint32_t code);
  Http2End unprocessed() const;

  const Http2Limits& limits_;
  std::unordered_map<std::int32_t, Stream> streams_;
  std::optional<Error> failure_;  // why a callback stopped the connection
  std::string complaint_;         // of nghttp2, about what the server sent
  std::optional<std::uint32_t> goaway_code_;
  std::size_t idle_frames_ = 0;  // since the last progress
  std::size_t idle_bytes_ = 0;
  std::unique_ptr<nghttp2_session, Free> session_;
};

}  // namespace gossamer::wire
