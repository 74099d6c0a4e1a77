#include "cluster/shared_frontier.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "async/loop.h"
#include "base/check.h"
#include "cluster/function_call.h"
#include "cluster/partition_facts.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::Command;
using redis::Reply;

// BOUND: groups of URLs in one call, since a function blocks its server.
constexpr std::size_t kGroupsMax = 64;
// BOUND: bytes of links in one call, and in all calls that are sent together. One group may exceed
// the first.
constexpr std::size_t kCallBytesMax = std::size_t{1024} * 1024;
constexpr std::size_t kRoundBytesMax = std::size_t{8} * 1024 * 1024;

Instant now() { return async::Loop::current().now(); }

Error lost_partition(std::size_t partition) {
  return Error(Errc::not_found,
               "Redis has lost partition " + std::to_string(partition) + " of the crawl");
}

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

// {host, batches ended, URLs ended, pause, expired leases, state, kept, batch...}
Result<LeasedHost> read_host(const Reply& reply) {
  constexpr std::size_t kFields = 7;
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
  host.kept = reply.items[6].text;
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

// Returns the sum of the new URLs of all groups, and appends the groups that were refused.
Result<std::uint64_t> read_counts(const Reply& reply, std::span<const FoundUrls* const> groups,
                                  std::vector<FoundUrls>& refused) {
  constexpr std::int64_t kRefused = -1;
  if (!reply.is_array() || reply.items.size() != groups.size()) return fail(malformed());
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::int64_t count = reply.items[i].as_integer(kRefused - 1);
    if (count < kRefused) return fail(malformed());
    if (count == kRefused) {
      refused.push_back(*groups[i]);
    } else {
      sum += static_cast<std::uint64_t>(count);
    }
  }
  return sum;
}

// Four arguments. The function takes URLs that are not new out of the batch.
void append(std::vector<std::string>& arguments, const FoundUrls& found) {
  CHECK(!found.fingerprints.empty() && found.fingerprints.size() <= kBatchMax);
  const auto count = static_cast<std::uint8_t>(found.fingerprints.size());
  std::string digits;
  for (const std::uint64_t each : found.fingerprints) digits += fingerprint_digits(each);
  arguments.push_back(found.host);
  arguments.push_back(std::to_string(found.domain_bytes));
  arguments.push_back(std::move(digits));
  arguments.push_back(write_batch({.count = count,
                                   .live = count,
                                   .mask = ~std::uint64_t{0} >> (64 - count),
                                   .block = found.block}));
}

void append(std::vector<std::string>& arguments, const Completion& each) {
  arguments.push_back(each.host);
  arguments.push_back(each.token);
  arguments.push_back(std::to_string(each.position.batches));
  arguments.push_back(std::to_string(each.position.urls));
  arguments.push_back(std::to_string(each.held));
  arguments.push_back(milliseconds(each.pause));
  arguments.emplace_back(name(each.then));
  arguments.push_back(std::to_string(each.urls));
  arguments.push_back(each.again ? write_batch(*each.again) : "");
  arguments.push_back(each.state);
  arguments.push_back(each.kept);
}

// A call that adds groups of one partition.
struct AddCall {
  std::uint32_t partition = 0;
  std::vector<std::string> arguments;
  std::size_t groups = 0;
  std::size_t bytes = 0;
};

std::pair<std::uint32_t, std::uint16_t> place_of(const FoundUrls* found) {
  return {found->partition, found->depth};
}

// Makes the next call. REQUIRES: the groups are ordered by place_of(), and there is one at `first`.
AddCall next_call(const std::vector<const FoundUrls*>& found, std::size_t first,
                  const SharedFrontierOptions& options) {
  constexpr std::size_t kDigitsBytes = 19;  // of a fingerprint
  AddCall call = {.partition = found[first]->partition};
  if (options.is_level_by_level) call.arguments.push_back(std::to_string(found[first]->depth));
  call.arguments.push_back(std::to_string(options.hosts_per_domain_max));
  for (std::size_t i = first; i < found.size() && call.groups < kGroupsMax; ++i) {
    const FoundUrls& group = *found[i];
    if (place_of(&group) != place_of(found[first])) break;
    const std::size_t bytes =
        group.host.size() + group.block.size() + group.fingerprints.size() * kDigitsBytes;
    if (call.groups > 0 && call.bytes + bytes > kCallBytesMax) break;
    append(call.arguments, group);
    ++call.groups;
    call.bytes += bytes;
  }
  return call;
}

// A call for leased hosts of one partition.
struct LeaseCall {
  std::uint32_t partition = 0;
  std::vector<std::string> arguments;
  std::vector<std::size_t> indexes;  // of the hosts
};

// Divides hosts into calls: by partition, and at most kGroupsMax in each.
struct LeaseCalls {
  explicit LeaseCalls(std::string ttl) : ttl(std::move(ttl)) {}

  // Returns the arguments of the call for that host.
  std::vector<std::string>& add(std::uint32_t partition, std::size_t index) {
    const auto [place, is_new] = last.try_emplace(partition, all.size());
    if (!is_new && all[place->second].indexes.size() == kGroupsMax) place->second = all.size();
    if (place->second == all.size()) {
      all.push_back({.partition = partition, .arguments = {ttl}, .indexes = {}});
    }
    all[place->second].indexes.push_back(index);
    return all[place->second].arguments;
  }

  std::string ttl;
  std::vector<LeaseCall> all;
  std::map<std::uint32_t, std::size_t> last;  // of each partition, in `all`
};

}  // namespace

SharedFrontier::SharedFrontier(redis::Client& client, SharedFrontierOptions options,
                               std::move_only_function<std::uint64_t()> draw)
    : client_(client), options_(std::move(options)), draw_(std::move(draw)) {
  CHECK(options_.partitions >= 1 && options_.partitions <= kPartitions);
}

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

Command SharedFrontier::command(std::string_view function, std::uint32_t partition,
                                std::vector<std::string> arguments) const {
  arguments.push_back(identity_);
  return call_function(function, partition_key(options_.crawl, partition), std::move(arguments));
}

Task<Result<void>> SharedFrontier::prepare(std::string identity, Prepare how) {
  std::vector<Command> making;
  std::vector<Command> reading;
  for (std::uint32_t partition = 0; partition < options_.partitions; ++partition) {
    const std::string key = partition_key(options_.crawl, partition);
    const std::uint16_t slot = redis::slot_of(key);
    making.push_back({.slot = slot, .words = {"HSETNX", key, "v", identity}});
    const redis::SlotMap::Master* const owner = client_.slots().master_of(slot);
    if (owner != nullptr && !owner->id.empty()) {
      making.push_back({.slot = slot, .words = {"HSETNX", key, "n", owner->id}});
    }
    reading.push_back({.slot = slot, .words = {"HGET", key, "v"}});
  }
  redis::RunOptions run = run_options();
  if (how == Prepare::make) {
    run.replicas = options_.replicas;
    run.is_persistent = true;
    auto made = co_await run_all(client_, std::move(making), run);
    if (!made) co_return fail(std::move(made).error(), "while preparing a crawl");
    run.replicas = 0;
  }
  auto found = co_await run_all(client_, std::move(reading), run);
  if (!found) co_return fail(std::move(found).error(), "while preparing a crawl");
  for (std::size_t i = 0; i < found->size(); ++i) {
    if ((*found)[i].is_null()) co_return fail(lost_partition(i));
    if ((*found)[i].text != identity) {
      co_return fail(Errc::not_found, "partition " + std::to_string(i) + " of crawl " +
                                          options_.crawl + " belongs to an older crawl");
    }
  }
  identity_ = std::move(identity);
  co_return {};
}

Task<Result<std::uint64_t>> SharedFrontier::add(std::vector<FoundUrls> found) {
  refused_.clear();
  left_.clear();
  std::multimap<std::pair<std::uint32_t, std::uint16_t>, const FoundUrls*> by_place;
  for (const FoundUrls& each : found) by_place.emplace(place_of(&each), &each);
  std::vector<const FoundUrls*> ordered;
  for (const auto& [place, group] : by_place) ordered.push_back(group);
  const std::string_view function = options_.is_level_by_level ? "g4_add_at" : "g4_add";
  redis::RunOptions run = run_options();
  run.replicas = options_.replicas;
  std::uint64_t added = 0;
  std::optional<Error> failure;
  for (std::size_t next = 0; next < ordered.size();) {
    std::size_t at = next;
    std::vector<Command> commands;
    std::vector<std::size_t> sizes;  // groups of each command
    for (std::size_t bytes = 0; next < ordered.size() && bytes < kRoundBytesMax;) {
      AddCall call = next_call(ordered, next, options_);
      next += call.groups;
      bytes += call.bytes;
      sizes.push_back(call.groups);
      commands.push_back(command(function, call.partition, std::move(call.arguments)));
    }
    auto replies = co_await client_.run(std::move(commands), run);
    for (std::size_t i = 0; i < replies.size(); ++i) {
      const auto groups = std::span(ordered).subspan(at, sizes[i]);
      at += sizes[i];
      auto sum = replies[i] ? read_counts(*replies[i], groups, refused_)
                            : Result<std::uint64_t>(fail(std::move(replies[i]).error()));
      if (sum) {
        added += *sum;
        continue;
      }
      for (const FoundUrls* const group : groups) {
        left_.push_back(static_cast<std::size_t>(group - found.data()));
      }
      // A lost partition is worse than one that is not ready.
      if (!failure || sum.error() == Errc::not_found) failure = std::move(sum).error();
    }
  }
  std::ranges::sort(left_);
  if (failure) co_return fail(std::move(*failure), "while adding links");
  co_return added;
}

Task<Result<std::vector<LeasedHost>>> SharedFrontier::lease(LeaseRequest request) {
  const Instant until = base::add_saturating(now(), options_.ttl - options_.margin);
  std::vector<Command> commands;
  std::vector<std::string> tokens;
  for (const std::uint32_t partition : request.partitions) {
    tokens.push_back(make_token());
    commands.push_back(command("g4_lease", partition,
                               {tokens.back(), std::to_string(request.hosts_max),
                                std::to_string(request.urls), milliseconds(options_.ttl)}));
  }
  redis::RunOptions run = run_options();
  run.lane = redis::Lane::waiting;
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
      if (!host) {
        failure = std::move(host).error();  // the others are good
        continue;
      }
      host->partition = request.partitions[i];
      host->token = tokens[i];
      host->until = until;
      hosts.push_back(std::move(*host));
    }
  }
  if (hosts.empty() && failure) co_return fail(std::move(*failure), "while leasing hosts");
  co_return hosts;
}

Task<std::vector<Result<Completed>>> SharedFrontier::complete(std::vector<Completion> completions) {
  const Instant until = base::add_saturating(now(), options_.ttl - options_.margin);
  LeaseCalls calls(milliseconds(options_.ttl));
  for (std::size_t i = 0; i < completions.size(); ++i) {
    append(calls.add(completions[i].partition, i), completions[i]);
  }
  std::vector<Command> commands;
  for (LeaseCall& call : calls.all) {
    commands.push_back(command("g4_complete", call.partition, std::move(call.arguments)));
  }
  redis::RunOptions run = run_options();
  // A lost release only repeats pages. A lost renewal would give the host to two nodes.
  const bool renews = std::ranges::any_of(
      completions, [](const Completion& each) { return each.then != Then::release; });
  run.lane = renews ? redis::Lane::waiting : redis::Lane::quick;
  if (renews) run.replicas = options_.replicas;
  const auto results = co_await client_.run(std::move(commands), run);
  std::vector<Result<Completed>> all;
  for (std::size_t i = 0; i < completions.size(); ++i) all.emplace_back(fail(malformed()));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::vector<std::size_t>& indexes = calls.all[i].indexes;
    for (std::size_t j = 0; j < indexes.size(); ++j) {
      Result<Completed>& completed = all[indexes[j]];
      if (!results[i]) {
        completed = fail(results[i].error().copy(), "while completing URLs");
      } else if (results[i]->items.size() == indexes.size()) {
        completed = read_completed(results[i]->items[j]);
        if (completed) completed->until = until;
      }
    }
  }
  co_return all;
}

Task<Result<std::vector<std::string>>> SharedFrontier::renew(std::vector<LeasedHost*> hosts) {
  const Instant until = base::add_saturating(now(), options_.ttl - options_.margin);
  LeaseCalls calls(milliseconds(options_.ttl));
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    std::vector<std::string>& arguments = calls.add(hosts[i]->partition, i);
    arguments.push_back(hosts[i]->host);
    arguments.push_back(hosts[i]->token);
  }
  std::vector<Command> commands;
  for (LeaseCall& call : calls.all) {
    commands.push_back(command("g4_renew", call.partition, std::move(call.arguments)));
  }
  redis::RunOptions run = run_options();
  run.lane = redis::Lane::waiting;
  run.replicas = options_.replicas;
  auto results = co_await client_.run(std::move(commands), run);
  std::vector<std::string> lost;
  std::optional<Error> failure;
  bool is_answered = false;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::vector<std::size_t>& indexes = calls.all[i].indexes;
    if (!results[i] || results[i]->items.size() != indexes.size()) {
      failure = results[i] ? malformed() : std::move(results[i]).error();
      continue;
    }
    is_answered = true;
    for (std::size_t j = 0; j < indexes.size(); ++j) {
      LeasedHost& host = *hosts[indexes[j]];
      if (results[i]->items[j].as_integer(0) == 1) {
        host.until = until;
      } else {
        lost.push_back(host.host);
      }
    }
  }
  if (failure && !is_answered) co_return fail(std::move(*failure), "while renewing leases");
  co_return lost;
}

Task<Result<SharedFrontier::Counts>> SharedFrontier::count() {
  auto partitions = co_await read_partitions(client_, options_.crawl, options_.partitions,
                                             run_options().deadline);
  if (!partitions) co_return fail(std::move(partitions).error(), "while counting URLs");
  Counts counts;
  for (const PartitionFacts& each : *partitions) {
    if (each.identity.empty() || each.identity != identity_) {
      co_return fail(lost_partition(each.number));
    }
    if (each.found < each.ended + each.parked) {
      co_return fail(Errc::unavailable, "partition " + std::to_string(each.number) +
                                            " has ended more URLs than it found");
    }
    counts.ended += each.ended;
    counts.found += each.found;
    counts.hosts += each.hosts;
    counts.leased += each.leased;
    counts.due += each.due;
    counts.frozen += each.frozen.empty() ? 0 : 1;
    counts.misplaced += each.is_misplaced ? 1 : 0;
    if (each.parked > 0 && (counts.parked == 0 || each.lowest_parked < counts.lowest_parked)) {
      counts.lowest_parked = each.lowest_parked;
    }
    counts.parked += each.parked;
    counts.first_step = each.number == 0 ? each.step : std::min(counts.first_step, each.step);
    counts.last_step = std::max(counts.last_step, each.step);
  }
  co_return counts;
}

Task<Result<void>> SharedFrontier::take_step(LevelStep step) {
  std::vector<std::uint32_t> behind(options_.partitions);
  std::iota(behind.begin(), behind.end(), 0);
  while (!behind.empty()) {
    std::vector<Command> commands;
    for (const std::uint32_t partition : behind) {
      commands.push_back(
          command("g4_step", partition, {std::to_string(step.number), std::to_string(step.depth)}));
    }
    // A step that a failing master forgets is taken again: its partition is behind.
    auto replies = co_await run_all(client_, std::move(commands), run_options());
    if (!replies) co_return fail(std::move(replies).error(), "while changing the level");
    std::vector<std::uint32_t> left;
    for (std::size_t i = 0; i < behind.size(); ++i) {
      if ((*replies)[i].as_integer(0) != 1) left.push_back(behind[i]);
    }
    behind = std::move(left);
  }
  co_return {};
}

}  // namespace gossamer::cluster
