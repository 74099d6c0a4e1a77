// A shared crawl as a whole: its settings, its nodes, its limits, and its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "cluster/level_step.h"
#include "redis/client.h"

namespace gossamer::cluster {

// Returns whether a server that failed so may answer later, or another one in its place.
bool may_pass(Errc code);

// Loads the functions of this version on every master that does not have them. Replicas get them
// from their masters. Repeats it until the deadline if a server is not ready. Fails with
// Errc::unsupported if a server is older than Redis 7. BORROWS: the client.
async::Task<Result<void>> install_functions(redis::Client& client, Instant deadline);

// The same for one server, once. BORROWS: the client.
async::Task<Result<void>> install_functions_on(redis::Client& client, redis::Node node,
                                               Instant deadline);

enum class Control : std::uint8_t { run, pause, stop };
std::string_view name(Control control) noexcept;

// What all nodes of a crawl know.
struct CrawlFacts {
  std::string identity;        // of this crawl among those of the same name
  std::string settings;        // as the first node wrote them; empty: no node has brought settings
  std::uint32_t replicas = 0;  // to wait for
  Control control = Control::run;
  bool has_begun = false;  // the roots are queued
  std::string end;         // why it ended; empty: it has not
  std::optional<std::uint64_t> pages_left;
  std::uint64_t pages_reserved = 0;  // that nodes were given and have not used
  std::size_t nodes = 0;
  std::size_t orders = 0;  // see SharedCrawl::orders()
  // Its key is frozen, because its slot is being moved. Only SharedCrawl::facts() reads it.
  bool is_frozen = false;
};

struct NodeStatus {
  std::string name;
  Duration unseen = Duration::zero();  // since its last report
  std::string report;
};

struct SharedCrawlOptions {
  std::string crawl;
  std::string node;            // the name of this node; unique
  Duration lost_after = 60s;   // a node without a report for this long is forgotten
  Duration patience = 20s;     // for one call with all of its repetitions
  std::uint32_t replicas = 0;  // that must have what a call changes
};

// REQUIRES, for all calls: the client is open and the functions are installed. They fail with the
// errors of redis::Client::run(). Calls that change the crawl need join() or facts() before them,
// and fail with Errc::not_found if Redis has lost that crawl, for example by FLUSHALL.
class SharedCrawl {
 public:
  // BORROWS: the client.
  SharedCrawl(redis::Client& client, SharedCrawlOptions options);

  struct JoinRequest {
    std::string settings;        // lines; empty: those of the crawl
    std::uint32_t replicas = 0;  // to wait for, if this node is the first
    std::optional<std::uint64_t> pages_max;
    std::string identity;  // unpredictable; it becomes that of the crawl if this node is the first
  };
  // Adds this node. Fails with Errc::invalid_argument, naming the line, if the settings differ from
  // those of the crawl; with Errc::not_found if neither has any; and with Errc::unsupported if the
  // crawl has the layout of another version. BORROWS: the crawl.
  async::Task<Result<CrawlFacts>> join(JoinRequest request);
  // Call it once a second. `pages_used` is of those that take_pages() gave; if the node is lost,
  // the others are given back. If a server lacked functions since the last call, loads them again.
  // The facts are without the settings. REQUIRES: join() has succeeded. BORROWS: the crawl.
  async::Task<Result<CrawlFacts>> beat(std::string report, std::uint64_t pages_used);
  // Removes this node and gives back the pages that it did not use. BORROWS: the crawl.
  async::Task<Result<void>> leave(std::uint64_t pages_used);

  // The roots are queued. BORROWS: the crawl.
  async::Task<Result<void>> begin();
  // Returns true to the one node that ends the crawl. Fails with Errc::unavailable if there are
  // more orders than the `orders` that this node has executed, unless the crawl was stopped.
  // BORROWS: the crawl.
  async::Task<Result<bool>> finish(std::string reason, std::size_t orders = 0);
  // Returns false if the crawl has been stopped, which is final. BORROWS: the crawl.
  async::Task<Result<bool>> control(Control control);

  // Gives an order to all nodes: a request of the control protocol, "add" or "block", as JSON.
  // Every node executes every order, in their sequence, also a node that joins later; executing an
  // order twice has no effect. Returns false if the crawl has ended or was stopped. BOUND: 10000
  // orders of 16 KiB. BORROWS: the crawl.
  async::Task<Result<bool>> order(std::string order);
  // Returns the orders from number `first` on. If CrawlFacts::orders exceeds the number that this
  // node has executed, there are new ones. BORROWS: the crawl.
  async::Task<Result<std::vector<std::string>>> orders(std::size_t first);

  // This node has used `used` pages of the page limit and wants `wanted` in total; if it has more,
  // it gives them back. Returns the total that it is given. BORROWS: the crawl.
  async::Task<Result<std::uint64_t>> take_pages(std::uint64_t wanted, std::uint64_t used);
  // For crawls that go level by level: a node has seen the end of the level before this step, and
  // wants that depth as the next one. The first node decides. Returns the last step, which may be
  // a later one. Number 0 only reads. BORROWS: the crawl.
  async::Task<Result<LevelStep>> level(LevelStep wanted);
  // Reserves `moments` requests to an address, `gap` apart. Returns the time until the first one.
  // BORROWS: the crawl.
  async::Task<Result<Duration>> reserve(std::string address, Duration gap, std::uint32_t moments);

  // Reads the facts without joining. Errc::not_found: there is no such crawl. BORROWS: the crawl.
  async::Task<Result<CrawlFacts>> facts();
  // BOUND: 1000 nodes. BORROWS: the crawl.
  async::Task<Result<std::vector<NodeStatus>>> nodes();

 private:
  redis::RunOptions run_options() const;
  redis::RunOptions read_options() const;
  // Calls a function for the crawl that this object knows.
  async::Task<Result<redis::Reply>> call(std::string function, std::vector<std::string> words);

  redis::Client& client_;
  const SharedCrawlOptions options_;
  const std::string key_;
  std::string identity_;             // since join() or facts()
  std::uint64_t missing_known_ = 0;  // calls of missing functions, when they were loaded again
};

// Returns a sentence about the first line in which two settings differ; empty: they are equal.
std::string settings_difference(std::string_view crawl, std::string_view node);

}  // namespace gossamer::cluster
