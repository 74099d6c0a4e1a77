#include "cluster/root_places.h"

#include <utility>

#include "cluster/layout.h"
#include "redis/slot.h"

namespace gossamer::cluster {
namespace {

redis::Command command(std::string word, const std::string& crawl, std::vector<std::string> more) {
  std::string key = "W" + crawl_key(crawl).substr(1);
  redis::Command made = {.slot = redis::slot_of(key), .words = {std::move(word), std::move(key)}};
  for (std::string& each : more) made.words.push_back(std::move(each));
  return made;
}

}  // namespace

// BORROWS: the client.
async::Task<Result<void>> add_root_places(redis::Client& client, std::string crawl,
                                          std::vector<std::string> urls, Instant deadline) {
  const redis::RunOptions run = {.deadline = deadline, .lane = redis::Lane::quick};
  auto count = co_await client.run(command("SCARD", crawl, {}), run);
  if (!count) co_return fail(std::move(count).error(), "while sharing the scope");
  if (count->as_integer(0) >= static_cast<std::int64_t>(kRootPlacesMax)) co_return {};
  auto added = co_await client.run(command("SADD", crawl, std::move(urls)), run);
  if (!added) co_return fail(std::move(added).error(), "while sharing the scope");
  co_return {};
}

// BORROWS: the client.
async::Task<Result<std::vector<std::string>>> root_places(redis::Client& client, std::string crawl,
                                                          Instant deadline) {
  const redis::RunOptions run = {.deadline = deadline, .lane = redis::Lane::quick};
  auto all = co_await client.run(command("SMEMBERS", crawl, {}), run);
  if (!all) co_return fail(std::move(all).error(), "while reading the scope");
  std::vector<std::string> urls;
  for (redis::Reply& each : all->items) urls.push_back(std::move(each.text));
  co_return urls;
}

}  // namespace gossamer::cluster
