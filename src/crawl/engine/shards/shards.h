// One crawl on several loops, each with its own engine, frontier and client, and its own thread.
//
// Hosts are divided among the loops by registrable domain, so that related state (www.a.example and
// a.example, cookies, pauses) is in one place and needs no lock. URLs of another loop's hosts are
// collected for a moment and posted there. The loops share only a few counts: open targets
// (FrontierShare), received bytes, and whether to stop.
//
//   Shards shards(2, frontier_options);
//   on each thread:
//     Frontier frontier(loop, frontier_options, shards.share());
//     Engine engine(world, options, frontier, sink, cookies, &shards[i]);
//     shards[i].join_in(loop, engine);
//     auto end = co_await engine.run();
//     co_await shards[i].leave();          // until all have ended
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/event.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "engine/page/peers.h"
#include "frontier/frontier.h"
#include "frontier/target.h"
#include "record/skip_reason.h"
#include "record/statistics.h"
#include "scope/seen_set.h"
#include "url/url.h"

namespace gossamer::crawler {

class Engine;
class Shards;

// One of the loops: its interface to the others. Each loop decides about its hosts, so URLs of
// another loop's hosts are sent there.
class Shard final : public Peers {
 public:
  Shard(Shards& all, std::size_t index, std::uint64_t salt);

  // Cancels a scope of the shard's loop when the crawl is stopped, or immediately if it was. For
  // what a loop does before join_in(). BORROWS: both.
  class CancelAtStop {
   public:
    CancelAtStop(Shard& shard, async::Scope& scope);
    ~CancelAtStop();
    CancelAtStop(const CancelAtStop&) = delete;
    CancelAtStop& operator=(const CancelAtStop&) = delete;

   private:
    Shard& shard_;
  };

  // From now on, the engine receives messages of others on the current loop, which is its own.
  // First runs all that was posted before. Call it before the engine runs.
  // BORROWS: both, until leave() has ended.
  void join_in(async::Loop& loop, Engine& engine);
  // The engine has ended. Waits until all others have ended, since they may post to this loop until
  // then. Fails with Errc::cancelled. BORROWS: the shard.
  async::Task<Result<void>> leave();
  // There will be no engine. REQUIRES: join_in() was not called.
  void stay_away();
  // Any thread: runs `work` on the shard's loop after it has joined, unless it has left.
  void post(std::move_only_function<void()> callback);
  // The same with its engine, unless the engine has ended.
  void post_to_engine(std::move_only_function<void(Engine& engine)> callback);

  std::optional<Verdict> send(const url::Url& url, std::uint64_t fingerprint,
                              const Target& facts) override;
  bool send_refused(std::string_view url, std::uint64_t fingerprint, SkipReason reason,
                    const Target& facts, std::string_view detail) override;
  bool is_own(const url::Url& url) override;
  void widen(const url::Url& root) override;
  void has_begun() override;
  bool hold_open() override;
  void let_go() override;
  // Stops all loops.
  void stop(EndReason reason) override;
  std::uint64_t add_wire_bytes(std::uint64_t bytes) override;

 private:
  friend class Shards;

  struct Message {
    enum class Kind : std::uint8_t { link, refused, root };
    Kind kind;
    SkipReason reason = SkipReason::none;
    std::uint32_t via = 0;  // in Batch::vias: a Referrer belongs to one loop
    std::uint64_t fingerprint = 0;
    Target facts;  // without url and via
    std::string url;
    std::string detail;
  };
  struct Batch {
    std::vector<std::string> vias;
    std::vector<Message> messages;
  };

  std::size_t owner_of(std::string_view url);
  void put(std::size_t receiver, Message message, std::string_view via);
  void flush();
  // Any thread.
  void receive(Batch batch);
  void receive_stop(EndReason reason);
  void receive_all_left();
  void post_delivery();
  // Called on our loop.
  void deliver();
  void take(const Batch& batch);
  void take(const Message& message, const Target& facts);

  Shards& all_;
  const std::size_t index_;
  SeenSet sent_;
  std::vector<Batch> outgoing_;  // by receiver
  bool is_flush_due_ = false;
  std::optional<std::string> last_host_;  // most links of a page lead to one host
  std::size_t last_owner_ = 0;
  Engine* engine_ = nullptr;
  async::Event all_left_;

  std::mutex mutex_;  // guards the members below
  async::Loop* loop_ = nullptr;
  std::vector<Batch> incoming_;
  std::vector<std::move_only_function<void()>> early_;  // posted before there was a loop
  async::Scope* starting_ = nullptr;  // of CancelAtStop; only its loop writes it. nullptr: none
  bool has_left_ = false;
  std::optional<EndReason> stop_;
  bool have_all_left_ = false;
  bool is_delivery_posted_ = false;
};

class Shards {
 public:
  // REQUIRES: the frontiers' options are these.
  Shards(std::size_t count, const FrontierOptions& options);
  Shards(const Shards&) = delete;
  Shards& operator=(const Shards&) = delete;
  ~Shards();

  std::size_t count() const { return shards_.size(); }
  Shard& operator[](std::size_t index) { return *shards_[index]; }
  const std::shared_ptr<FrontierShare>& share() const { return share_; }

  // The shard of a host's site, see SiteShare.
  std::size_t owner_of(std::string_view host) const;
  // Links in transfer when the crawl was stopped. REQUIRES: all have left.
  std::uint64_t undelivered() const;

 private:
  friend class Shard;
  void has_left();

  const bool has_levels_;
  const std::shared_ptr<FrontierShare> share_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::atomic<std::uint64_t> wire_bytes_ = 0;
  std::atomic<std::size_t> left_ = 0;
};

}  // namespace gossamer::crawler
