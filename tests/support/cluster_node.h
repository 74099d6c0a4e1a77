// For tests: a node of a shared crawl in the simulated world: a crawl directory, and the processes
// that work there one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "async/event.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/time.h"
#include "cluster/layout.h"
#include "net/resolver.h"
#include "record/page_sink.h"
#include "record/record.h"
#include "run/crawl.h"
#include "settings/crawl_settings.h"
#include "tests/redis_model/cluster.h"
#include "tests/simulated/disk.h"
#include "tests/support/simulated_machine.h"

namespace gossamer::sim {

inline constexpr std::string_view kCrawl = "worlds";

class ClusterNode final : public run::CrawlListener, public crawler::PageSink {
 public:
  // Makes the settings of the crawl, not completed yet.
  using MakeSettings = std::move_only_function<run::CrawlSettings() const>;
  // It lives on that loop. Its archive is on the disk, which is the loop's; nullptr: it has none.
  // BORROWS: the loop and the cluster.
  ClusterNode(std::size_t number, async::Loop& loop, MakeSettings make_settings,
              redis_model::Cluster& cluster, std::uint64_t seed,
              std::shared_ptr<Disk> archive = nullptr);

  // Of the crawl; as many for all nodes. Call it before start().
  void set_partitions(std::uint32_t partitions) { partitions_ = partitions; }
  // Runs processes until one comes to its end without being killed. Call it once; join() must be
  // awaited before the destruction. BORROWS: the names.
  void start(net::Resolver& names);
  // Waits for that, on any loop. BORROWS: this.
  async::Task<void> join();
  // As Ctrl-C does. REQUIRES: is_running().
  void stop() { crawl_->stop(); }
  // The process dies now; the next one starts after that time.
  void kill(Duration until_next);
  void retire();  // the same, and it does not come back

  const async::Loop& loop() const { return loop_; }

  std::size_t number() const { return number_; }
  std::size_t door() const { return number_ + 1; }
  bool is_running() const { return crawl_ != nullptr && !is_dying_; }
  bool has_ended() const { return has_ended_; }
  bool has_begun() const { return has_begun_; }  // the last process
  // The last process has not closed the sink that it used.
  bool has_open_sink() const { return has_open_sink_; }
  bool has_finished() const { return has_finished_; }
  const std::string& failure() const { return failure_; }
  std::size_t deaths() const { return died_.size(); }
  // Its directory has settings, which the next process must have, too.
  bool has_configuration() const { return storage_.configuration.has_value(); }
  // The rows of its directory.
  std::vector<crawler::FetchRecord> records() const;
  // Returns whether a request came from a process of this node that was dead then.
  bool is_of_dead(const std::string& user_agent, Instant at) const;
  // Returns whether a request came from this node.
  bool is_of(const std::string& user_agent) const;

  Result<crawler::PageSink*> open_sink(const run::CrawlSettings&) override { return this; }
  void begin(const run::CrawlStart& /*start*/) override { has_begun_ = has_open_sink_ = true; }
  async::Task<Result<void>> close_sink() override {
    has_open_sink_ = false;
    co_return {};
  }
  void say(const std::string& text) override { said_ += text + "\n"; }
  async::Task<Result<void>> put(crawler::Page /*page*/) override { co_return {}; }
  const std::string& said() const { return said_; }

 private:
  std::string mark() const;
  // BORROWS: the names.
  async::Task<void> run(net::Resolver& names);
  // BORROWS: the names.
  async::Task<void> live(net::Resolver& names);

  const std::size_t number_;
  async::Loop& loop_;
  async::Scope life_;
  async::Event ended_;
  const MakeSettings make_settings_;
  redis_model::Cluster& cluster_;
  const std::uint64_t seed_;
  const bool has_archive_;
  std::uint32_t partitions_ = cluster::kPartitions;
  support::SimulatedStorage storage_;
  support::SimulatedMachine* machine_ = nullptr;  // while a process runs
  run::Crawl* crawl_ = nullptr;
  std::vector<Instant> died_;  // the processes before this one
  Duration until_next_ = {};
  std::size_t joins_failed_ = 0;
  bool is_dying_ = false;
  bool is_retired_ = false;
  bool has_begun_ = false;
  bool has_open_sink_ = false;
  bool has_ended_ = false;
  bool has_finished_ = false;
  std::string failure_;
  std::string said_;
};

}  // namespace gossamer::sim
