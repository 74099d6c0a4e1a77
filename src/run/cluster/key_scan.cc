#include "cluster/key_scan.h"

#include <string_view>
#include <utility>

#include "async/loop.h"
#include "redis/server_error.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::Reply;

// Keys that a master looks at in one step.
constexpr std::string_view kKeysInStep = "1000";

}  // namespace

KeyScan::KeyScan(redis::Client& client, std::vector<redis::Node> masters, std::string pattern,
                 Duration patience)
    : client_(client),
      pattern_(std::move(pattern)),
      patience_(patience),
      masters_(std::move(masters)) {}

Task<Result<std::optional<std::vector<std::string>>>> KeyScan::next() {
  if (master_ == masters_.size()) co_return std::nullopt;
  const redis::Node node = masters_[master_];
  // g++ 14 cannot translate a list with members of this where something awaits.
  auto step = redis::Commands().add({"SCAN", cursor_, "MATCH", pattern_, "COUNT", kKeysInStep});
  auto replies =
      co_await client_.run_on(node, std::move(step), redis::Lane::quick,
                              base::add_saturating(async::Loop::current().now(), patience_));
  if (!replies) co_return fail(std::move(replies).error());
  Reply& reply = replies->front();
  if (reply.is_error()) co_return fail(redis::error_of(reply.text, node));
  if (reply.items.size() != 2) co_return fail(Errc::malformed, "the reply to SCAN");
  cursor_ = std::move(reply.items[0].text);
  if (cursor_ == "0") ++master_;
  std::vector<std::string> keys;
  for (Reply& key : reply.items[1].items) keys.push_back(std::move(key.text));
  co_return keys;
}

}  // namespace gossamer::cluster
