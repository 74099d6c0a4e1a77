#include "crawl/body_intake.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "async/sleep.h"
#include "http/body.h"

namespace gossamer::crawler {

// Bodies that nothing parses pass through, so only the user limits them.
std::uint64_t BodyIntake::bytes_max(BodyKind kind) const {
  const bool is_whole_in_memory =
      settings_.keeps_bodies || (settings_.keeps_captures && world_.bodies == nullptr);
  const bool is_bounded = kind != BodyKind::opaque || is_whole_in_memory;
  return settings_.body_bytes_max.value_or(is_bounded ? kParsedBodyBytesMax : kAnyBodyBytes);
}

async::Task<Result<std::optional<Errc>>> BodyIntake::read(Claim& claim, http::Response& response,
                                                          PageReading& reading, Page& page) {
  std::optional<Errc> trouble;
  std::size_t step_bytes = 0;
  std::uint64_t counted = 0;
  Capture* const capture = page.capture.get();
  std::uint64_t limit = bytes_max(reading.kind());
  http::BodyReader body(response, {.bytes_max = limit}, decoder_,
                        capture == nullptr ? nullptr : &capture->payload);
  for (;;) {
    auto piece = co_await body.next();
    if (!piece) {
      trouble = piece.error().code();
      note_failure(page.record, piece.error());
      break;
    }
    if (piece->empty()) break;
    const std::uint64_t received = response.body_bytes();
    events_.on_received(received - std::exchange(counted, received));
    claim.body_bytes = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(response.body_bytes(), std::numeric_limits<std::uint32_t>::max()));
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
    if (capture == nullptr || world_.bodies == nullptr || !is_payload_large(*capture)) continue;
    body.hold();
    if (auto stored = co_await store_payload(*capture, *world_.bodies); !stored) {
      co_return fail(std::move(stored).error());
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
