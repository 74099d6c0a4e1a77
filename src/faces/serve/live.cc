#include "serve/live.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/json.h"
#include "serve/api_parameters.h"

namespace gossamer::serve {
namespace {

using base::JsonLine;
using Kind = run::ControlRequest::Kind;

// How often a stream looks for a new state, and how long it is silent at most.
constexpr Duration kLook = 200ms;
constexpr Duration kSilence = 15s;

std::string history_json(const History& history) {
  JsonArray array;
  for (const HistoryPoint& point : history.points()) {
    array.add(JsonLine()
                  .decimal("t", point.seconds, 1)
                  .number("done", point.done)
                  .number("found", point.found)
                  .number("bytes", point.bytes)
                  .number("errors", point.errors)
                  .finish());
  }
  return array.finish();
}

std::string changes_json(const std::deque<LiveChange>& changes) {
  JsonArray array;
  for (const LiveChange& change : changes) {
    array.add(JsonLine()
                  .text("at", base::to_rfc3339(change.at))
                  .text("do", change.action)
                  .boolean("ok", change.is_done)
                  .text("answer", change.answer)
                  .finish());
  }
  return array.finish();
}

std::string action_text(const run::ControlRequest& request) {
  const std::string verb(name(request.kind));
  switch (request.kind) {
    case Kind::rate: return verb + " " + run::rate_text(request.time);
    case Kind::delay: return verb + " " + run::delay_text(request.time);
    case Kind::concurrency: return fmt::format("{} {}", verb, request.number);
    case Kind::add:
    case Kind::exclude:
    case Kind::unexclude:
    case Kind::unblock:
    case Kind::block: return verb + " " + request.text;
    default: return verb;
  }
}

// Each line of the data is a line of the event; JSON of ours has none inside.
std::string event_text(std::uint64_t id, std::string_view event, std::string_view data) {
  std::string text = fmt::format("id: {}\nevent: {}\n", id, event);
  while (true) {
    const std::size_t end = data.find('\n');
    text.append("data: ").append(data.substr(0, end)).append("\n");
    if (end == std::string_view::npos) break;
    data.remove_prefix(end + 1);
  }
  return text + "\n";
}

class LiveEvents final : public server::BodyStream {
 public:
  LiveEvents(const LiveCrawl& crawl, std::size_t number, std::size_t& streams)
      : crawl_(crawl), number_(number), streams_(streams) {
    ++streams_;
  }
  LiveEvents(const LiveEvents&) = delete;
  LiveEvents& operator=(const LiveEvents&) = delete;
  ~LiveEvents() override { --streams_; }

  async::Task<Result<std::string>> next() override {
    if (is_over_) co_return std::string();
    const Instant silent = async::Loop::current().now() + kSilence;
    for (;;) {
      // A slow reader comes back late and gets the newest state, so nothing is queued for it.
      if (!seen_ || *seen_ != crawl_.version()) {
        seen_ = crawl_.version();
        is_over_ = crawl_.is_gone();
        co_return event_text(*seen_, is_over_ ? "gone" : "state",
                             server::harmless_json(crawl_.state_json(number_)));
      }
      if (async::Loop::current().now() >= silent) co_return std::string(": still here\n\n");
      if (auto slept = co_await async::sleep(kLook); !slept)
        co_return fail(std::move(slept).error());
    }
  }

 private:
  const LiveCrawl& crawl_;
  const std::size_t number_;
  std::size_t& streams_;
  std::optional<std::uint64_t> seen_;
  bool is_over_ = false;
};

}  // namespace

double History::rate() const {
  constexpr std::size_t kPoints = 10;
  if (points_.size() < 2) return 0;
  const HistoryPoint& last = points_.back();
  const HistoryPoint& first = points_[points_.size() - std::min(points_.size(), kPoints)];
  const double time = last.seconds - first.seconds;
  return time > 0 && last.done > first.done ? static_cast<double>(last.done - first.done) / time
                                            : 0;
}

void History::add(const HistoryPoint& point) {
  if (offered_++ % step_ != 0) return;
  points_.push_back(point);
  if (points_.size() < kPointsMax) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points_.size(); i += 2) points_[kept++] = points_[i];
  points_.resize(kept);
  step_ *= 2;
}

async::Task<server::Response> LiveCrawl::act(std::string line, WallTime now) {
  auto request = run::parse_control_request(line);
  if (!request) co_return server::error_response(400, request.error().detail());
  if (request->kind == Kind::status || request->kind == Kind::fetches) {
    co_return server::error_response(400, "this is not an action; read the events instead");
  }
  LiveChange change = {.at = now, .action = action_text(*request)};
  auto done = co_await carry_out(std::move(*request));
  change.is_done = done.has_value();
  change.answer = done ? *done : std::string(done.error().detail());
  if (!done && change.answer.empty()) change.answer = done.error().message();
  changes_.push_back(change);
  if (changes_.size() > kChangesMax) changes_.pop_front();
  changed();
  if (!change.is_done) co_return server::error_response(409, change.answer);
  co_return server::json_response(
      200, JsonLine().boolean("ok", true).text("done", change.answer).finish());
}

std::string LiveCrawl::state_json(std::size_t number) const {
  JsonLine line;
  line.number("crawl", number);
  add_state(line);
  line.raw("history", history_json(history_)).raw("changes", changes_json(changes_));
  add_text_or_null(line, "reason", reason());
  return line.finish();
}

std::unique_ptr<server::BodyStream> live_events(const LiveCrawl& crawl, std::size_t number,
                                                std::size_t& streams) {
  return std::make_unique<LiveEvents>(crawl, number, streams);
}

}  // namespace gossamer::serve
