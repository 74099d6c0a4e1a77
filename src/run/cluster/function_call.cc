#include "cluster/function_call.h"

namespace gossamer::cluster {

async::Task<Result<std::vector<redis::Reply>>> run_all(redis::Client& client,
                                                       std::vector<redis::Command> commands,
                                                       redis::RunOptions options) {
  auto results = co_await client.run(std::move(commands), options);
  std::vector<redis::Reply> replies;
  replies.reserve(results.size());
  for (auto& result : results) {
    if (!result) co_return fail(std::move(result).error());
    replies.push_back(std::move(*result));
  }
  co_return replies;
}

}  // namespace gossamer::cluster
