// Running crawls, watched and controlled. socket_crawl.h and cluster_crawl.h have the kinds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/json.h"
#include "base/result.h"
#include "base/time.h"
#include "run/control/control_protocol.h"
#include "server/metrics.h"
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
  // URLs that were done per second over the last points; 0: not known.
  double rate() const;

 private:
  std::vector<HistoryPoint> points_;
  std::uint64_t step_ = 1;
  std::uint64_t offered_ = 0;
};

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

  // `archive` is the number of the archive that it writes, if that is known.
  explicit LiveCrawl(std::string name, std::optional<std::uint32_t> archive = {})
      : name_(std::move(name)), archive_(archive) {}
  virtual ~LiveCrawl() = default;
  LiveCrawl(const LiveCrawl&) = delete;
  LiveCrawl& operator=(const LiveCrawl&) = delete;

  // Reads the state now and then, however many watch; connects again when it is gone. Runs until
  // it is cancelled. BORROWS: this.
  virtual async::Task<Result<void>> watch() = 0;
  // Sends an action and logs it. `line` is a request of the control protocol. BORROWS: this.
  async::Task<server::Response> act(std::string line, WallTime now);

  // The path of its control socket, or the URL of the shared crawl.
  const std::string& name() const noexcept { return name_; }
  std::optional<std::uint32_t> archive() const noexcept { return archive_; }
  // "control" or "cluster".
  virtual std::string_view kind() const noexcept = 0;
  virtual std::string_view state() const noexcept = 0;
  // True if there is nothing more to tell, so that streams of events end.
  virtual bool is_gone() const noexcept = 0;
  virtual void add_to(server::Metrics& metrics) const = 0;

  // Increases with every change of the state below.
  std::uint64_t version() const noexcept { return version_; }
  // The data of an event, an object.
  std::string state_json(std::size_t number) const;

 protected:
  // Does what the user wants, and returns what was done. BORROWS: this.
  virtual async::Task<Result<std::string>> carry_out(run::ControlRequest request) = 0;
  // Adds the members that only crawls of this kind have.
  virtual void add_state(base::JsonLine& line) const = 0;
  // Why the crawl is not finished, a sentence; empty: not known.
  virtual std::string reason() const = 0;

  void changed() noexcept { ++version_; }
  void add_point(const HistoryPoint& point) { history_.add(point); }
  const History& history() const noexcept { return history_; }
  // Another crawl has taken its place.
  void forget() {
    history_ = {};
    changes_.clear();
  }

 private:
  const std::string name_;
  const std::optional<std::uint32_t> archive_;
  History history_;
  std::deque<LiveChange> changes_;
  std::uint64_t version_ = 0;
};

// The events of a crawl. BORROWS: the crawl and the count of streams, which it holds up by one.
std::unique_ptr<server::BodyStream> live_events(const LiveCrawl& crawl, std::size_t number,
                                                std::size_t& streams);

}  // namespace gossamer::serve
