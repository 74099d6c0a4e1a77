#include "wire/response_parser.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace gossamer::wire {
namespace {

constexpr std::string_view kProtocol = "HTTP/";

}  // namespace

Result<ResponseParser::Step> ResponseParser::feed(Bytes input) {
  CHECK(state_ != State::failed);
  if (!input.empty()) has_begun_ = true;
  auto step = go_on(input);
  if (!step) {
    state_ = State::failed;
    stage_.emplace<CollectedHead>();
  }
  return step;
}

Result<ResponseParser::Step> ResponseParser::go_on(Bytes input) {
  switch (state_) {
    case State::head: return feed_head(input);
    case State::head_given: CHECK(false, "the head was not taken");
    case State::body: return feed_body(input);
    case State::complete: return Step{.kind = Step::Kind::complete};
    case State::failed: break;
  }
  return fail(Errc::internal);
}

// Returns the position of the empty line that ends the head, counted from the beginning of the
// input; npos if it has not arrived. Reads every byte once, however the head is divided.
Result<std::size_t> ResponseParser::find_end(CollectedHead& collected,
                                             std::string_view input) const {
  std::size_t at = 0;
  while (at < input.size()) {
    if (collected.line_bytes == 0) collected.line_begins_with_cr = input[at] == '\r';
    const std::size_t lf = input.find('\n', at);
    const std::size_t stop = lf == std::string_view::npos ? input.size() : lf + 1;
    if (stop - at > limits_->line_bytes_max - collected.line_bytes) {
      return fail(Errc::over_limit, "a line of the response head is too long");
    }
    collected.line_bytes += static_cast<std::uint32_t>(stop - at);
    at = stop;
    if (lf == std::string_view::npos) break;
    const std::uint32_t line_bytes = std::exchange(collected.line_bytes, 0);
    if (line_bytes == 1 || (line_bytes == 2 && collected.line_begins_with_cr)) return at;
    // Folded lines are not fields, but they cost as much.
    if (++collected.lines > limits_->fields_max + 1) {
      return fail(Errc::over_limit, "too many lines in the response head");
    }
  }
  return std::string_view::npos;
}

Result<bool> ResponseParser::collect(std::string_view& input) {
  auto& collected = std::get<CollectedHead>(stage_);
  auto end = find_end(collected, input);
  if (!end) return fail(std::move(end).error());
  const std::string_view part = input.substr(0, *end);
  input.remove_prefix(part.size());
  ResponseHead& head = collected.head;
  if (part.size() > limits_->head_bytes_max - head.raw().size()) {
    return fail(Errc::over_limit, "the response head is too long");
  }
  return head.append(part, limits_->fields_max);
}

// Some servers send an extra line end after their last response.
Result<void> ResponseParser::skip_blank_lines(std::string_view& input) {
  while (!input.empty()) {
    const bool is_cr = input.front() == '\r';
    if (!has_blank_cr_ && !is_cr) break;
    if (has_blank_cr_ && input.front() != '\n') {
      return fail(Errc::malformed, "not an HTTP response");
    }
    input.remove_prefix(1);
    has_blank_cr_ = is_cr;
    if (is_cr) continue;
    if (auto skipped = skip(); !skipped) return skipped;
  }
  return {};
}

Result<void> ResponseParser::skip() {
  stage_.emplace<CollectedHead>();
  if (++skipped_ > limits_->interim_max) {
    return fail(Errc::over_limit, "too many interim responses");
  }
  return {};
}

Result<ResponseParser::Step> ResponseParser::feed_head(Bytes input) {
  std::string_view rest = as_text(input);
  while (!rest.empty() && state_ == State::head) {
    const auto& head = std::get<CollectedHead>(stage_).head;
    if (head.raw().empty()) {
      if (auto skipped = skip_blank_lines(rest); !skipped) return fail(std::move(skipped).error());
      if (rest.empty()) break;
    }
    auto is_whole = collect(rest);
    if (!is_whole) return fail(std::move(is_whole).error());
    if (!head.raw().starts_with(kProtocol.substr(0, head.raw().size()))) {
      return fail(Errc::malformed, "not an HTTP response");
    }
    if (!*is_whole) break;
    if (auto ended = end_head(); !ended) return fail(std::move(ended).error());
  }
  const auto kind = state_ == State::head ? Step::Kind::need_more : Step::Kind::head;
  return Step{.kind = kind, .consumed = input.size() - rest.size()};
}

Result<void> ResponseParser::end_head() {
  const ResponseHead& head = std::get<CollectedHead>(stage_).head;
  auto framing = framing_of(head, kind_);
  if (!framing) return fail(std::move(framing).error());
  if (head.status() == 101) {
    return fail(Errc::unsupported, "the server switched protocols without a request to do so");
  }
  if (head.status() / 100 == 1) return skip();
  framing_ = *framing;
  left_ = framing_.length;
  state_ = State::head_given;
  return {};
}

ResponseHead ResponseParser::take_head() {
  CHECK(state_ == State::head_given);
  ResponseHead head = std::move(std::get<CollectedHead>(stage_).head);
  stage_.emplace<ChunkedDecoder>();
  const bool has_body = framing_.kind == Framing::Kind::chunked ||
                        framing_.kind == Framing::Kind::until_close || left_ > 0;
  state_ = has_body ? State::body : State::complete;
  return head;
}

Result<ResponseParser::Step> ResponseParser::feed_body(Bytes input) {
  if (input.empty()) return Step{};
  if (framing_.kind == Framing::Kind::until_close) {
    return Step{.kind = Step::Kind::body, .consumed = input.size(), .body = input};
  }
  if (framing_.kind == Framing::Kind::length) {
    const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
    left_ -= take;
    if (left_ == 0) state_ = State::complete;
    return Step{.kind = Step::Kind::body, .consumed = take, .body = input.first(take)};
  }
  auto& chunked = std::get<ChunkedDecoder>(stage_);
  auto step = chunked.feed(input, limits_->chunked);
  if (!step) return fail(std::move(step).error());
  if (step->is_done) {
    state_ = State::complete;
    if (chunked.has_bare_line_ends()) framing_.keeps_alive = false;
    return Step{.kind = Step::Kind::complete, .consumed = step->consumed};
  }
  const auto kind = step->body.empty() ? Step::Kind::need_more : Step::Kind::body;
  return Step{.kind = kind, .consumed = step->consumed, .body = step->body};
}

Result<void> ResponseParser::finish() {
  CHECK(state_ != State::failed);
  if (state_ == State::head_given) (void)take_head();
  if (state_ == State::body && framing_.kind == Framing::Kind::until_close) {
    state_ = State::complete;
  }
  if (state_ == State::complete) return {};
  if (!has_begun_)
    return fail(Errc::peer_closed, "the connection closed before the first byte of the response");
  if (state_ == State::head)
    return fail(Errc::peer_closed, "the connection closed inside the response head");
  if (framing_.kind == Framing::Kind::chunked) {
    return fail(Errc::peer_closed, "the connection closed inside a chunked body");
  }
  return fail(Errc::peer_closed,
              "the connection closed with " + std::to_string(left_) + " bytes of the body missing");
}

}  // namespace gossamer::wire
