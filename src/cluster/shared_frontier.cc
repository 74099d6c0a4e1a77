#include "cluster/shared_frontier.h"

#include <algorithm>
#include <map>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/check.h"
#include "cluster/function_call.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::Command;
using redis::Reply;

// BOUND: groups of URLs in one call, since a function blocks its server.
constexpr std::size_t kGroupsMax = 64;
// The pause before links are sent again that too few replicas have.
constexpr Duration kAgainPause = 100ms;

Instant now() { return async::Loop::current().now(); }

Error malformed() { return Error(Errc::malformed, "the reply of a function in Redis"); }

std::string_view name(Then then) {
  switch (then) {
    case Then::release: return "release";
    case Then::keep: return "keep";
    case Then::more: return "more";
  }
  return "";
}

// Appends the batches of a reply from that item on.
Result<void> read_batches(const Reply& reply, std::size_t first, std::vector<UrlBatch>& into) {
  for (std::size_t i = first; i < reply.items.size(); ++i) {
    auto batch = read_batch(reply.items[i].text);
    if (!batch) return fail(std::move(batch).error());
    into.push_back(std::move(*batch));
  }
  return {};
}

// {host, batches ended, URLs ended, pause, expired leases, state, batch...}
Result<LeasedHost> read_host(const Reply& reply) {
  constexpr std::size_t kFields = 6;
  if (!reply.is_array() || reply.items.size() < kFields) return fail(malformed());
  LeasedHost host;
  host.host = reply.items[0].text;
  const std::int64_t batches = reply.items[1].as_integer(-1);
  const std::int64_t urls = reply.items[2].as_integer(-1);
  const std::int64_t pause = reply.items[3].as_integer(-1);
  const std::int64_t expired = reply.items[4].as_integer(-1);
  if (batches < 0 || urls < 0 || pause < 0 || expired < 0) return fail(malformed());
  host.position = {.batches = static_cast<std::uint64_t>(batches),
                   .urls = static_cast<std::uint32_t>(urls)};
  host.pause = std::chrono::milliseconds(pause);
  host.expired = static_cast<std::uint32_t>(expired);
  host.state = reply.items[5].text;
  if (auto read = read_batches(reply, kFields, host.batches); !read) {
    return fail(std::move(read).error(), "of " + host.host);
  }
  if (!host.batches.empty() && host.position.urls >= host.batches.front().live) {
    return fail(malformed());
  }
  return host;
}

Result<Completed> read_completed(const Reply& reply) {
  Completed completed;
  completed.is_lost = reply.kind == Reply::Kind::integer && reply.integer == -1;
  if (completed.is_lost) return completed;
  if (!reply.is_array() || reply.items.empty()) return fail(malformed());
  completed.waiting =
      static_cast<std::uint64_t>(std::max<std::int64_t>(reply.items[0].as_integer(0), 0));
  if (auto read = read_batches(reply, 1, completed.batches); !read) {
    return fail(std::move(read).error());
  }
  return completed;
}

void append(std::vector<std::string>& arguments, const FoundUrls& found) {
  CHECK(!found.fingerprints.empty() && found.fingerprints.size() <= kBatchMax);
  arguments.push_back(found.host);
  arguments.push_back(std::to_string(found.fingerprints.size()));
  for (const std::uint64_t each : found.fingerprints) arguments.push_back(fingerprint_digits(each));
  arguments.push_back(found.block);
}

void append(std::vector<std::string>& arguments, const Completion& each) {
  arguments.push_back(each.host);
  arguments.push_back(std::to_string(each.position.batches));
  arguments.push_back(std::to_string(each.position.urls));
  arguments.push_back(std::to_string(each.held));
  arguments.push_back(milliseconds(each.pause));
  arguments.emplace_back(name(each.then));
  arguments.push_back(std::to_string(each.urls));
  arguments.push_back(each.again ? write_batch(*each.again) : "");
  arguments.push_back(each.state);
}

}  // namespace

SharedFrontier::SharedFrontier(redis::Client& client, SharedFrontierOptions options,
                               std::move_only_function<std::uint64_t()> draw)
    : client_(client), options_(std::move(options)), draw_(std::move(draw)) {}

redis::RunOptions SharedFrontier::run_options() const {
  return {.deadline = base::add_saturating(now(), options_.patience)};
}

std::string SharedFrontier::make_token() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string token;
  for (int part = 0; part < 2; ++part) {
    std::uint64_t number = draw_();
    for (int i = 0; i < 16; ++i, number >>= 4) token += kDigits[number & 15];
  }
  return token;
}

// All replies, or the first failure.
Task<Result<std::vector<Reply>>> SharedFrontier::run_all(std::vector<Command> commands,
                                                         redis::RunOptions options) {
  auto results = co_await client_.run(std::move(commands), options);
  std::vector<Reply> replies;
  replies.reserve(results.size());
  for (auto& result : results) {
    if (!result) co_return fail(std::move(result).error());
    replies.push_back(std::move(*result));
  }
  co_return replies;
}

Task<Result<void>> SharedFrontier::prepare(std::string identity) {
  std::vector<Command> commands;
  for (std::uint32_t partition = 0; partition < kPartitions; ++partition) {
    const std::string key = partition_key(options_.crawl, partition);
    commands.push_back({.slot = redis::slot_of(key), .words = {"HSETNX", key, "v", identity}});
  }
  redis::RunOptions run = run_options();
  run.replicas = options_.replicas;
  auto replies = co_await run_all(std::move(commands), run);
  if (!replies) co_return fail(std::move(replies).error(), "while preparing a crawl");
  co_return {};
}

Task<Result<std::uint64_t>> SharedFrontier::add(std::vector<FoundUrls> found) {
  std::map<std::uint32_t, std::vector<const FoundUrls*>> by_partition;
  for (const FoundUrls& each : found) by_partition[each.partition].push_back(&each);
  std::vector<Command> commands;
  for (const auto& [partition, groups] : by_partition) {
    for (std::size_t first = 0; first < groups.size(); first += kGroupsMax) {
      std::vector<std::string> arguments;
      const std::size_t last = std::min(first + kGroupsMax, groups.size());
      for (std::size_t i = first; i < last; ++i) append(arguments, *groups[i]);
      commands.push_back(
          call_function("g1_add", partition_key(options_.crawl, partition), std::move(arguments)));
    }
  }
  redis::RunOptions run = run_options();
  run.replicas = options_.replicas;
  std::uint64_t added = 0;
  while (!commands.empty()) {
    auto results = co_await client_.run(commands, run);
    std::vector<Command> again;
    Error failure(Errc::unavailable);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i]) {
        for (const Reply& count : results[i]->items) {
          added += static_cast<std::uint64_t>(std::max<std::int64_t>(count.as_integer(0), 0));
        }
      } else if (results[i].error() == Errc::unavailable) {
        failure = std::move(results[i]).error();
        again.push_back(std::move(commands[i]));
      } else {
        co_return fail(std::move(results[i]).error(), "while adding links");
      }
    }
    commands = std::move(again);
    if (commands.empty()) break;
    if (base::add_saturating(now(), kAgainPause) >= run.deadline) {
      co_return fail(std::move(failure), "while adding links");
    }
    if (auto slept = co_await async::sleep(kAgainPause); !slept) {
      co_return fail(std::move(slept).error());
    }
  }
  co_return added;
}

Task<Result<std::vector<LeasedHost>>> SharedFrontier::lease(LeaseRequest request) {
  const Instant until = base::add_saturating(now(), options_.ttl - options_.margin);
  std::vector<Command> commands;
  std::vector<std::string> tokens;
  for (const std::uint32_t partition : request.partitions) {
    tokens.push_back(make_token());
    commands.push_back(call_function("g1_lease", partition_key(options_.crawl, partition),
                                     {tokens.back(), std::to_string(request.hosts_max),
                                      std::to_string(request.urls), milliseconds(options_.ttl)}));
  }
  redis::RunOptions run = run_options();
  run.lane = redis::Lane::quick;
  run.replicas = options_.replicas;
  run.is_repeatable = false;
  auto results = co_await client_.run(std::move(commands), run);
  std::vector<LeasedHost> hosts;
  std::optional<Error> failure;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) {
      // A lease that is lost, or that a failing master may forget, expires unused.
      failure = std::move(results[i]).error();
      continue;
    }
    for (const Reply& each : results[i]->items) {
      auto host = read_host(each);
      if (!host) co_return fail(std::move(host).error());
      host->partition = request.partitions[i];
      host->token = tokens[i];
      host->until = until;
      hosts.push_back(std::move(*host));
    }
  }
  if (hosts.empty() && failure) co_return fail(std::move(*failure), "while leasing hosts");
  co_return hosts;
}

Task<Result<std::vector<Completed>>> SharedFrontier::complete(std::vector<Completion> completions) {
  const Instant until = base::add_saturating(now(), options_.ttl - options_.margin);
  struct Call {
    std::vector<std::string> arguments;
    std::vector<std::size_t> indexes;
  };
  std::map<std::pair<std::uint32_t, std::string>, Call> calls;
  for (std::size_t i = 0; i < completions.size(); ++i) {
    Call& call = calls[{completions[i].partition, completions[i].token}];
    if (call.arguments.empty()) {
      call.arguments = {completions[i].token, milliseconds(options_.ttl)};
    }
    append(call.arguments, completions[i]);
    call.indexes.push_back(i);
  }
  std::vector<Command> commands;
  for (auto& [key, call] : calls) {
    commands.push_back(call_function("g1_complete", partition_key(options_.crawl, key.first),
                                     std::move(call.arguments)));
  }
  redis::RunOptions run = run_options();
  run.lane = redis::Lane::quick;
  // A lost release only repeats pages. A lost renewal would give the host to two nodes.
  const bool renews = std::ranges::any_of(
      completions, [](const Completion& each) { return each.then != Then::release; });
  if (renews) run.replicas = options_.replicas;
  auto replies = co_await run_all(std::move(commands), run);
  if (!replies) co_return fail(std::move(replies).error(), "while completing URLs");
  std::vector<Completed> all(completions.size());
  std::size_t next = 0;
  for (const auto& [key, call] : calls) {
    const Reply& reply = (*replies)[next++];
    if (reply.items.size() != call.indexes.size()) co_return fail(malformed());
    for (std::size_t i = 0; i < call.indexes.size(); ++i) {
      auto completed = read_completed(reply.items[i]);
      if (!completed) co_return fail(std::move(completed).error());
      completed->until = until;
      all[call.indexes[i]] = std::move(*completed);
    }
  }
  co_return all;
}

Task<Result<std::vector<std::string>>> SharedFrontier::renew(std::vector<LeasedHost*> hosts) {
  const Instant until = base::add_saturating(now(), options_.ttl - options_.margin);
  std::map<std::pair<std::uint32_t, std::string>, std::vector<LeasedHost*>> by_lease;
  for (LeasedHost* host : hosts) by_lease[{host->partition, host->token}].push_back(host);
  std::vector<Command> commands;
  for (const auto& [key, held] : by_lease) {
    std::vector<std::string> arguments = {key.second, milliseconds(options_.ttl)};
    for (const LeasedHost* host : held) arguments.push_back(host->host);
    commands.push_back(
        call_function("g1_renew", partition_key(options_.crawl, key.first), std::move(arguments)));
  }
  redis::RunOptions run = run_options();
  run.lane = redis::Lane::quick;
  run.replicas = options_.replicas;
  auto replies = co_await run_all(std::move(commands), run);
  if (!replies) co_return fail(std::move(replies).error(), "while renewing leases");
  std::vector<std::string> lost;
  std::size_t next = 0;
  for (const auto& [key, held] : by_lease) {
    const Reply& reply = (*replies)[next++];
    if (reply.items.size() != held.size()) co_return fail(malformed());
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (reply.items[i].as_integer(0) == 1) {
        held[i]->until = until;
      } else {
        lost.push_back(held[i]->host);
      }
    }
  }
  co_return lost;
}

Task<Result<SharedFrontier::Counts>> SharedFrontier::count() {
  std::vector<Command> ended;
  std::vector<Command> others;
  for (std::uint32_t partition = 0; partition < kPartitions; ++partition) {
    const std::string key = partition_key(options_.crawl, partition);
    const std::uint16_t slot = redis::slot_of(key);
    ended.push_back({.slot = slot, .words = {"HGET", key, "e"}});
    others.push_back({.slot = slot, .words = {"HMGET", key, "a", "h", "l", "f", "v"}});
    others.push_back({.slot = slot, .words = {"ZCARD", "R" + key.substr(1)}});
  }
  redis::RunOptions run = run_options();
  run.lane = redis::Lane::quick;
  auto first = co_await run_all(std::move(ended), run);
  if (!first) co_return fail(std::move(first).error(), "while counting URLs");
  auto second = co_await run_all(std::move(others), run);
  if (!second) co_return fail(std::move(second).error(), "while counting URLs");
  Counts counts;
  for (const Reply& reply : *first) {
    counts.ended += static_cast<std::uint64_t>(reply.as_integer(0));
  }
  for (std::size_t i = 0; i + 1 < second->size(); i += 2) {
    const std::vector<Reply>& fields = (*second)[i].items;
    if (fields.size() != 5) co_return fail(malformed());
    if (fields[4].is_null()) {
      co_return fail(Errc::not_found,
                     "Redis has lost partition " + std::to_string(i / 2) + " of the crawl");
    }
    counts.found += static_cast<std::uint64_t>(fields[0].as_integer(0));
    counts.hosts += static_cast<std::uint64_t>(fields[1].as_integer(0));
    counts.leased += static_cast<std::uint64_t>(std::max<std::int64_t>(fields[2].as_integer(0), 0));
    counts.frozen += fields[3].is_null() ? 0 : 1;
    counts.due += static_cast<std::uint64_t>((*second)[i + 1].as_integer(0));
  }
  co_return counts;
}

}  // namespace gossamer::cluster
