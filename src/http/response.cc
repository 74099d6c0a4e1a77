#include "http/response.h"

#include "async/loop.h"

namespace gossamer::http {

async::Task<Result<Bytes>> Response::next() {
  if (!state_->is_over_limit) {
    auto piece = co_await state_->exchange->next();
    if (!piece || piece->empty()) {
      if (!state_->ended) state_->ended = async::Loop::current().now();
      co_return piece;
    }
    const std::uint64_t room = state_->body_bytes_max - state_->body_bytes;
    state_->is_over_limit = piece->size() > room;
    const Bytes given = state_->is_over_limit ? piece->first(room) : *piece;
    state_->body_bytes += given.size();
    if (!given.empty()) co_return given;
  }
  co_return fail(Errc::over_limit,
                 "the body is larger than " + std::to_string(state_->body_bytes_max) + " bytes");
}

ExchangeFacts Response::facts() const {
  const Instant now = state_->ended ? *state_->ended : async::Loop::current().now();
  return {.connection = state_->lease->connection().facts(),
          .protocol = head().minor_version() == 0 ? "HTTP/1.0" : "HTTP/1.1",
          .reused = state_->lease->is_reused(),
          .started = state_->started,
          .first_byte = state_->exchange->first_byte_at() - state_->started,
          .total = now - state_->started,
          .bytes_sent = state_->exchange->bytes_sent(),
          .bytes_received = state_->exchange->bytes_received()};
}

}  // namespace gossamer::http
