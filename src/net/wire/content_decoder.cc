#include "wire/content_decoder.h"

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>

#include "base/check.h"

namespace gossamer::wire {
namespace {

constexpr std::size_t kBetweenStagesBytes = 16 * 1024;
constexpr std::size_t kStageBytes = 16 * 1024;  // the tables of a codec

std::unique_ptr<Codec> make_codec(ContentCoding coding) {
  switch (coding) {
    case ContentCoding::gzip: return make_gzip_codec();
    case ContentCoding::deflate: return make_deflate_codec();
    case ContentCoding::brotli: return make_brotli_codec();
    case ContentCoding::zstd: return make_zstd_codec();
  }
  return nullptr;
}

}  // namespace

std::string_view name(DecodeEnd end) noexcept {
  switch (end) {
    case DecodeEnd::complete: return "complete";
    case DecodeEnd::over_bytes: return "over_bytes";
    case DecodeEnd::over_ratio: return "over_ratio";
    case DecodeEnd::refused: return "refused";
    case DecodeEnd::damaged: return "damaged";
    case DecodeEnd::cut: return "cut";
  }
  return {};
}

ContentDecoder::ContentDecoder(std::span<const ContentCoding> codings, const DecodeLimits& limits)
    : limits_(limits) {
  CHECK_LE(codings.size(), kContentCodingsMax);
  stages_.reserve(codings.size());
  for (const ContentCoding coding : codings | std::views::reverse) {
    stages_.push_back({.codec = make_codec(coding)});
  }
}

std::size_t ContentDecoder::bytes_held() const noexcept {
  std::size_t bytes = 0;
  for (const Stage& stage : stages_) {
    const std::size_t window =
        std::min<std::uint64_t>(stage.produced, stage.codec->window_bytes_max());
    bytes += kStageBytes + stage.buffer.capacity() + window;
  }
  return bytes;
}

ContentDecoder::Step ContentDecoder::decode(Bytes input, MutableBytes out) {
  CHECK(!out.empty());
  if (has_stopped_) return {.consumed = input.size()};
  input_ = input;
  Step step;
  while (step.produced < out.size()) {
    const std::size_t size = stages_.empty() ? pass_through(out.subspan(step.produced))
                                             : pull(stages_.size() - 1, out.subspan(step.produced));
    if (size == 0) break;
    step.produced += size;
  }
  decoded_bytes_ += step.produced;
  // Bytes that one coding holds back do not reach the codings after it.
  if (step.produced < out.size()) {
    has_stopped_ |= std::ranges::any_of(stages_, &Stage::has_ended);
  }
  step.consumed = has_stopped_ ? input.size() : input.size() - input_.size();
  input_ = {};
  return step;
}

DecodeEnd ContentDecoder::finish() const {
  if (end_ != DecodeEnd::complete) return end_;
  // Once a coding has ended, the codings before it do not matter.
  for (const Stage& stage : stages_ | std::views::reverse) {
    if (stage.has_ended) break;
    if (!stage.codec->may_end()) return DecodeEnd::cut;
  }
  return DecodeEnd::complete;
}

std::size_t ContentDecoder::pass_through(MutableBytes out) {
  const std::uint64_t room = limits_.bytes_max - encoded_bytes_;
  const auto size =
      static_cast<std::size_t>(std::min<std::uint64_t>({room, out.size(), input_.size()}));
  std::ranges::copy(input_.first(size), out.begin());
  input_ = input_.subspan(size);
  encoded_bytes_ += size;
  if (!input_.empty() && encoded_bytes_ == limits_.bytes_max) {
    end_ = DecodeEnd::over_bytes;
    has_stopped_ = true;
  }
  return size;
}

// Returns how many more bytes a coding may produce.
std::uint64_t ContentDecoder::room_for(const Stage& stage) const {
  const std::uint64_t by_ratio =
      encoded_bytes_ > std::numeric_limits<std::uint64_t>::max() / limits_.ratio_max
          ? limits_.bytes_max
          : std::max(limits_.ratio_free_bytes, encoded_bytes_ * limits_.ratio_max);
  const std::uint64_t most = std::min(limits_.bytes_max, by_ratio);
  return most > stage.produced ? most - stage.produced : 0;
}

// Produces at least one byte with the stage, or none if it has ended or needs more input.
std::size_t ContentDecoder::pull(std::size_t index, MutableBytes out) {
  Stage& stage = stages_[index];
  while (!stage.has_ended) {
    Bytes& input = index == 0 ? input_ : stage.pending;
    // At the limit, one more byte shows whether the body is too large.
    std::array<std::byte, 1> probe;
    const std::uint64_t room = room_for(stage);
    const MutableBytes into =
        room == 0 ? MutableBytes(probe)
                  : out.first(static_cast<std::size_t>(std::min<std::uint64_t>(room, out.size())));
    const Codec::Step step = stage.codec->run(input, into);
    input = input.subspan(step.consumed);
    if (index == 0) encoded_bytes_ += step.consumed;
    if (room == 0 && step.produced > 0) {
      end(stage,
          stage.produced >= limits_.bytes_max ? DecodeEnd::over_bytes : DecodeEnd::over_ratio);
      return 0;
    }
    take(stage, step);
    if (step.produced > 0) return step.produced;
    if (step.consumed > 0 || stage.has_ended) continue;
    if (index == 0 || !refill(index)) return 0;
  }
  return 0;
}

void ContentDecoder::end(Stage& stage, DecodeEnd why) {
  stage.has_ended = true;
  if (end_ == DecodeEnd::complete) end_ = why;
}

void ContentDecoder::take(Stage& stage, const Codec::Step& step) {
  stage.produced += step.produced;
  switch (step.status) {
    case Codec::Status::more: break;
    case Codec::Status::ended: end(stage, DecodeEnd::complete); break;
    case Codec::Status::damaged: end(stage, DecodeEnd::damaged); break;
    case Codec::Status::refused: end(stage, DecodeEnd::refused); break;
  }
}

// Fills the stage's input from the stage before it. Returns false if there is none now.
bool ContentDecoder::refill(std::size_t index) {
  Stage& stage = stages_[index];
  stage.buffer.resize(kBetweenStagesBytes);
  const std::size_t size = pull(index - 1, stage.buffer);
  stage.pending = Bytes(stage.buffer).first(size);
  return size > 0;
}

}  // namespace gossamer::wire
