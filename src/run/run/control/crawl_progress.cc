#include "run/control/crawl_progress.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "async/loop.h"
#include "engine/engine.h"
#include "frontier/frontier.h"

namespace gossamer::run {
namespace {

constexpr std::size_t kPausesShown = 3;

}  // namespace

CrawlProgress progress_of(const crawler::Engine& engine, const crawler::Frontier& frontier) {
  const crawler::Statistics& statistics = engine.statistics();
  const Instant now = async::Loop::current().now();
  std::vector<CrawlProgress::Pause> pauses;
  for (const crawler::HostPause& pause : frontier.pauses(kPausesShown)) {
    pauses.push_back({.host = pause.host,
                      .left = pause.until - now,
                      .is_silent = pause.is_silent,
                      .is_refusing = pause.is_refusing});
  }
  std::vector<CrawlProgress::Failure> failures;
  const auto& failed = engine.recent_failures().all();
  for (auto one = failed.rbegin(); one != failed.rend(); ++one) {
    failures.push_back({.url = one->url,
                        .cause = one->cause,
                        .detail = one->detail,
                        .via = one->via,
                        .age = now - one->at});
  }
  return {.pages = statistics.pages,
          .wire_bytes = statistics.wire_bytes,
          .in_flight = engine.in_flight(),
          .waiting = frontier.waiting(),
          .hosts = frontier.hosts(),
          .connections = engine.pool().open(),
          .http2_connections = engine.pool().shared(),
          .streams = engine.pool().streams(),
          .errors = statistics.by_error,
          .outcomes = statistics.outcomes,
          .by_status = statistics.by_status,
          .pauses = std::move(pauses),
          .failures = std::move(failures)};
}

void CrawlProgress::add(const CrawlProgress& other) {
  pages += other.pages;
  wire_bytes += other.wire_bytes;
  in_flight += other.in_flight;
  waiting += other.waiting;
  hosts += other.hosts;
  connections += other.connections;
  http2_connections += other.http2_connections;
  streams += other.streams;
  for (const auto& [cause, count] : other.errors) errors[cause] += count;
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] += other.outcomes[i];
  for (const auto& [status, count] : other.by_status) by_status[status] += count;
  pauses.insert(pauses.end(), other.pauses.begin(), other.pauses.end());
  std::ranges::sort(pauses, std::greater(), &Pause::left);
  if (pauses.size() > kPausesShown) pauses.resize(kPausesShown);
  failures.insert(failures.end(), other.failures.begin(), other.failures.end());
  std::ranges::sort(failures, {}, &Failure::age);
  constexpr std::size_t kFailures = crawler::RecentFailures::kKept;
  if (failures.size() > kFailures) failures.resize(kFailures);
}

}  // namespace gossamer::run
