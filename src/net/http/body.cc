#include "http/body.h"

#include <algorithm>
#include <utility>

#include "async/sleep.h"

namespace gossamer::http {
namespace {

Result<void> explain(wire::DecodeEnd end) {
  using wire::DecodeEnd;
  switch (end) {
    case DecodeEnd::complete: return {};
    case DecodeEnd::over_bytes:
    case DecodeEnd::over_ratio:
      return fail(Errc::over_limit, "the decoded body is too large: " + std::string(name(end)));
    case DecodeEnd::refused:
      return fail(Errc::over_limit, "decoding the body takes too much memory");
    case DecodeEnd::damaged:
    case DecodeEnd::cut:
      return fail(Errc::malformed, "the coded body is " + std::string(name(end)));
  }
  return {};
}

}  // namespace

std::vector<wire::ContentCoding> codings_of(const wire::ResponseHead& head) {
  auto codings = wire::parse_content_codings(head.find_all("Content-Encoding"));
  if (!codings) return {};
  return std::move(*codings);
}

BodyReader::BodyReader(Response& response, const wire::DecodeLimits& limits)
    : response_(response),
      limits_(limits),
      bytes_left_(limits.bytes_max),
      codings_(codings_of(response.head())) {
  if (!codings_.empty()) decoder_.emplace(codings_, limits);
}

BodyReader::BodyReader(Response& response, const wire::DecodeLimits& limits,
                       wire::WholeDecoder& whole, std::string* as_it_came)
    : BodyReader(response, limits) {
  if (wire::WholeDecoder::is_fast(codings_)) whole_ = &whole;
  as_it_came_ = as_it_came;
}

bool BodyReader::ends_step(const Result<Bytes>& piece) noexcept {
  step_work_ += kPieceWork + (piece ? piece->size() : 0);
  if (step_work_ < kStepWork) return false;
  step_work_ = 0;
  return true;
}

void BodyReader::hold() {
  if (!rest_.empty()) {
    std::string copy(as_text(rest_));
    held_ = std::move(copy);
    rest_ = as_bytes(held_);
  }
  response_.hold();
}

std::size_t BodyReader::bytes_held() const noexcept {
  const std::size_t buffers = collected_.capacity() + held_.capacity() + buffer_.capacity();
  return buffers + (decoder_ ? decoder_->bytes_held() : 0);
}

std::size_t BodyReader::bytes_next_max() const noexcept {
  if (whole_ != nullptr) return kCollectedBytesMax + kWholeBytesMax;
  return decoder_ && buffer_.empty() ? kBufferBytes : 0;
}

void BodyReader::raise_limit(std::uint64_t bytes_max) {
  bytes_left_ += bytes_max - limits_.bytes_max;
  limits_.bytes_max = bytes_max;
  if (decoder_) decoder_->raise_limit(bytes_max);
}

// Returns the next piece as received. An end or failure during collection is repeated.
async::Task<Result<Bytes>> BodyReader::receive() {
  if (ended_) {
    if (*ended_) co_return Bytes();
    co_return fail(std::move(*ended_).error());
  }
  auto piece = co_await response_.next();
  if (ends_step(piece)) {
    if (auto yielded = co_await async::yield_now(); !yielded) {
      co_return fail(std::move(yielded).error());
    }
  }
  if (piece && as_it_came_ != nullptr) {
    append_large(*as_it_came_, as_text(*piece), limits_.bytes_max);
  }
  co_return piece;
}

// Returns whether collected_ holds the whole body, decoded. If not, the collected bytes are left to
// be decoded in pieces.
async::Task<bool> BodyReader::decode_whole() {
  wire::WholeDecoder& whole = *std::exchange(whole_, nullptr);
  while (!ended_ && collected_.size() <= kCollectedBytesMax) {
    auto piece = co_await receive();
    if (!piece) {
      ended_.emplace(fail(std::move(piece).error()));
    } else if (piece->empty()) {
      ended_.emplace();
    } else {
      collected_ += as_text(*piece);
    }
  }
  if (ended_ && *ended_) {
    wire::DecodeLimits limits = limits_;
    limits.bytes_max = std::min<std::uint64_t>(limits.bytes_max, kWholeBytesMax);
    if (auto plain = whole.decode_fast(codings_, as_bytes(collected_), limits)) {
      collected_ = *std::move(plain);
      decoder_.reset();
      co_return true;
    }
  }
  rest_ = as_bytes(collected_);
  co_return false;
}

async::Task<Result<Bytes>> BodyReader::next_uncoded() {
  if (is_over_bound_) co_return fail(Errc::over_limit, "the body is too large");
  if (ended_) co_return Bytes();  // it was decoded as a whole
  auto piece = co_await response_.next();
  if (!piece) co_return piece;
  if (ends_step(piece)) {
    if (auto yielded = co_await async::yield_now(); !yielded) {
      co_return fail(std::move(yielded).error());
    }
  }
  const Bytes within = piece->first(std::min<std::uint64_t>(piece->size(), bytes_left_));
  if (as_it_came_ != nullptr) append_large(*as_it_came_, as_text(within), limits_.bytes_max);
  bytes_left_ -= within.size();
  is_over_bound_ = within.size() < piece->size();
  if (is_over_bound_ && within.empty()) co_return fail(Errc::over_limit, "the body is too large");
  co_return within;
}

async::Task<Result<Bytes>> BodyReader::next_decoded() {
  if (whole_ != nullptr && co_await decode_whole()) co_return as_bytes(collected_);
  if (buffer_.empty()) buffer_.resize(kBufferBytes);
  for (;;) {
    if (!rest_.empty() || may_have_more_) {
      const auto step = decoder_->decode(rest_, buffer_);
      rest_ = rest_.subspan(step.consumed);
      may_have_more_ = step.produced == buffer_.size();
      if (step.produced > 0) co_return Bytes(buffer_).first(step.produced);
      if (decoder_->has_stopped() && decoder_->finish() != wire::DecodeEnd::complete) {
        auto ended = explain(decoder_->finish());
        co_return fail(std::move(ended).error());
      }
      if (!rest_.empty()) continue;
    }
    auto piece = co_await receive();
    if (!piece) co_return piece;
    if (piece->empty()) {
      // A response without any byte is an empty body, whatever its coding.
      auto ended = response_.body_bytes() == 0 ? Result<void>() : explain(decoder_->finish());
      if (!ended) co_return fail(std::move(ended).error());
      co_return Bytes();
    }
    rest_ = *piece;
  }
}

async::Task<WholeBody> read_whole(Response& response, wire::WholeDecoder& decoder,
                                  wire::DecodeLimits limits, std::string* as_it_came) {
  WholeBody body;
  BodyReader reader(response, limits, decoder, as_it_came);
  for (;;) {
    auto piece = co_await reader.next();
    if (!piece) body.trouble = std::move(piece).error();
    if (!piece || piece->empty()) co_return body;
    append_large(body.bytes, as_text(*piece), limits.bytes_max);
  }
}

}  // namespace gossamer::http
