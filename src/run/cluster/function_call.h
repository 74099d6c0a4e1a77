#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "redis/client.h"
#include "redis/slot.h"

namespace gossamer::cluster {

// Makes the call of a function with one key.
inline redis::Command call_function(std::string_view name, std::string key,
                                    std::vector<std::string> arguments) {
  redis::Command command = {.slot = redis::slot_of(key), .words = {}};
  command.words.reserve(arguments.size() + 4);
  command.words.emplace_back("FCALL");
  command.words.emplace_back(name);
  command.words.emplace_back("1");
  command.words.push_back(std::move(key));
  for (std::string& argument : arguments) command.words.push_back(std::move(argument));
  return command;
}

// Runs the commands. Returns all replies, or the first failure. BORROWS: the client.
async::Task<Result<std::vector<redis::Reply>>> run_all(redis::Client& client,
                                                       std::vector<redis::Command> commands,
                                                       redis::RunOptions options);

// A number that cannot be negative; 0 if it is not a number.
inline std::uint64_t count_of(const redis::Reply& reply) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(reply.as_integer(0), 0));
}

// Milliseconds, rounded up, so that no pause is too short.
inline std::string milliseconds(Duration duration) {
  return std::to_string(std::chrono::ceil<std::chrono::milliseconds>(duration).count());
}

}  // namespace gossamer::cluster
