#include "cluster/root_places.h"

#include <utility>

#include "cluster/function_call.h"
#include "cluster/layout.h"
#include "redis/slot.h"

namespace gossamer::cluster {

// BORROWS: the client.
async::Task<Result<void>> add_root_places(redis::Client& client, std::string crawl,
                                          std::vector<std::string> urls, Instant deadline) {
  const redis::RunOptions run = {.deadline = deadline, .lane = redis::Lane::quick};
  auto added =
      co_await client.run(call_function("g4_widen", crawl_key(crawl), std::move(urls)), run);
  if (!added) co_return fail(std::move(added).error(), "while sharing the scope");
  co_return {};
}

// BORROWS: the client.
async::Task<Result<std::vector<std::string>>> root_places(redis::Client& client, std::string crawl,
                                                          Instant deadline) {
  const redis::RunOptions run = {.deadline = deadline, .lane = redis::Lane::quick};
  std::string key = "W" + crawl_key(crawl).substr(1);
  const std::uint16_t slot = redis::slot_of(key);
  auto all = co_await client.run({.slot = slot, .words = {"SMEMBERS", std::move(key)}}, run);
  if (!all) co_return fail(std::move(all).error(), "while reading the scope");
  std::vector<std::string> urls;
  for (redis::Reply& each : all->items) urls.push_back(std::move(each.text));
  co_return urls;
}

}  // namespace gossamer::cluster
