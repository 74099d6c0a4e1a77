// How a collection reads the answer of one capture.
#include <optional>
#include <utility>

#include "base/hash.h"
#include "captures/collection.h"

namespace gossamer::captures {
namespace {

class BodySink final : public warc::PayloadSink {
 public:
  void put(Bytes piece) override {
    if (failure) return;
    bytes_ += piece.size();
    if (bytes_ > Collection::kBodyBytesMax) {
      failure.emplace(Errc::over_limit, "the body is too large to be replayed");
    } else if (auto added = body.append(as_text(piece)); !added) {
      failure.emplace(std::move(added).error());
    }
  }
  AnswerBody body;
  std::optional<Error> failure;

 private:
  std::uint64_t bytes_ = 0;
};

}  // namespace

RecordWalk Collection::record_at(const RecordPlace& place) const {
  const std::shared_lock lock(mutex_);
  return {.walk = [file = files_[place.file], offset = place.offset](
                      store::RecordVisitor& visitor) { return walk_file(file, offset, visitor); },
          .ordinal = place.ordinal};
}

Result<ArchivedAnswer> Collection::answer_of(const Capture& capture, const WorkLimit& limit) const {
  BodySink sink;
  const auto is_stopped = [&] { return sink.failure || is_stopping_ || limit.is_over(); };
  // The sink decides what is too large.
  auto answer =
      read_answer(record_at(capture.place),
                  [&](const warc::Answer& revisit) { return find_original(capture, revisit); },
                  sink, {.bytes_max = kBodyBytesMax + 1, .is_stopped = is_stopped});
  if (limit.is_over()) return fail(Errc::timed_out, "reading the archive takes too long");
  if (sink.failure) return fail(std::move(*sink.failure));
  if (!answer) return fail(std::move(answer).error());
  if (auto done = sink.body.finish(); !done) return fail(std::move(done).error());
  return ArchivedAnswer{std::move(*answer), std::move(sink.body)};
}

// Another archive may be hostile, so the own one comes first.
Result<RecordWalk> Collection::find_original(const Capture& capture,
                                             const warc::Answer& revisit) const {
  const auto [place, is_foreign] = place_of_original(capture, revisit);
  if (!place) return fail(Errc::not_found, "the record that it refers to is not archived");
  RecordWalk original = record_at(*place);
  if (is_foreign) original.payload_digest = revisit.payload_digest;
  return original;
}

Collection::OriginalPlace Collection::place_of_original(const Capture& capture,
                                                        const warc::Answer& revisit) const {
  const std::shared_lock lock(mutex_);
  const warc::Reference& original = *revisit.original;
  const auto by_name = [&](std::uint32_t archive) -> std::optional<RecordPlace> {
    for (const std::string* name : {&original.record_id, &revisit.payload_digest}) {
      if (name->empty()) continue;
      if (auto place = index_.find_record(archive, base::hash64(*name))) return place;
    }
    return {};
  };
  if (auto place = by_name(capture.archive)) return {.place = place};
  if (!original.url.empty()) {
    const auto own = index_.captures_of(original.url, [&](const Capture& one) {
      return one.archive == capture.archive && !one.is_revisit;
    });
    const WallTime at = original.at.value_or(capture.at);
    if (!own.empty()) return {.place = own[nearest_capture(own, at)]->place};
  }
  // Without a digest, nothing shows that a body is the one.
  if (revisit.payload_digest.empty()) return {};
  for (std::uint32_t archive = 0; archive < archives_.size(); ++archive) {
    if (auto place = by_name(archive)) return {.place = place, .is_foreign = true};
  }
  return {};
}

}  // namespace gossamer::captures
