#include "cluster/purge.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "cluster/function_call.h"
#include "cluster/key_scan.h"
#include "cluster/layout.h"
#include "redis/slot.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::Lane;
using redis::Reply;

// BORROWS: the client.
Task<Result<std::uint64_t>> remove(redis::Client& client, std::vector<std::string> keys,
                                   Instant deadline) {
  std::vector<redis::Command> commands;
  for (std::string& key : keys) {
    const std::uint16_t slot = redis::slot_of(key);
    commands.push_back({.slot = slot, .words = {"UNLINK", std::move(key)}});
  }
  auto replies = co_await run_all(client, std::move(commands), {.deadline = deadline});
  if (!replies) co_return fail(std::move(replies).error());
  std::uint64_t removed = 0;
  for (const Reply& reply : *replies) removed += reply.as_integer(0) == 1 ? 1 : 0;
  co_return removed;
}

// What is deleted here after it was copied to another master would come back there. BORROWS: the
// client.
Task<Result<void>> check_not_frozen(redis::Client& client, std::string crawl, Instant deadline) {
  std::vector<std::string> keys = {crawl_key(crawl)};
  for (std::uint32_t i = 0; i < kPartitions; ++i) keys.push_back(partition_key(crawl, i));
  std::vector<redis::Command> commands;
  for (std::string& key : keys) {
    const std::uint16_t slot = redis::slot_of(key);
    commands.push_back({.slot = slot, .words = {"HEXISTS", std::move(key), "f"}});
  }
  auto replies =
      co_await run_all(client, std::move(commands), {.deadline = deadline, .lane = Lane::quick});
  if (!replies) co_return fail(std::move(replies).error());
  if (std::ranges::any_of(*replies, [](const Reply& each) { return each.as_integer(0) == 1; })) {
    co_return fail(
        Errc::unavailable,
        "an earlier version has frozen parts of the crawl; run `gossamer cluster accept`");
  }
  co_return {};
}

}  // namespace

Task<Result<std::uint64_t>> purge(redis::Client& client, std::string crawl, Duration patience) {
  const std::string last = crawl_key(crawl);
  const auto soon = [patience] {
    return base::add_saturating(async::Loop::current().now(), patience);
  };
  auto checked = co_await check_not_frozen(client, crawl, soon());
  if (!checked) co_return fail(std::move(checked).error(), "while deleting a crawl");
  // Functions refuse a partition without its first key. Otherwise a node that still ends its
  // requests could add keys that the scan does not see, and a later crawl would find them.
  std::vector<std::string> first;
  for (std::uint32_t i = 0; i < kPartitions; ++i) first.push_back(partition_key(crawl, i));
  auto closed = co_await remove(client, std::move(first), soon());
  if (!closed) co_return fail(std::move(closed).error(), "while deleting a crawl");
  std::uint64_t removed = *closed;
  // The name of a crawl contains no wildcards.
  std::vector<redis::Node> masters;
  for (const redis::SlotMap::Master& master : client.slots().masters()) {
    masters.push_back(master.node);
  }
  KeyScan scan(client, std::move(masters), "?{" + crawl + "*", patience);
  for (bool is_done = false; !is_done;) {
    auto keys = co_await scan.next();
    if (!keys) co_return fail(std::move(keys).error(), "while deleting a crawl");
    is_done = !keys->has_value();
    std::vector<std::string> its = is_done ? std::vector<std::string>{last} : std::move(**keys);
    // Nodes that still beat add these until the key of the crawl is gone.
    for (const char kind : {'M', 'N', 'L', 'O', 'W'}) {
      if (is_done) its.push_back(kind + last.substr(1));
    }
    std::erase_if(its, [&](const std::string& key) {
      return !is_key_of(key, crawl) || (!is_done && key == last);
    });
    auto done = co_await remove(client, std::move(its), soon());
    if (!done) co_return fail(std::move(done).error(), "while deleting a crawl");
    removed += *done;
  }
  co_return removed;
}

}  // namespace gossamer::cluster
