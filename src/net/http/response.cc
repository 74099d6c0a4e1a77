#include "http/response.h"

#include "async/loop.h"

namespace gossamer::http {

async::Task<Result<Bytes>> Response::next() {
  if (state_->held_since) resume();
  for (;;) {
    auto piece = next_piece();
    if (!piece) co_return fail(std::move(piece).error());
    if (*piece) co_return **piece;
    auto taken = co_await Arrival(*state_->pending.exchange);
    if (!taken) {
      note_end();
      co_return fail(std::move(taken).error());
    }
  }
}

Result<std::optional<Bytes>> Response::next_piece() {
  State& state = *state_;
  if (!state.is_over_limit) {
    auto piece = state.pending.exchange->next_piece();
    if (!piece || (*piece && (*piece)->empty())) note_end();
    if (!piece || !*piece || (*piece)->empty()) return piece;
    const std::uint64_t room = state.body_bytes_max - state.body_bytes;
    state.is_over_limit = (*piece)->size() > room;
    const Bytes given = state.is_over_limit ? (*piece)->first(room) : **piece;
    state.body_bytes += given.size();
    if (!given.empty()) return given;
  }
  return fail(Errc::over_limit,
              "the body is larger than " + std::to_string(state.body_bytes_max) + " bytes");
}

void Response::hold() {
  state_->pending.exchange->hold();
  if (!state_->ended && !state_->held_since) state_->held_since = async::Loop::current().now();
}

void Response::resume() {
  const Duration before = state_->held;
  state_->held = held();
  state_->held_since.reset();
  state_->pending.exchange->extend(state_->held - before);
}

Duration Response::held() const {
  const auto since = state_->held_since;
  return since ? state_->held + (async::Loop::current().now() - *since) : state_->held;
}

void Response::note_end() {
  if (!state_->ended) state_->ended = async::Loop::current().now();
}

ExchangeFacts Response::facts() const {
  const Instant now = state_->ended ? *state_->ended : async::Loop::current().now();
  return {.connection = state_->pending.lease.connection().facts(),
          .protocol = state_->pending.exchange->protocol(),
          .reused = !state_->pending.exchange->is_first(),
          .started = state_->pending.started,
          .first_byte = state_->pending.exchange->first_byte_at() - state_->pending.started,
          .total = now - state_->pending.started - held(),
          .bytes_sent = state_->pending.exchange->bytes_sent(),
          .bytes_received = state_->pending.exchange->bytes_received()};
}

}  // namespace gossamer::http
