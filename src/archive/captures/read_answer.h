// Reads the answer of one capture from an archive, with the body that a revisit refers to.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "store/warc_walk.h"
#include "warc/answer_reader.h"

namespace gossamer::captures {

// How to find a record.
struct RecordWalk {
  // Walks the archive from the beginning of the member that has the record.
  std::move_only_function<Result<void>(store::RecordVisitor& visitor)> walk;
  std::uint32_t ordinal = 0;  // records before it in that member
  // Not empty if it is in another archive, which may be hostile: then its body must have this
  // digest.
  std::string payload_digest = {};
};

struct AnswerLimits {
  // BOUND: bytes of a decoded body. The rest is left out, and then the answer is not whole.
  std::uint64_t bytes_max = wire::DecodeLimits().bytes_max;
  // True to stop early. Empty: never.
  std::move_only_function<bool() const> is_stopped = {};
};

// Finds the original of a revisit.
using FindOriginal = std::move_only_function<Result<RecordWalk>(const warc::Answer& revisit)>;

// Passes the body to the sink. Fails with Errc::malformed if there is no answer at that place, with
// Errc::not_found if the original has another digest than it must, with Errc::cancelled if it was
// stopped, and with the errors of `walk` and `find_original`.
Result<warc::Answer> read_answer(RecordWalk record, FindOriginal find_original,
                                 warc::PayloadSink& sink, const AnswerLimits& limits = {});

}  // namespace gossamer::captures
