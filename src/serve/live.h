// Running crawls, watched and controlled through their control sockets (docs/control.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "run/control_protocol.h"
#include "server/response.h"

namespace gossamer::serve {

// The progress of a crawl at one moment.
struct HistoryPoint {
  double seconds = 0;  // since its start
  std::uint64_t done = 0;
  std::uint64_t found = 0;
  std::uint64_t bytes = 0;
  std::uint64_t errors = 0;
};

// BOUND: kPointsMax points. When there are more, every second one is dropped, and from then on only
// every second one is added.
class History {
 public:
  static constexpr std::size_t kPointsMax = 600;

  void add(const HistoryPoint& point);
  const std::vector<HistoryPoint>& points() const noexcept { return points_; }

 private:
  std::vector<HistoryPoint> points_;
  std::uint64_t step_ = 1;
  std::uint64_t offered_ = 0;
};

// Says why a crawl is not finished, in one sentence. `rate` is in URLs per second; 0: not known.
std::string why_not_finished(const run::CrawlStatus& status, double rate);

// An action of a user.
struct LiveChange {
  WallTime at;
  std::string action;  // "rate 5/s"
  bool is_done = false;
  std::string answer;
};

// One crawl. One loop uses it.
class LiveCrawl {
 public:
  static constexpr std::size_t kChangesMax = 200;
  static constexpr std::uint32_t kFetchesShown = 50;

  // `archive` is the number of the archive that it writes, if that is known.
  explicit LiveCrawl(std::string socket, std::optional<std::uint32_t> archive = {})
      : socket_(std::move(socket)), archive_(archive) {}

  // Asks the crawl once a second, however many watch; reconnects when it is gone. Runs until it is
  // cancelled. BORROWS: this.
  async::Task<Result<void>> watch();
  // Sends an action and logs it. `line` is a request of the control protocol. BORROWS: this.
  async::Task<server::Response> act(std::string line, WallTime now);

  const std::string& socket() const noexcept { return socket_; }
  std::optional<std::uint32_t> archive() const noexcept { return archive_; }
  // nullptr: it is gone, or has never been there.
  const run::CrawlStatus* status() const noexcept { return status_ ? &*status_ : nullptr; }
  std::string_view state() const noexcept {
    return status_ ? std::string_view(status_->state) : std::string_view("gone");
  }
  // Increases with every change of the state below.
  std::uint64_t version() const noexcept { return version_; }
  // The data of an event, an object.
  std::string state_json(std::size_t number) const;

 private:
  async::Task<Result<void>> follow();
  void note(run::CrawlStatus status);

  const std::string socket_;
  const std::optional<std::uint32_t> archive_;
  std::optional<run::CrawlStatus> status_;
  std::optional<decltype(run::CrawlStatus::process)> process_;  // the last one that was seen
  std::string status_json_;
  std::string fetches_json_ = "null";
  History history_;
  std::deque<LiveChange> changes_;
  std::uint64_t version_ = 0;
};

// The events of a crawl. BORROWS: the crawl and the count of streams, which it holds up by one.
std::unique_ptr<server::BodyStream> live_events(const LiveCrawl& crawl, std::size_t number,
                                                std::size_t& streams);

}  // namespace gossamer::serve
