#include "serve/live.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/figures.h"
#include "base/json.h"
#include "run/control_client.h"
#include "serve/api_parameters.h"

namespace gossamer::serve {
namespace {

using base::JsonLine;
using Kind = run::ControlRequest::Kind;

constexpr Duration kInterval = 1s;
// How often a stream looks for a new state, and how long it is silent at most.
constexpr Duration kLook = 200ms;
constexpr Duration kSilence = 15s;

double seconds_of(Duration time) { return std::chrono::duration<double>(time).count(); }

std::uint64_t errors_of(const run::CrawlStatus& status) {
  std::uint64_t sum = 0;
  for (const auto& [cause, count] : status.errors) sum += count;
  return sum;
}

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

// URLs per second over the last points.
double rate_of(const History& history) {
  constexpr std::size_t kPoints = 10;
  const auto& points = history.points();
  if (points.size() < 2) return 0;
  const HistoryPoint& last = points.back();
  const HistoryPoint& first = points[points.size() - std::min(points.size(), kPoints)];
  const double time = last.seconds - first.seconds;
  return time > 0 && last.done > first.done ? static_cast<double>(last.done - first.done) / time
                                            : 0;
}

std::string action_text(const run::ControlRequest& request) {
  const std::string verb(name(request.kind));
  switch (request.kind) {
    case Kind::rate: return verb + " " + run::rate_text(request.time);
    case Kind::delay: return verb + " " + run::delay_text(request.time);
    case Kind::concurrency: return fmt::format("{} {}", verb, request.number);
    case Kind::add:
    case Kind::exclude:
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
        is_over_ = crawl_.status() == nullptr;
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

void History::add(const HistoryPoint& point) {
  if (offered_++ % step_ != 0) return;
  points_.push_back(point);
  if (points_.size() < kPointsMax) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points_.size(); i += 2) points_[kept++] = points_[i];
  points_.resize(kept);
  step_ *= 2;
}

std::string why_not_finished(const run::CrawlStatus& status, double rate) {
  if (status.state == "paused") return "The crawl is paused. Resume it to continue.";
  if (status.state == "stopping") {
    return fmt::format("The crawl is stopping: {} in flight complete first.",
                       base::counted(status.in_flight, "request"));
  }
  if (status.in_flight == 0 && status.waiting > 0 && !status.pauses.empty()) {
    const auto& pause = status.pauses.front();
    return fmt::format("{} wait for hosts that are paused. {} {}; {} left.",
                       base::counted(status.waiting, "queued URL"), pause.host,
                       pause.is_silent ? "does not answer" : "requested a pause",
                       base::to_string(pause.left));
  }
  if (status.waiting == 0) {
    return fmt::format("The queue is empty: the last {} complete.",
                       base::counted(status.in_flight, "request"));
  }
  std::string text = fmt::format("{} are queued and {} in flight.",
                                 base::counted(status.waiting, "URL"), status.in_flight);
  if (rate > 0) {
    const auto left = std::chrono::seconds(
        static_cast<std::int64_t>(static_cast<double>(status.waiting) / rate) + 1);
    text += fmt::format(" At the current rate they take {}, if no more are found.",
                        base::to_string(left));
  }
  return text;
}

async::Task<Result<void>> LiveCrawl::watch() {
  for (;;) {
    static_cast<void>(co_await follow());
    if (status_) {
      status_.reset();
      fetches_json_ = "null";
      ++version_;
    }
    if (auto slept = co_await async::sleep(kInterval); !slept) co_return slept;
  }
}

async::Task<Result<void>> LiveCrawl::follow() {
  auto client = run::ControlClient::connect(socket_);
  if (!client) co_return fail(std::move(client).error());
  for (;;) {
    auto line = co_await client->ask({.kind = Kind::status});
    if (!line) co_return fail(std::move(line).error());
    auto status = run::parse_status(*line);
    if (!status) co_return fail(std::move(status).error());
    auto fetches = co_await client->ask({.kind = Kind::fetches, .number = kFetchesShown});
    if (!fetches) co_return fail(std::move(fetches).error());
    auto list = run::parse_fetches(*fetches);
    if (!list) co_return fail(std::move(list).error());
    fetches_json_ = to_json(*list);
    note(std::move(*status));
    if (auto slept = co_await async::sleep(kInterval); !slept) co_return slept;
  }
}

void LiveCrawl::note(run::CrawlStatus status) {
  // Another crawl may have taken the socket.
  if (process_ && *process_ != status.process) {
    history_ = {};
    changes_.clear();
  }
  process_ = status.process;
  history_.add({.seconds = seconds_of(status.since_start),
                .done = status.pages,
                .found = status.pages + status.waiting + status.in_flight,
                .bytes = status.wire_bytes,
                .errors = errors_of(status)});
  status_json_ = to_json(status);
  status_ = std::move(status);
  ++version_;
}

async::Task<server::Response> LiveCrawl::act(std::string line, WallTime now) {
  auto request = run::parse_control_request(line);
  if (!request) co_return server::error_response(400, request.error().detail());
  if (request->kind == Kind::status || request->kind == Kind::fetches) {
    co_return server::error_response(400, "this is not an action; read the events instead");
  }
  LiveChange change = {.at = now, .action = action_text(*request)};
  auto client = run::ControlClient::connect(socket_);
  auto reply = client ? co_await client->ask(std::move(*request))
                      : Result<std::string>(fail(std::move(client).error()));
  auto done =
      reply ? run::parse_reply(*reply) : Result<std::string>(fail(std::move(reply).error()));
  change.is_done = done.has_value();
  change.answer = done ? *done : std::string(done.error().detail());
  if (!done && change.answer.empty()) change.answer = done.error().message();
  changes_.push_back(change);
  if (changes_.size() > kChangesMax) changes_.pop_front();
  ++version_;
  if (!change.is_done) co_return server::error_response(409, change.answer);
  co_return server::json_response(
      200, JsonLine().boolean("ok", true).text("done", change.answer).finish());
}

std::string LiveCrawl::state_json(std::size_t number) const {
  JsonLine line;
  line.number("crawl", number).raw("status", status_ ? std::string_view(status_json_) : "null");
  line.raw("fetches", fetches_json_).raw("history", history_json(history_));
  line.raw("changes", changes_json(changes_));
  add_text_or_null(line, "reason", status_ ? why_not_finished(*status_, rate_of(history_)) : "");
  return line.finish();
}

std::unique_ptr<server::BodyStream> live_events(const LiveCrawl& crawl, std::size_t number,
                                                std::size_t& streams) {
  return std::make_unique<LiveEvents>(crawl, number, streams);
}

}  // namespace gossamer::serve
