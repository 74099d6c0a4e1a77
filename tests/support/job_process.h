// For tests: one process that works in a crawl directory, from its start to its death.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "async/scope.h"
#include "async/task.h"
#include "base/time.h"
#include "net/resolver.h"
#include "record/page_sink.h"
#include "run/crawl.h"
#include "settings/crawl_settings.h"
#include "tests/support/simulated_machine.h"

namespace gossamer::sim {

enum class Death : std::uint8_t { none, killed, power_cut, stopped, failed_sync };

// The conditions of a process, and how it dies.
struct Life {
  Death death = Death::none;
  Duration length = Duration::max();
  std::uint64_t operations = 0;  // it dies before this operation on the disk; 0: never
  std::uint64_t full_at = 0;     // this operation finds no room; 0: none
  // The time in which the disk is full.
  Duration full_from = Duration::max();
  Duration full_for = Duration::zero();
  std::uint64_t room_when_full = 0;
  // The memory limit; if it is small, most of the queue and most hosts are on disk.
  std::uint64_t memory_bytes = 64 * 1024 * 1024;
  std::uint64_t host_bytes_max = 1'000'000;
};

// The URLs of pages with rows.
std::set<std::string> pages_in(const store::Tables& tables);
bool has_waiting(const store::Tables& tables);

class JobProcess final : public run::CrawlListener, public crawler::PageSink {
 public:
  // REQUIRES: the settings are not completed yet. BORROWS: the storage.
  JobProcess(run::CrawlSettings settings, const Life& life, support::SimulatedStorage& storage,
             std::uint64_t seed);

  // REQUIRES: the disk of the loop is that of the storage. BORROWS: the process and the names.
  async::Task<void> run(net::Resolver& names, WallTime wall_start);

  // The URLs that it must not fetch, because they have rows.
  const std::set<std::string>& done() const { return done_; }
  // Of these, the failures that a finished crawl retries.
  const std::set<std::string>& failed() const { return failed_; }
  // The number of queued pages that an earlier power cut removed from the archive.
  std::size_t lost() const { return lost_; }
  bool has_finished() const { return has_finished_; }
  // True if hosts were unreachable and everything else was fetched.
  bool is_incomplete() const { return is_incomplete_; }
  // True if more hosts had queued URLs than fit into memory.
  bool hosts_away() const { return hosts_away_; }
  // Why it could not start, or its failure.
  const std::string& failure() const { return failure_; }
  // Its messages to the user.
  const std::string& said() const { return said_; }
  std::uint64_t operations() const { return operations_; }
  const std::optional<run::CrawlStart>& start() const { return start_; }
  Instant begun() const { return begun_; }
  Instant died() const { return died_; }

  Result<crawler::PageSink*> open_sink(const run::CrawlSettings&) override { return this; }
  void begin(const run::CrawlStart& start) override;
  void say(const std::string& text) override { said_ += text + "\n"; }
  async::Task<Result<void>> put(crawler::Page page) override;

 private:
  // BORROWS: the machine.
  async::Task<void> crawl(support::SimulatedMachine& machine);
  async::Task<Result<void>> end_life(support::SimulatedMachine& machine);  // BORROWS: the machine
  async::Task<Result<void>> fill_disk();
  void stop(int times);

  run::CrawlSettings settings_;
  const Life life_;
  support::SimulatedStorage& storage_;
  const std::uint64_t seed_;
  run::Crawl* crawl_ = nullptr;  // while it runs
  std::optional<run::CrawlStart> start_;
  std::set<std::string> done_;
  std::set<std::string> failed_;
  std::size_t lost_ = 0;
  bool has_finished_ = false;
  bool is_incomplete_ = false;
  bool hosts_away_ = false;
  std::string failure_;
  std::string said_;
  std::uint64_t operations_ = 0;
  Instant begun_ = {};
  Instant died_ = base::kNever;
};

}  // namespace gossamer::sim
