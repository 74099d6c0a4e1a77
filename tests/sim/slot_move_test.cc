// Single faults of moves of slots, in virtual time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/random.h"
#include "base/result.h"
#include "cluster/layout.h"
#include "cluster/purge.h"
#include "cluster/reshard.h"
#include "cluster/root_places.h"
#include "cluster/shared_crawl.h"
#include "net/connector.h"
#include "redis/client.h"
#include "redis/slot.h"
#include "tests/redis_model/cluster.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
namespace {

using async::Task;
using redis_model::Words;
using testing::HasSubstr;

Instant before_long() { return async::Loop::current().now() + 20s; }

// The crawl "m" in a cluster of three masters.
class Moves {
 public:
  using Play = Task<void> (*)(Moves& moves);

  explicit Moves(std::size_t replicas, Range<Duration> lag = {100us, 20ms})
      : replicas_(replicas), lag_(lag) {}

  void run(Play play) {
    World world = World::calm(1);
    world.run(begin(play));
    EXPECT_EQ(world.loop().live_tasks(), 0u);
    cluster_.reset();
  }

  redis_model::Server& server(std::size_t number) { return cluster_->server(number); }
  redis_model::Cluster& cluster() { return *cluster_; }
  redis::Client& client() { return *client_; }
  std::string id(std::size_t number) { return server(number).id(); }
  std::size_t owner() const { return (*cluster_->owners())[slot]; }
  std::size_t target() const { return (owner() + 1) % 3; }
  std::size_t third() const { return (owner() + 2) % 3; }
  cluster::SlotMove move() { return {.slot = slot, .from = id(owner()), .to = id(target())}; }
  // Whether a server has the key of the crawl.
  bool has_key(std::size_t number) { return server(number).data().keys().contains(key); }

  // One command at one server, also for keys that it does not own. BORROWS: this.
  Task<std::string> tell(std::size_t number, Words words) {
    redis::Commands commands;
    commands.add({"ASKING"}).add(words);
    auto replies = co_await client_->run_on(cluster_->seeds(0)[number], std::move(commands),
                                            redis::Lane::quick, before_long());
    co_return replies ? replies->back().text : replies.error().to_string();
  }
  // What a killed command leaves: a frozen slot. BORROWS: this.
  Task<void> freeze() {
    static_cast<void>(co_await tell(owner(), {"HSET", key, "f", "reshard " + id(target())}));
  }

  const std::string key = cluster::crawl_key("m");
  const std::uint16_t slot = redis::slot_of(key);

 private:
  Task<void> begin(Play play) {
    cluster_.emplace(redis_model::ClusterOptions{.masters = 3, .replicas = replicas_, .lag = lag_},
                     base::Random(1));
    cluster_->start();
    NamedHosts names(1);
    net::Connector connector(names);
    async::Scope connections(async::OnFailure::keep_going);
    client_.emplace(redis::Access{.connector = &connector},
                    redis::ClientOptions{.seeds = cluster_->seeds(0), .connection = {}},
                    connections);
    EXPECT_TRUE(co_await client_->open(before_long()));
    EXPECT_TRUE(co_await cluster::install_functions(*client_, before_long()));
    cluster::SharedCrawl crawl(*client_, {.crawl = "m", .node = "a"});
    const auto replicas = static_cast<std::uint32_t>(replicas_);
    EXPECT_TRUE(co_await crawl.join({.settings = "s", .replicas = replicas, .identity = "i"}));
    co_await play(*this);
    client_->close();
    static_cast<void>(co_await connections.join());
    client_.reset();
    co_await cluster_->stop();
  }

  const std::size_t replicas_;
  const Range<Duration> lag_;
  std::optional<redis_model::Cluster> cluster_;
  std::optional<redis::Client> client_;
};

// What is written to a slot after it was copied would be lost.
Task<void> write_while_frozen(Moves& moves) {
  redis::Client& client = moves.client();
  co_await moves.freeze();
  const auto refused = co_await cluster::add_root_places(client, "m", {"http://a/"}, before_long());
  EXPECT_FALSE(refused);
  if (!refused) EXPECT_EQ(refused.error().code(), Errc::unavailable);
  const auto purged = co_await cluster::purge(client, "m", 20s);
  EXPECT_FALSE(purged);
  if (!purged) EXPECT_THAT(purged.error().to_string(), HasSubstr("parts of the crawl are frozen"));
  cluster::Reshard reshard(client, {});
  EXPECT_TRUE(co_await reshard.open());
  EXPECT_TRUE(co_await reshard.finish_interrupted());
  EXPECT_EQ(reshard.result().finished, 1u);
  EXPECT_TRUE(co_await cluster::add_root_places(client, "m", {"http://a/"}, before_long()));
  const auto places = co_await cluster::root_places(client, "m", before_long());
  EXPECT_TRUE(places && *places == std::vector<std::string>{"http://a/"});
}

TEST(SlotMoveTest, NothingIsWrittenToAFrozenSlot) { Moves(0).run(write_while_frozen); }

Task<void> leave_owner(Moves& moves) {
  co_await moves.freeze();
  const std::size_t owner = moves.owner();
  const std::size_t target = moves.target();
  const std::string slot = std::to_string(moves.slot);
  // The only copy is at the target.
  static_cast<void>(
      co_await moves.tell(target, {"CLUSTER", "SETSLOT", slot, "IMPORTING", moves.id(owner)}));
  static_cast<void>(
      co_await moves.tell(owner, {"CLUSTER", "SETSLOT", slot, "MIGRATING", moves.id(target)}));
  static_cast<void>(co_await moves.tell(target, {"HSET", "x{m}", "a", "1"}));
  cluster::Reshard reshard(moves.client(), {});
  EXPECT_TRUE(co_await reshard.open());
  const auto given_up = co_await reshard.abandon();
  EXPECT_FALSE(given_up);
  if (!given_up) EXPECT_EQ(given_up.error().code(), Errc::exists);
  EXPECT_TRUE(moves.server(target).data().keys().contains("x{m}"));
  // Even the key that names the crawl may be there.
  static_cast<void>(co_await moves.tell(target, {"HSET", moves.key, "i", "i"}));
  static_cast<void>(co_await moves.tell(owner, {"DEL", moves.key}));
  cluster::Reshard again(moves.client(), {});
  const auto opened = co_await again.open();
  EXPECT_FALSE(opened);
  if (!opened) EXPECT_EQ(opened.error().code(), Errc::exists);
}

TEST(SlotMoveTest, KeysThatLeftTheirOwnerAreNotDeleted) { Moves(0).run(leave_owner); }

Task<void> lose_replica(Moves& moves) {
  const std::size_t owner = moves.owner();
  for (const std::size_t each : moves.cluster().replicas_of(moves.target())) {
    moves.cluster().kill(each);
  }
  cluster::Reshard reshard(moves.client(), {});
  EXPECT_TRUE(co_await reshard.open());
  const auto moved = co_await reshard.move({moves.move()});
  EXPECT_FALSE(moved);
  if (!moved) EXPECT_THAT(moved.error().to_string(), HasSubstr("no replica of"));
  EXPECT_EQ(moves.owner(), owner);
  EXPECT_TRUE(moves.has_key(owner));
}

TEST(SlotMoveTest, WithoutAReplicaThatWorksTheOwnerKeepsTheSlot) { Moves(1).run(lose_replica); }

// The owner or a third master has the highest epoch that is known. A target that took the slot and
// failed has the next one.
Task<void> abandon_with_highest_epoch(Moves& moves) {
  std::uint64_t highest = 0;
  for (const std::size_t first : {moves.owner(), moves.third()}) {
    co_await moves.freeze();
    highest += 100;
    moves.server(first).epoch = highest;
    cluster::Reshard reshard(moves.client(), {});
    EXPECT_TRUE(co_await reshard.open());
    EXPECT_TRUE(co_await reshard.abandon());
    EXPECT_EQ(reshard.result().abandoned, 1u);
    EXPECT_GE(moves.server(moves.owner()).epoch, highest + 2);
    EXPECT_LT(moves.server(moves.third()).epoch, moves.server(moves.owner()).epoch);
  }
}

TEST(SlotMoveTest, AnOwnerThatKeepsItsSlotHasTheHighestEpoch) {
  Moves(0).run(abandon_with_highest_epoch);
}

// A master that was away while copies were removed still has some.
Task<void> find_old_copies(Moves& moves) {
  const std::string name = cluster::crawl_key("gone");
  const std::string slot = std::to_string(redis::slot_of(name));
  const std::size_t owner = (*moves.cluster().owners())[redis::slot_of(name)];
  const std::size_t other = (owner + 1) % 3;
  static_cast<void>(
      co_await moves.tell(other, {"CLUSTER", "SETSLOT", slot, "IMPORTING", moves.id(owner)}));
  static_cast<void>(co_await moves.tell(other, {"HSET", name, "i", "i"}));
  EXPECT_TRUE(moves.server(other).data().keys().contains(name));
  cluster::Reshard reshard(moves.client(), {});
  EXPECT_TRUE(co_await reshard.open());
  EXPECT_LE(reshard.used_slots().size(), 1u + cluster::kPartitions) << "only those of m";
}

TEST(SlotMoveTest, AnOldCopyIsNoCrawl) { Moves(0).run(find_old_copies); }

// Copies of an interrupted move are ours; others may have URLs.
Task<void> replace_copies(Moves& moves) {
  const std::string slot = std::to_string(moves.slot);
  for (const bool is_ours : {true, false}) {
    if (is_ours) co_await moves.freeze();
    static_cast<void>(co_await moves.tell(
        moves.target(), {"CLUSTER", "SETSLOT", slot, "IMPORTING", moves.id(moves.owner())}));
    static_cast<void>(co_await moves.tell(moves.target(), {"HSET", "x{m}", "a", "1"}));
    cluster::Reshard reshard(moves.client(), {});
    EXPECT_TRUE(co_await reshard.open());
    if (!is_ours) EXPECT_TRUE(co_await reshard.finish_interrupted()) << "they are not removed";
    EXPECT_TRUE(co_await reshard.move({moves.move()}));
    EXPECT_EQ(reshard.result().replaced, is_ours ? 0u : 1u);
    EXPECT_FALSE(moves.server(moves.owner()).data().keys().contains("x{m}"));
  }
}

TEST(SlotMoveTest, OnlyCopiesOfOtherProgramsAreReported) { Moves(0).run(replace_copies); }

Task<void> end_move(Moves& moves) {
  cluster::Reshard reshard(moves.client(), {});
  EXPECT_TRUE(co_await reshard.open());
  EXPECT_TRUE(co_await reshard.move({moves.move()}));
  const std::vector<std::size_t> replicas = moves.cluster().replicas_of(moves.owner());
  EXPECT_EQ(replicas.size(), 1u);
  const auto& keys = moves.server(replicas.front()).data().keys();
  EXPECT_FALSE(std::get<redis_model::Hash>(keys.at(moves.key)).contains("f"));
}

// Else a replica that replaces the new owner freezes the slot again, and nobody thaws it.
TEST(SlotMoveTest, AReplicaKnowsThatTheMoveHasEnded) { Moves(1, {300ms, 300ms}).run(end_move); }

// Waits until the slot has another owner, and then causes a fault. BORROWS: the moves.
Task<Result<void>> when_moved(Moves& moves, std::function<void()> fault) {
  const std::size_t former = moves.owner();
  while (moves.owner() == former) {
    if (auto slept = co_await async::sleep(10us); !slept) co_return slept;
  }
  fault();
  co_return {};
}

// Moves the slot with a fault after step 5. Returns the former owner. BORROWS: the moves.
Task<std::size_t> move_with_fault(Moves& moves, std::function<void()> fault) {
  const std::size_t former = moves.owner();
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(when_moved(moves, std::move(fault)));
  cluster::Reshard reshard(moves.client(), {});
  EXPECT_TRUE(co_await reshard.open());
  const auto moved = co_await reshard.move({moves.move()});
  EXPECT_TRUE(moved.has_value()) << moved.error().to_string();
  static_cast<void>(co_await scope.join());
  EXPECT_THAT(reshard.result().unclean,
              testing::ElementsAre(moves.cluster().seeds(0)[former].to_string()));
  EXPECT_TRUE(moves.server(former).importing.empty());
  co_return former;
}

// Removes what such a move has left. BORROWS: the moves.
Task<void> sweep(Moves& moves) {
  cluster::Reshard again(moves.client(), {});
  EXPECT_TRUE(co_await again.open());
  EXPECT_TRUE(co_await again.finish_interrupted());
  EXPECT_EQ(again.result().swept, 1u);
  EXPECT_TRUE(again.result().unclean.empty());
  EXPECT_TRUE(co_await async::sleep(1s));
  const std::vector<std::size_t> replicas = moves.cluster().replicas_of(moves.owner());
  for (std::size_t i = 0; i < moves.cluster().size(); ++i) {
    const bool is_owner = i == moves.owner() || std::ranges::find(replicas, i) != replicas.end();
    if (moves.server(i).is_up) EXPECT_EQ(moves.has_key(i), is_owner) << i;
  }
  cluster::Reshard last(moves.client(), {});
  EXPECT_TRUE(co_await last.open());
  EXPECT_TRUE(co_await last.finish_interrupted());
  EXPECT_EQ(last.result().swept, 0u);
}

// It cannot set the keys that its replica has, so it cannot delete them there.
Task<void> fill_former(Moves& moves) {
  const std::size_t former = moves.owner();
  co_await move_with_fault(moves, [&moves, former] { moves.cluster().set_full(former, true); });
  EXPECT_FALSE(moves.has_key(former));
  EXPECT_TRUE(moves.has_key(moves.cluster().replicas_of(former).front()));
  moves.cluster().set_full(former, false);
  co_await sweep(moves);
}

TEST(SlotMoveTest, CopiesOfReplicasAreReportedAndRemovedLater) { Moves(1).run(fill_former); }

// Then it is unknown whether a replica that replaces the owner is frozen.
Task<void> end_without_replica(Moves& moves) {
  const std::size_t target = moves.target();
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(when_moved(
      moves, [&moves, target] { moves.cluster().kill(moves.cluster().replicas_of(target)[0]); }));
  cluster::Reshard reshard(moves.client(), {});
  EXPECT_TRUE(co_await reshard.open());
  const auto moved = co_await reshard.move({moves.move()});
  static_cast<void>(co_await scope.join());
  EXPECT_EQ(moves.owner(), target);
  const auto& keys = moves.server(target).data().keys();
  EXPECT_FALSE(std::get<redis_model::Hash>(keys.at(moves.key)).contains("f"));
  EXPECT_FALSE(moved);
  if (!moved) EXPECT_THAT(moved.error().to_string(), HasSubstr("is in use again"));
}

TEST(SlotMoveTest, TheErrorSaysIfTheSlotIsInUseAgain) { Moves(1).run(end_without_replica); }

// Its replica replaces it, with its copies.
Task<void> kill_former(Moves& moves) {
  const std::size_t former = moves.owner();
  const std::size_t replica = moves.cluster().replicas_of(former).front();
  co_await move_with_fault(moves, [&moves, former] { moves.cluster().kill(former); });
  EXPECT_TRUE(co_await async::sleep(5s));
  EXPECT_TRUE(moves.server(replica).is_master());
  EXPECT_TRUE(moves.has_key(replica));
  co_await sweep(moves);
}

TEST(SlotMoveTest, CopiesOfASilentOwnerAreReportedAndRemovedLater) { Moves(1).run(kill_former); }

}  // namespace
}  // namespace gossamer::sim
