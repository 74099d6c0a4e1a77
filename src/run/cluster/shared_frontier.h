// The frontier of a crawl that several nodes share: hosts, their queues, and who fetches from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "cluster/layout.h"
#include "cluster/level_step.h"
#include "redis/client.h"

namespace gossamer::cluster {

// URLs of one host that were found. A block holds at most kBatchMax of them.
struct FoundUrls {
  std::uint32_t partition = 0;
  std::string host;
  // The end of the host that is its registrable domain, whose hosts are limited; 0: no limit.
  std::size_t domain_bytes = 0;
  // Of all of them, if the crawl goes level by level; otherwise 0.
  std::uint16_t depth = 0;
  std::vector<std::uint64_t> fingerprints;  // of the URLs in the block, in their order
  std::string block;                        // only nodes read it
};

// How far a queue has been ended: this many batches, and this many live URLs of the next one.
struct Position {
  std::uint64_t batches = 0;
  std::uint32_t urls = 0;  // less than the live URLs of that batch

  friend bool operator==(const Position&, const Position&) = default;
};

// A host that belongs to one node until `until`.
struct LeasedHost {
  std::uint32_t partition = 0;
  std::string host;
  std::string token;
  // When the node must have stopped requests, if it does not renew the lease. It is earlier than
  // the end that Redis knows.
  Instant until;
  Position position;
  Duration pause = Duration::zero();  // between requests, as the last holder said
  // Leases of this host that expired since the last one that did not. If there are several, a URL
  // may be the reason: complete each URL before the next one.
  std::uint32_t expired = 0;
  std::string state;  // of the last holder; empty: none
  std::string kept;   // the part of it that changes rarely
  // The first one begins at `position`: its first `position.urls` live URLs are ended.
  std::vector<UrlBatch> batches;
};

enum class Then : std::uint8_t {
  release,  // another node may lease the host after its pause
  keep,     // the lease is renewed
  more,     // the same, and returns more batches
};

// What a node has done with a leased host. All fields are absolute, so it can be sent twice; the
// answers are equal, until another node releases the host.
struct Completion {
  std::uint32_t partition = 0;
  std::string host;
  std::string token;
  Position position;  // everything before it has ended
  std::uint64_t held =
      0;  // with Then::more: the batches since the beginning that the node has read
  std::uint32_t urls = 64;  // with Then::more: about this many
  Duration pause = Duration::zero();
  Then then = Then::release;
  // URLs before the position that are to be fetched again. REQUIRES: the position is ahead of those
  // of earlier completions, or it is the same completion again; others fail.
  std::optional<UrlBatch> again;
  std::string state;  // for the next holder; empty: unchanged
  std::string kept;   // the part of it that changes rarely; empty: unchanged
};

struct Completed {
  // The lease had expired and the host belongs to another node, which fetches the same URLs.
  // The call changed nothing.
  bool is_lost = false;
  std::uint64_t waiting = 0;  // URLs of the host that have not ended
  Instant until;              // of the renewed lease
  std::vector<UrlBatch> batches;
};

struct SharedFrontierOptions {
  std::string crawl;
  // As many for all nodes of a crawl. REQUIRES: 1 to kPartitions.
  std::uint32_t partitions = kPartitions;
  // Replicas that must have new URLs and leases before they count. With 0, a master that fails
  // loses URLs.
  std::uint32_t replicas = 0;
  // More than twice the time of a failover.
  Duration ttl = 30s;
  // A lease is over for its holder this long before it is over for Redis.
  Duration margin = 2s;
  // For one call with all of its repetitions.
  Duration patience = 20s;
  // 0: no limit. Hosts of URLs with FoundUrls::domain_bytes are counted.
  std::uint32_t hosts_per_domain_max = 0;
  // URLs are leased only when their depth is the level (take_step()).
  bool is_level_by_level = false;
};

// REQUIRES, for all calls: the client is open and the functions are installed
// (install_functions()). Calls fail with the errors of redis::Client::run(). Errc::unavailable and
// Errc::timed_out mean that Redis was not ready in time: the caller keeps what it has and calls
// again. Errc::not_found means that Redis has lost a part of the crawl.
class SharedFrontier {
 public:
  // `draw` returns unpredictable numbers, for tokens. BORROWS: the client.
  SharedFrontier(redis::Client& client, SharedFrontierOptions options,
                 std::move_only_function<std::uint64_t()> draw);

  enum class Prepare : std::uint8_t {
    make,    // the crawl has not begun: makes the partitions that are not there
    verify,  // the crawl has begun: a partition that is not there is lost
  };
  // Call it first. Fails with Errc::not_found if partitions are lost, or belong to another crawl of
  // the same name. It can be repeated. BORROWS: the frontier.
  async::Task<Result<void>> prepare(std::string identity, Prepare how);

  // Adds the URLs that were not seen before, and level by level also those that were found only at
  // greater depths, whose level has not come yet. When it succeeds, they survive the failure of a
  // master. Returns the number of new ones. Fails if a part of them could not be added, because
  // their partitions are frozen or not ready, and does not wait for these; see take_left(). It can
  // be repeated. BORROWS: the frontier.
  async::Task<Result<std::uint64_t>> add(std::vector<FoundUrls> found);
  // Returns the numbers of the groups that the last add() did not add, in order. All others were
  // added.
  std::vector<std::size_t> take_left() { return std::exchange(left_, {}); }
  // Returns the URLs that the last add() did not accept, because their domain has too many hosts.
  std::vector<FoundUrls> take_refused() { return std::exchange(refused_, {}); }

  struct LeaseRequest {
    std::vector<std::uint32_t> partitions;
    std::uint32_t hosts_max = 16;  // of each partition
    std::uint32_t urls = 64;       // of each host, about
  };
  // Leases hosts from which requests are allowed now. Fails only if no host could be leased.
  // BORROWS: the frontier.
  async::Task<Result<std::vector<LeasedHost>>> lease(LeaseRequest request);

  // Returns a result for each. If a lease is renewed, waits for replicas; a release does not, since
  // losing it only repeats pages. Send a completion that failed again. REQUIRES: each host once.
  // BORROWS: the frontier.
  async::Task<std::vector<Result<Completed>>> complete(std::vector<Completion> completions);

  // Renews leases and, if replicas have them, sets `until`; that of a lease that could not be
  // renewed stays. Returns the hosts that are lost. Fails only if no lease was answered. BORROWS:
  // the frontier and the hosts, while it is awaited.
  async::Task<Result<std::vector<std::string>>> renew(std::vector<LeasedHost*> hosts);

  struct Counts {
    std::uint64_t found = 0;
    std::uint64_t ended = 0;
    std::uint64_t hosts = 0;
    std::uint64_t leased = 0;
    std::uint64_t due = 0;     // hosts with a moment in R: queued or leased
    std::uint32_t frozen = 0;  // partitions
    // Partitions whose slots were moved without freezing them; see PartitionFacts.
    std::uint32_t misplaced = 0;
    // Level by level: URLs of later levels, their lowest depth, and the lowest and highest step
    // that partitions have taken.
    std::uint64_t parked = 0;
    std::uint16_t lowest_parked = 0;
    std::uint64_t first_step = 0;
    std::uint64_t last_step = 0;
    std::uint64_t open() const noexcept { return found - ended; }
    // All URLs of the level have ended, and all partitions have the same level.
    bool is_level_over() const noexcept {
      return found - parked == ended && first_step == last_step;
    }
  };
  // If found equals ended, `ended` of all partitions was read before everything else, and nothing
  // was open between the two, because links are added before their page ends. Fails with
  // Errc::unavailable if more have ended than were found: a master has just been replaced, so count
  // again. BORROWS: the frontier.
  async::Task<Result<Counts>> count();

  // Makes a depth the level of all partitions, and queues the URLs that wait for it. It can be
  // repeated, by any node. REQUIRES: SharedCrawl::level() returned the step. BORROWS: the frontier.
  async::Task<Result<void>> take_step(LevelStep step);

  const SharedFrontierOptions& options() const noexcept { return options_; }

 private:
  redis::RunOptions run_options() const;
  std::string make_token();
  redis::Command command(std::string_view function, std::uint32_t partition,
                         std::vector<std::string> arguments) const;

  redis::Client& client_;
  const SharedFrontierOptions options_;
  std::move_only_function<std::uint64_t()> draw_;
  std::string identity_;  // of the crawl, since prepare()
  // BOUND, for both: URLs of the last call of add().
  std::vector<FoundUrls> refused_;
  std::vector<std::size_t> left_;
};

}  // namespace gossamer::cluster
