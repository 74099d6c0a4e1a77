#include "serve/cluster_crawl.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/figures.h"
#include "run/shared/cluster_work.h"
#include "run/shared/shared_control.h"
#include "serve/api_parameters.h"

namespace gossamer::serve {
namespace {

constexpr Duration kReadInterval = 2s;
// For each step of reading the state. Redis that is silent for so long is unreachable.
constexpr Duration kPatience = 3s;

std::string time_left(std::uint64_t open, double rate) {
  if (rate <= 0) return "";
  const auto left =
      std::chrono::seconds(static_cast<std::int64_t>(static_cast<double>(open) / rate) + 1);
  return fmt::format(" At the current rate they take {}, if no more are found.",
                     base::to_string(left));
}

}  // namespace

std::string why_not_finished(const run::SharedCrawlStatus& status, double rate) {
  if (!status.facts.end.empty()) return fmt::format("The crawl has ended: {}.", status.facts.end);
  const bool is_stopping = status.state() == "stopping";
  if (is_stopping && status.nodes.empty()) return "The crawl was stopped, which is final.";
  if (status.is_damaged()) {
    return "Redis has lost a part of the crawl; `gossamer cluster status` says which.";
  }
  if (status.facts.is_frozen || !status.frozen().empty()) {
    return "A part of the crawl is being moved to another server, and waits for that.";
  }
  if (status.nodes.empty()) {
    return fmt::format("{} are left, but there is no node. Start one to continue.",
                       base::counted(status.open(), "URL"));
  }
  const std::string nodes = base::counted(status.nodes.size(), "node");
  if (!status.facts.has_begun) return fmt::format("{} prepare the crawl.", nodes);
  if (status.state() == "paused") {
    return fmt::format("The crawl is paused on {}. Resume it to continue.", nodes);
  }
  const auto reports = status.of_nodes();
  if (is_stopping) {
    return fmt::format("The crawl is stopping on {}: {} in flight complete first.", nodes,
                       base::counted(reports.in_flight, "request"));
  }
  return fmt::format("{} are open on {}. {} have leased {}.", base::counted(status.open(), "URL"),
                     base::counted(status.due(), "host"), nodes,
                     base::counted(status.leased(), "host")) +
         time_left(status.open(), rate);
}

// Reads the state again and again over one connection.
class ClusterCrawl::Watching final : public run::ClusterWork {
 public:
  // BORROWS: the crawl.
  explicit Watching(ClusterCrawl& crawl) : crawl_(crawl) {}

  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string name) override {
    for (;;) {
      auto status = co_await run::read_shared_crawl(client, name, kPatience);
      if (!status) co_return fail(std::move(status).error());
      crawl_.note(std::move(*status));
      if (auto slept = co_await async::sleep(kReadInterval); !slept) co_return slept;
    }
  }

 private:
  ClusterCrawl& crawl_;
};

async::Task<Result<void>> ClusterCrawl::watch() {
  for (;;) {
    Watching work(*this);
    auto watched = co_await run::use_cluster(cluster_, work);
    if (!watched) note_problem(watched.error());
    if (auto slept = co_await async::sleep(kReadInterval); !slept) co_return slept;
  }
}

void ClusterCrawl::note(run::SharedCrawlStatus status) {
  const Instant now = async::Loop::current().now();
  // Another crawl may have taken the name.
  if (!status_ || status_->facts.identity != status.facts.identity) {
    if (status_) forget();
    first_seen_ = now;
  }
  const auto reports = status.of_nodes();
  add_point({.seconds = std::chrono::duration<double>(now - first_seen_).count(),
             .done = status.ended(),
             .found = status.found(),
             .bytes = reports.bytes,
             .errors = reports.errors});
  status_json_ = to_json(status);
  status_ = std::move(status);
  problem_.clear();
  changed();
}

void ClusterCrawl::note_problem(const Error& error) {
  if (error == Errc::cancelled) return;
  is_missing_ = error == Errc::not_found;
  std::string text = is_missing_ ? std::string("Redis has no crawl of this name.")
                                 : "Redis cannot be read: " + error.message() + ".";
  if (text == problem_) return;
  problem_ = std::move(text);
  changed();
}

std::string_view ClusterCrawl::state() const noexcept {
  if (!problem_.empty()) return is_missing_ ? "missing" : "unreachable";
  return status_ ? status_->state() : "connecting";
}

async::Task<Result<std::string>> ClusterCrawl::carry_out(run::ControlRequest request) {
  return run::steer_shared_crawl(cluster_, std::move(request));
}

void ClusterCrawl::add_to(server::Metrics& metrics) const {
  if (!status_ || !problem_.empty()) return;
  using enum server::Metrics::Kind;
  const server::Metrics::Label crawl = {"crawl", name()};
  metrics.add(gauge, "gossamer_cluster_nodes", "Nodes of a shared crawl.", status_->nodes.size(),
              crawl);
  metrics.add(gauge, "gossamer_cluster_found", "URLs that were found.", status_->found(), crawl);
  metrics.add(gauge, "gossamer_cluster_ended", "URLs that have ended.", status_->ended(), crawl);
  metrics.add(gauge, "gossamer_cluster_leased", "Hosts that nodes have leased.", status_->leased(),
              crawl);
}

void ClusterCrawl::add_state(base::JsonLine& line) const {
  line.text("state", state()).raw("cluster", status_ ? std::string_view(status_json_) : "null");
  add_text_or_null(line, "problem", problem_);
}

std::string ClusterCrawl::reason() const {
  if (!status_) return problem_.empty() ? "Connecting to Redis." : "";
  return why_not_finished(*status_, problem_.empty() ? history().rate() : 0);
}

}  // namespace gossamer::serve
