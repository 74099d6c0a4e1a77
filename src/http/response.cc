#include "http/response.h"

#include "async/loop.h"

namespace gossamer::http {

async::Task<Result<Bytes>> Response::next() {
  if (!is_over_limit_) {
    auto piece = co_await exchange_->next();
    if (!piece || piece->empty()) {
      if (!ended_) ended_ = async::Loop::current().now();
      co_return piece;
    }
    const std::uint64_t room = body_bytes_max_ - body_bytes_;
    is_over_limit_ = piece->size() > room;
    const Bytes given = is_over_limit_ ? piece->first(room) : *piece;
    body_bytes_ += given.size();
    if (!given.empty()) co_return given;
  }
  co_return fail(Errc::over_limit,
                 "the body is larger than " + std::to_string(body_bytes_max_) + " bytes");
}

ExchangeFacts Response::facts() const {
  const Instant now = ended_ ? *ended_ : async::Loop::current().now();
  return {.connection = lease_.connection().facts(),
          .protocol = head_.minor_version() == 0 ? "HTTP/1.0" : "HTTP/1.1",
          .reused = lease_.is_reused(),
          .started = started_,
          .first_byte = exchange_->first_byte_at() - started_,
          .total = now - started_,
          .bytes_sent = exchange_->bytes_sent(),
          .bytes_received = exchange_->bytes_received()};
}

}  // namespace gossamer::http
