// For tests: a Redis server that has the functions of this version. A program links a real server
// (tests/end_to_end/real_redis.cc) or the model (tests/redis_model/modelled_redis.cc). So the same
// tests show what calls do, quickly in unit tests, and that the model does what Redis does.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "redis/client.h"
#include "redis/resp.h"
#include "redis/server_url.h"
#include "tests/support/patience.h"

namespace gossamer::redis {

// BORROWS: the client.
using RedisPlay = async::Task<void> (*)(Client& client, Node node);

// Runs a test with one server and a client that has opened it. Skips the test if there is none.
void run_with_redis(RedisPlay play);

// The deadline of what must succeed.
inline Instant in_time() { return async::Loop::current().now() + support::kPatience; }

// Runs one command on a server. Errors of the server are replies. BORROWS: the client.
inline async::Task<Result<Reply>> ask(Client& client, Node node, std::vector<std::string> words) {
  auto replies =
      co_await client.run_on(std::move(node), Commands().add(words), Lane::quick, in_time());
  if (!replies) co_return fail(std::move(replies).error());
  co_return std::move(replies->front());
}

}  // namespace gossamer::redis
