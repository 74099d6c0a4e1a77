// For tests: one process at work on a crawl's tables and archive, from its start to its death.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "async/scope.h"
#include "async/task.h"
#include "async/thread_pool.h"
#include "base/random.h"
#include "base/time.h"
#include "crawl/engine.h"
#include "crawl/options.h"
#include "crawl/shards/shards.h"
#include "sim/disk.h"
#include "site/site.h"
#include "site/site_server.h"
#include "store/archive.h"
#include "store/kept_payloads.h"
#include "store/kept_work.h"
#include "store/ledger.h"
#include "tests/sim/crawl_worlds.h"
#include "tests/support/simulated_archive_files.h"
#include "tests/support/simulated_tables.h"

namespace gossamer::sim {

enum class Death : std::uint8_t { none, killed, power_cut, stopped, failed_sync };

struct Life {
  Death death = Death::none;
  Duration length = Duration::max();
  std::size_t head_max = 4096;                      // small: most of what waits is on disk
  std::uint32_t shards = 1;                         // engines among which the hosts are dealt
  std::uint64_t file_bytes_max = 30'000;            // of the archive; small: many files
  std::uint64_t host_bytes_max = 1'000'000;         // small: most hosts are on disk
  bool is_first = false;                            // no process was at work before
  std::vector<std::optional<Outage>> outages = {};  // by host
};

// What outlives processes.
struct Storage {
  store::SimulatedTables tables;
  std::shared_ptr<Disk> disk;
};

// The URLs of pages that have their rows.
std::set<std::string> pages_in(const store::Tables& tables);

class JobProcess {
 public:
  // BORROWS: plan and storage.
  JobProcess(const Plan& plan, const Life& life, Storage& storage, std::uint64_t seed,
             WallTime wall_start);

  // REQUIRES: the world's disk is that of the storage. BORROWS: the process.
  async::Task<void> run();

  // What the servers saw of it.
  const std::vector<site::LogEntry>& log() const { return log_; }
  // The URLs that it must not ask for: they have their rows, and what these tell of.
  const std::set<std::string>& done() const { return done_; }
  // Of pages that an earlier power cut took from the archive, how many wait again.
  std::size_t lost() const { return lost_; }
  bool has_finished() const { return has_finished_; }
  // Hosts were unreachable, and all that could be fetched was.
  bool is_incomplete() const { return is_incomplete_; }
  // Hosts that were on disk alone at its end.
  std::size_t hosts_away() const { return hosts_away_; }
  Instant begun() const { return begun_; }
  Instant died() const { return died_; }

 private:
  // BORROWS: all.
  async::Task<void> crawl(crawler::World& world);
  // What the engines share.
  struct Parts {
    crawler::World& world;
    store::Archive& archive;
    store::Ledger& ledger;
    store::KeptWork& work;
    crawler::PageSink& sink;
    crawler::Shards& shards;
  };
  async::Task<void> crawl_with(Parts& parts);                              // BORROWS: the parts
  async::Task<void> crawl_shard(const Parts& parts, std::uint32_t index);  // BORROWS: the parts
  void watch_ledger(store::Ledger& ledger);
  async::Task<Result<void>> die();
  async::Task<Result<void>> sync(const Parts& parts);  // BORROWS: the parts
  template <class Change>
  void on_all(Change change);
  crawler::Options options() const { return crawl_options(plan_, site_); }
  store::ArchiveOptions archive_options(store::KnownPayloads& payloads) const;

  const Plan& plan_;
  const Life life_;
  Storage& storage_;
  support::SimulatedArchiveFiles files_;
  async::ThreadPool pool_{0};
  const site::Site site_;
  Fate fate_;
  std::vector<crawler::Engine*> engines_;  // that are at work
  std::vector<site::LogEntry> log_;
  std::set<std::string> done_;
  std::size_t lost_ = 0;
  bool has_finished_ = false;
  bool is_incomplete_ = false;
  std::size_t hosts_away_ = 0;
  Instant begun_ = {};
  Instant died_ = base::kNever;
};

}  // namespace gossamer::sim
