#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "async/event.h"
#include "async/frame_pool.h"
#include "async/intrusive_list.h"
#include "http/connection.h"
#include "http/rate_meter.h"
#include "wire/http2_session.h"

namespace gossamer::http {

class Http2Connection;

// The state of a response that is being read; a waiting exchange has none.
struct StreamReading {
  StreamReading() = default;
  StreamReading(const StreamReading&) = delete;
  StreamReading& operator=(const StreamReading&) = delete;
  ~StreamReading();

  static void* operator new(std::size_t bytes) { return async::FramePool::allocate(bytes); }
  static void operator delete(void* memory, std::size_t bytes) noexcept {
    async::FramePool::release(memory, bytes);
  }

  wire::ResponseHead head;
  bool has_head = false;
  Instant first_byte_at = {};
  // BOUND: both together have at most the window of the stream.
  std::string arrived;
  std::string given;  // to the reader of the response
  RateMeter rate;
  std::uint64_t new_bytes = 0;         // since the rate was updated
  Duration waited = Duration::zero();  // since then
};

// One stream of an Http2Connection.
class Http2Exchange final : public Exchange,
                            public wire::Http2Reader,
                            public async::ListNode<Http2Exchange> {
 public:
  Http2Exchange(Http2Connection& connection, bool is_first) noexcept
      : connection_(connection), is_first_(is_first) {}
  Http2Exchange(const Http2Exchange&) = delete;
  Http2Exchange& operator=(const Http2Exchange&) = delete;
  ~Http2Exchange() = default;

  void end() noexcept override;
  async::Task<Result<void>> send(OutgoingRequest request) override;
  net::Stream::Receive receive() override;
  Instant patience() const override;
  Result<void> take(Result<net::Chunk> received) override;
  bool has_head() const override { return reading_ && reading_->has_head; }
  const wire::ResponseHead& head() const override { return reading_->head; }
  Result<std::optional<Bytes>> next_piece() override;
  void hold() override {}  // nothing is lent
  void extend(Duration by) noexcept override { deadline_ = base::add_saturating(deadline_, by); }
  bool is_complete() const override { return is_ended_ && !failure_ && reading_->arrived.empty(); }
  bool has_begun() const override { return reading_ != nullptr; }
  bool is_first() const override { return is_first_; }
  Repeat repeat() const override { return repeat_; }
  std::string_view protocol() const override { return "HTTP/2"; }
  Instant first_byte_at() const override { return reading_->first_byte_at; }
  std::uint64_t bytes_sent() const override { return bytes_sent_; }
  std::uint64_t bytes_received() const override { return bytes_received_; }

  void on_sent(std::size_t bytes) override;
  void on_frame(std::size_t bytes) override { bytes_received_ += bytes; }
  void on_begin() override;
  void on_head(wire::ResponseHead head) override;
  void on_body(Bytes piece) override;
  void on_end(wire::Http2End how, std::optional<Error> error) override;

  // Set when there is something new, and when it must read for the others.
  async::Event news;
  bool is_in_line = false;  // it waits while another one reads

  Instant deadline() const { return deadline_; }
  bool has_ended() const { return is_ended_; }

 private:
  Error explain(Error error, std::string_view step) const;
  // Returns how long the server may be silent now.
  Duration silence_max() const;
  // Returns whether its request may still leave the queue.
  bool has_hope() const;
  void note_progress();

  Http2Connection& connection_;
  std::int32_t stream_ = 0;
  Repeat repeat_ = Repeat::if_harmless;
  const bool is_first_;
  bool is_sent_ = false;  // it has left the queue
  bool is_ended_ = false;
  bool is_asked_ = false;  // asked_at_ is valid: nothing has arrived since
  Instant asked_at_ = {};
  Instant deadline_ = {};
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t bytes_received_ = 0;
  std::unique_ptr<StreamReading> reading_;
  std::unique_ptr<std::string> body_;  // of the request
  std::optional<Error> failure_;
};

}  // namespace gossamer::http
