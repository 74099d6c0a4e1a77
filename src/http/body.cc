#include "http/body.h"

#include <algorithm>
#include <utility>

namespace gossamer::http {
namespace {

// Up to here a body is collected and decoded in one go.
constexpr std::size_t kWholeBytesMax = 1024 * 1024;

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
    : BodyReader(response, limits, {}) {}

BodyReader::BodyReader(Response& response, const wire::DecodeLimits& limits, Bytes begun,
                       std::string* as_it_came)
    : response_(response), bytes_left_(limits.bytes_max), rest_(begun), as_it_came_(as_it_came) {
  const auto codings = codings_of(response.head());
  if (!codings.empty()) decoder_.emplace(codings, limits);
}

async::Task<Result<Bytes>> BodyReader::next_uncoded() {
  if (is_over_bound_) co_return fail(Errc::over_limit, "the body is too large");
  auto piece = co_await response_.next();
  if (!piece) co_return piece;
  const Bytes within = piece->first(std::min<std::uint64_t>(piece->size(), bytes_left_));
  if (as_it_came_ != nullptr) as_it_came_->append(as_text(within));
  bytes_left_ -= within.size();
  is_over_bound_ = within.size() < piece->size();
  if (is_over_bound_ && within.empty()) co_return fail(Errc::over_limit, "the body is too large");
  co_return within;
}

async::Task<Result<Bytes>> BodyReader::next_decoded() {
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
    auto piece = co_await response_.next();
    if (!piece) co_return piece;
    if (piece->empty()) {
      // No byte at all is an empty body whatever it is said to be coded with.
      auto ended = response_.body_bytes() == 0 ? Result<void>() : explain(decoder_->finish());
      if (!ended) co_return fail(std::move(ended).error());
      co_return Bytes();
    }
    if (as_it_came_ != nullptr) as_it_came_->append(as_text(*piece));
    rest_ = *piece;
  }
}

async::Task<WholeBody> read_whole(Response& response, wire::WholeDecoder& decoder,
                                  wire::DecodeLimits limits, std::string* as_it_came) {
  WholeBody body;
  const auto codings = codings_of(response.head());
  std::string coded;
  while (coded.size() < kWholeBytesMax && !codings.empty()) {
    auto piece = co_await response.next();
    if (!piece) {
      body.trouble = std::move(piece).error();
      break;
    }
    if (piece->empty()) break;
    coded += as_text(*piece);
  }
  if (as_it_came != nullptr) as_it_came->append(coded);
  if (coded.empty() && (body.trouble || response.is_complete())) co_return body;
  if (!codings.empty() && (response.is_complete() || body.trouble)) {
    wire::DecodedBody decoded = decoder.decode(codings, as_bytes(coded), limits);
    body.bytes = std::move(decoded.bytes);
    if (auto ended = explain(decoded.end); !ended && !body.trouble) {
      body.trouble = std::move(ended).error();
    }
    co_return body;
  }

  // Not coded, or too large for that: as it comes.
  BodyReader reader(response, limits, as_bytes(coded), as_it_came);
  for (;;) {
    auto piece = co_await reader.next();
    if (!piece) body.trouble = std::move(piece).error();
    if (!piece || piece->empty()) co_return body;
    body.bytes += as_text(*piece);
  }
}

}  // namespace gossamer::http
