// The part of Archive that writes exchanges whose payloads are in files.
#include <algorithm>
#include <utility>

#include "store/archive.h"
#include "warc/record_writer.h"

namespace gossamer::store {
namespace {

constexpr std::size_t kWrittenBytes = 256 * 1024;
// If the first part of a payload shrinks by less than this, the rest is stored as it is.
constexpr std::uint64_t kSampledBytes = 1024 * 1024;
constexpr std::uint64_t kSavedShare = 20;  // a 20th

// Compresses a record whose payload arrives in pieces, as one gzip member.
class LargeMember {
 public:
  LargeMember(const LargeRecord& record, int level) : record_(record), member_(level) {}

  void begin(std::string& out) { member_.write(as_bytes(record_.head), out); }
  void add(Bytes piece, std::string& out) {
    const std::size_t before = out.size();
    const bool is_stored = record_.is_packed ||
                           (in_ >= kSampledBytes && in_ - std::min(in_, out_) < in_ / kSavedShare);
    is_stored ? member_.store(piece, out) : member_.write(piece, out);
    if (in_ >= kSampledBytes) return;
    in_ += piece.size();
    out_ += out.size() - before;
  }
  void end(std::string& out) {
    member_.write(as_bytes(record_.tail), out);
    member_.finish(out);
  }

 private:
  const LargeRecord& record_;
  warc::MemberWriter member_;
  std::uint64_t in_ = 0;  // of the sampled pieces
  std::uint64_t out_ = 0;
};

}  // namespace

async::Task<Result<void>> Archive::digest(const crawler::Capture& capture,
                                          crawler::BodyFileReader& payload, PackingOrder& order) {
  const warc::Block frame = frame_of(capture);
  warc::Digester of_payload(warc::DigestAlgorithm::sha1);
  warc::Digester of_block(warc::DigestAlgorithm::sha1);
  of_block.update(as_bytes(frame.head));
  for (;;) {
    auto piece = co_await payload.next();
    if (!piece) co_return fail(std::move(piece).error());
    if (piece->empty()) break;
    auto done = co_await pool_.run([&] {
      of_payload.update(*piece);
      of_block.update(*piece);
    });
    if (!done) co_return done;
  }
  of_block.update(as_bytes(frame.tail));
  order.payload = of_payload.digest();
  order.block = of_block.digest();
  co_return {};
}

async::Task<Result<void>> Archive::write_large(Appending& one) {
  PackedExchange& packed = one.packed;
  constexpr int kZlibLevelMax = 9;
  LargeMember member(*packed.large, std::min(options_.level, kZlibLevelMax));
  std::uint64_t at = end_;
  std::string out = packed.bytes;
  one.payload->rewind();
  bool has_ended = false;
  for (bool has_begun = false; !has_ended; has_begun = true) {
    auto piece = co_await one.payload->next();
    if (!piece) co_return fail(co_await take_back(std::move(piece).error()));
    has_ended = piece->empty();
    auto done = co_await pool_.run([&] {
      if (!has_begun) member.begin(out);
      has_ended ? member.end(out) : member.add(*piece, out);
    });
    if (!done) co_return fail(co_await take_back(std::move(done).error()));
    if (has_ended) {
      packed.response_length = at + out.size() - end_ - packed.response_offset;
      out += packed.large->after;
    }
    if (out.size() < kWrittenBytes && !has_ended) continue;
    auto written = co_await write(at, out);
    if (!written) co_return fail(co_await take_back(std::move(written).error()));
    at += out.size();
    out.clear();
  }
  packed.size = at - end_;
  packed.entry.length = packed.response_length;
  co_return {};
}

}  // namespace gossamer::store
