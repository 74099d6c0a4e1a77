#include "serve/socket_crawl.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "async/sleep.h"
#include "base/figures.h"
#include "run/control/control_client.h"
#include "run/control/crawl_metrics.h"
#include "serve/api_parameters.h"

namespace gossamer::serve {
namespace {

using Kind = run::ControlRequest::Kind;

constexpr Duration kAskInterval = 1s;

double seconds_of(Duration time) { return std::chrono::duration<double>(time).count(); }

std::uint64_t errors_of(const run::CrawlProgress& status) {
  std::uint64_t sum = 0;
  for (const auto& [cause, count] : status.errors) sum += count;
  return sum;
}

}  // namespace

std::string why_not_finished(const run::CrawlProgress& status, double rate) {
  if (status.state == "paused") return "The crawl is paused. Resume it to continue.";
  if (status.state == "stopping") {
    return fmt::format("The crawl is stopping: {} in flight complete first.",
                       base::counted(status.in_flight, "request"));
  }
  if (status.in_flight == 0 && status.waiting > 0 && !status.pauses.empty()) {
    const auto& pause = status.pauses.front();
    return fmt::format("{} wait for hosts that are paused. {} {}; {} left.",
                       base::counted(status.waiting, "queued URL"), pause.host,
                       pause.is_silent     ? "does not answer"
                       : pause.is_refusing ? "refuses requests"
                                           : "requested a pause",
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

async::Task<Result<void>> SocketCrawl::watch() {
  for (;;) {
    static_cast<void>(co_await follow());
    if (status_) {
      status_.reset();
      fetches_json_ = "null";
      changed();
    }
    if (auto slept = co_await async::sleep(kAskInterval); !slept) co_return slept;
  }
}

async::Task<Result<void>> SocketCrawl::follow() {
  auto client = run::ControlClient::connect(name());
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
    if (auto slept = co_await async::sleep(kAskInterval); !slept) co_return slept;
  }
}

void SocketCrawl::note(run::CrawlProgress status) {
  // Another crawl may have taken the socket.
  if (process_ && *process_ != status.process) {
    forget();
  }
  process_ = status.process;
  job_ = status.job;
  add_point({.seconds = seconds_of(status.since_start),
             .done = status.pages,
             .found = status.pages + status.waiting + status.in_flight,
             .bytes = status.wire_bytes,
             .errors = errors_of(status)});
  status_json_ = to_json(status);
  status_ = std::move(status);
  changed();
}

async::Task<Result<std::string>> SocketCrawl::carry_out(run::ControlRequest request) {
  auto client = run::ControlClient::connect(name());
  if (!client) co_return fail(std::move(client).error());
  const auto reply = co_await client->ask(std::move(request));
  if (!reply) co_return fail(reply.error().copy());
  co_return run::parse_reply(*reply);
}

void SocketCrawl::add_to(server::Metrics& metrics) const {
  if (status_) {
    run::add_crawl(metrics, name(), *status_);
  } else if (process_) {
    run::add_state(metrics, name(), "ended");
  }
}

void SocketCrawl::add_state(base::JsonLine& line) const {
  line.raw("status", status_ ? std::string_view(status_json_) : "null");
  line.raw("fetches", fetches_json_);
  add_text_or_null(line, "job", job_);
}

std::string SocketCrawl::reason() const {
  return status_ ? why_not_finished(*status_, history().rate()) : std::string();
}

}  // namespace gossamer::serve
