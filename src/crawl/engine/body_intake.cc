#include "engine/body_intake.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "async/sleep.h"
#include "engine/page/capturing.h"

namespace gossamer::crawler {
namespace {

// The memory of a body, with room for the next piece.
std::size_t bytes_needed(const http::BodyReader& body, const BodyIntake::Destination& to) {
  const Capture* const capture = to.page.capture.get();
  return body.bytes_held() + body.bytes_next_max() + BodyMemory::kPieceBytes +
         to.reading.bytes_held() + to.page.body.size() +
         (capture == nullptr ? 0 : capture->payload.capacity());
}

}  // namespace

// Bodies that nothing parses pass through, so only the user limits them.
std::uint64_t BodyIntake::bytes_max(BodyKind kind) const {
  const bool is_whole_in_memory =
      settings_.keeps_bodies || (settings_.keeps_captures && world_.bodies == nullptr);
  const bool is_bounded = kind != BodyKind::opaque || is_whole_in_memory;
  return settings_.body_bytes_max.value_or(is_bounded ? kParsedBodyBytesMax : kAnyBodyBytes);
}

void BodyIntake::count(Claim& claim, std::uint64_t received, std::uint64_t before) {
  events_.on_received(received - before);
  claim.body_bytes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(received, std::numeric_limits<std::uint32_t>::max()));
}

async::Task<Result<void>> BodyIntake::make_room(http::BodyReader& body, Destination to) {
  Capture* const capture = to.page.capture.get();
  const bool has_file = capture != nullptr && world_.bodies != nullptr;
  for (bool is_short : {false, true}) {
    if (is_short) body.decode_in_pieces();
    if (has_file && is_payload_large(*capture, is_short)) {
      body.hold();
      auto stored = co_await store_payload(*capture, *world_.bodies);
      if (!stored) co_return stored;
    }
    if (to.memory.try_hold(bytes_needed(body, to))) co_return {};
  }
  body.hold();
  co_return co_await to.memory.hold(bytes_needed(body, to));
}

async::Task<Result<std::optional<Errc>>> BodyIntake::read(Claim& claim, http::Response& response,
                                                          Destination to) {
  std::optional<Errc> trouble;
  std::size_t step_bytes = 0;
  std::uint64_t counted = 0;
  PageReading& reading = to.reading;
  Page& page = to.page;
  Capture* const capture = page.capture.get();
  std::uint64_t limit = bytes_max(reading.kind());
  http::BodyReader body(response, {.bytes_max = limit}, decoder_,
                        capture == nullptr ? nullptr : &capture->payload);
  if (capture != nullptr) {  // else it would be copied while it grows
    const std::size_t expected = payload_bytes_expected(response.head());
    if (to.memory.try_hold(bytes_needed(body, to) + expected)) capture->payload.reserve(expected);
  }
  for (;;) {
    if (auto ready = co_await make_room(body, to); !ready) co_return fail(std::move(ready).error());
    auto piece = co_await body.next();
    if (!piece) {
      trouble = piece.error().code();
      note_failure(page.record, piece.error());
      break;
    }
    if (piece->empty()) break;
    const std::uint64_t received = response.body_bytes();
    count(claim, received, std::exchange(counted, received));
    if (settings_.keeps_bodies) append_large(page.body, as_text(*piece), limit);
    // One piece may contain a whole large body, and pieces may arrive without any wait.
    for (Bytes rest = *piece; !rest.empty();) {
      const Bytes part = rest.first(std::min(rest.size(), PageReading::kStepBytes - step_bytes));
      reading.feed(part);
      rest = rest.subspan(part.size());
      step_bytes += part.size();
      if (step_bytes < PageReading::kStepBytes) continue;
      step_bytes = 0;
      if (auto yielded = co_await async::yield_now(); !yielded) {
        note_failure(page.record, yielded.error());
        co_return yielded.error().code();
      }
    }
    // The first bytes of a body without a type may show that it is not parsed.
    if (const std::uint64_t now = bytes_max(reading.kind()); now > limit) {
      limit = now;
      body.raise_limit(limit);
    }
  }
  if (capture != nullptr && capture->file) {
    body.hold();
    if (auto stored = co_await store_payload(*capture, *world_.bodies); !stored) {
      co_return fail(std::move(stored).error());
    }
    capture->file->finish();
  }
  while (!reading.finish_some() && co_await async::yield_now()) {
  }
  co_return trouble;
}

}  // namespace gossamer::crawler
