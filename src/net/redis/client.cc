#include "redis/client.h"

#include <algorithm>
#include <map>
#include <set>

#include "async/cancel_scope.h"
#include "async/gather.h"
#include "async/loop.h"
#include "async/sleep.h"
#include "async/until.h"
#include "base/check.h"
#include "redis/server_error.h"

namespace gossamer::redis {
namespace {

using async::Task;

// An attempt with less time than this is not begun.
constexpr Duration kAttemptMin = 1ms;

Instant now() { return async::Loop::current().now(); }

// Returns whether another attempt can change nothing.
bool is_final(Errc code) {
  return code == Errc::cancelled || code == Errc::denied || code == Errc::tls_failed ||
         code == Errc::over_limit;
}

// The error of a command when no more attempts follow.
Error given_up(const Error& why) {
  if (is_final(why.code()) || why == Errc::timed_out || why == Errc::unavailable) return why.copy();
  return Error(Errc::unavailable, why.to_string());
}

}  // namespace

// The commands of a run that are still open, and the results of the others.
struct Client::Round {
  const std::vector<Command>& commands;  // BORROWS
  const RunOptions& options;             // BORROWS
  std::vector<Result<Reply>> results;
  std::vector<Open> open;
  std::vector<Open> again;  // for the next round
  bool must_pause = false;

  void repeat(const Open& command, Error why, std::optional<Node> asked = std::nullopt) {
    results[command.index] = fail(std::move(why));
    again.push_back({.index = command.index, .asked = std::move(asked)});
  }
};

// The commands of a round for one server.
struct Client::Group {
  Node node;
  std::vector<Open> open;
};

Client::Client(Access access, ClientOptions options, async::Scope& scope)
    : access_(std::move(access)), options_(std::move(options)), scope_(scope) {}

void Client::close() {
  is_closed_ = true;
  for (auto& [key, line] : lines_) {
    if (line->connection != nullptr) line->connection->close();
  }
}

Task<Result<void>> Client::open(Instant deadline) {
  for (std::size_t attempt = 0;; ++attempt) {
    auto read = co_await refresh(deadline);
    if (read || read.error() == Errc::denied || read.error() == Errc::cancelled) co_return read;
    if (read.error() == Errc::tls_failed || read.error() == Errc::invalid_argument) co_return read;
    const Duration pause = pause_before(attempt + 1);
    if (base::add_saturating(now(), pause) >= deadline) co_return read;
    if (auto slept = co_await async::sleep(pause); !slept) co_return slept;
  }
}

Task<Result<std::shared_ptr<Connection>>> Client::connection_to(Node node, Lane lane,
                                                                Instant deadline) {
  if (is_closed_) co_return fail(Errc::closed, "the client was closed");
  if (lines_.size() >= kLanes * SlotMap::kNodesMax && !lines_.contains({node, lane})) {
    co_return fail(Errc::over_limit, "too many servers");
  }
  std::shared_ptr<Line>& place = lines_[{node, lane}];
  if (place == nullptr) place = std::make_shared<Line>();
  const std::shared_ptr<Line> line = place;
  if (line->connection != nullptr && line->connection->is_open()) co_return line->connection;
  auto lock = co_await async::until(deadline, [&line] { return line->opening.lock(); });
  if (!lock) co_return fail(std::move(lock).error());
  if (line->connection != nullptr && line->connection->is_open()) co_return line->connection;
  ConnectionOptions options = options_.connection;
  options.reply_timeout = options_.attempt_timeout;
  auto opened = co_await Connection::open(access_, node, scope_, options, deadline);
  if (!opened) co_return fail(std::move(opened).error());
  if (is_closed_) {
    (*opened)->close();
    co_return fail(Errc::closed, "the client was closed");
  }
  line->connection = std::move(*opened);
  co_return line->connection;
}

Task<Result<std::vector<Reply>>> Client::run_on(Node node, Commands commands, Lane lane,
                                                Instant deadline) {
  const Instant until = std::min(deadline, base::add_saturating(now(), options_.attempt_timeout));
  auto connection = co_await connection_to(std::move(node), lane, until);
  if (!connection) co_return fail(std::move(connection).error());
  counts_.commands += commands.count();
  ++counts_.round_trips;
  co_return co_await (*connection)->call(std::move(commands), deadline);
}

Task<Result<void>> Client::reload(Instant deadline) {
  is_stale_ = true;
  return refresh(deadline);
}

Task<Result<void>> Client::refresh(Instant deadline) {
  auto lock = co_await async::until(deadline, [this] { return refreshing_.lock(); });
  if (!lock) co_return fail(std::move(lock).error());
  if (!is_stale_ && slots_.slots_covered() > 0) co_return {};  // another call has refreshed it
  const std::vector<Node> nodes = servers_with_map();
  Result<void> read = fail(Errc::invalid_argument, "no server is named");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    // A silent server leaves time for the others.
    const Duration share = (deadline - now()) / static_cast<std::int64_t>(nodes.size() - i);
    read = co_await refresh_from(nodes[i], base::add_saturating(now(), share));
    if (read || read.error() == Errc::denied || read.error() == Errc::cancelled) break;
    if (now() >= deadline) break;
  }
  co_return read;
}

std::vector<Node> Client::servers_with_map() {
  std::vector<Node> nodes;
  for (const SlotMap::Master& master : slots_.masters()) {
    nodes.push_back(master.node);
    nodes.insert(nodes.end(), master.replicas.begin(), master.replicas.end());
  }
  nodes.insert(nodes.end(), options_.seeds.begin(), options_.seeds.end());
  std::erase_if(asked_for_map_, [&nodes](const auto& entry) {
    return std::ranges::find(nodes, entry.first) == nodes.end();
  });
  if (is_doubtful_) {
    std::multimap<std::uint64_t, Node> by_request;
    for (Node& node : nodes) {
      const auto asked = asked_for_map_.find(node);
      by_request.emplace(asked == asked_for_map_.end() ? 0 : asked->second, std::move(node));
    }
    nodes.clear();
    for (auto& [request, node] : by_request) nodes.push_back(std::move(node));
  } else if (const auto answered = std::ranges::find(nodes, answered_); answered != nodes.end()) {
    std::iter_swap(nodes.begin(), answered);
  }
  return nodes;
}

void Client::doubt_map(const Node& server) {
  is_stale_ = true;
  is_doubtful_ = true;
  asked_for_map_[server] = ++map_requests_;
}

Task<Result<void>> Client::refresh_from(Node node, Instant deadline) {
  asked_for_map_[node] = ++map_requests_;
  auto replies = co_await run_on(node, Commands().add({"CLUSTER", "SLOTS"}), Lane::quick, deadline);
  if (!replies) co_return fail(std::move(replies).error());
  answered_ = node;
  const Reply& reply = replies->front();
  if (reply.is_error()) {
    if (!reply.text.contains("cluster support disabled")) {
      co_return fail(error_of(reply.text, node));
    }
    slots_ = SlotMap::single(std::move(node));
    is_cluster_ = false;
    is_stale_ = false;
    is_doubtful_ = false;
    co_return {};
  }
  auto map = SlotMap::parse(reply, node);
  if (!map) co_return fail(std::move(map).error(), "from " + node.to_string());
  if (map->slots_covered() == 0) {
    co_return fail(Errc::unavailable, node.to_string() + " knows no server with slots");
  }
  slots_ = std::move(*map);
  is_cluster_ = true;
  is_stale_ = false;
  is_doubtful_ = false;
  drop_unused_lines();
  co_return {};
}

// Forgets servers that have left the cluster.
void Client::drop_unused_lines() {
  std::set<Node> used(options_.seeds.begin(), options_.seeds.end());
  for (const SlotMap::Master& master : slots_.masters()) {
    used.insert(master.node);
    used.insert(master.replicas.begin(), master.replicas.end());
  }
  std::erase_if(lines_, [&used](const auto& entry) {
    const auto& [key, line] = entry;
    // A line without a connection may be about to get one.
    if (used.contains(key.first) || line->connection == nullptr) return false;
    if (!line->connection->is_idle()) return false;
    line->connection->close();
    return true;
  });
}

Task<Result<Reply>> Client::run(Command command, RunOptions options) {
  std::vector<Command> commands;
  commands.push_back(std::move(command));
  auto results = co_await run(std::move(commands), options);
  co_return std::move(results.front());
}

Task<std::vector<Result<Reply>>> Client::run(std::vector<Command> commands, RunOptions options) {
  CHECK(options.replicas == 0 || options.lane != Lane::quick);
  Round round = {.commands = commands, .options = options};
  for (std::size_t i = 0; i < commands.size(); ++i) {
    round.results.emplace_back(fail(Errc::timed_out, "the deadline passed"));
    round.open.push_back({.index = i, .asked = {}});
  }
  for (std::size_t attempt = 0; !round.open.empty(); ++attempt) {
    if (attempt > 1 || round.must_pause) {
      const Duration pause = pause_before(attempt);
      if (base::add_saturating(now(), pause) >= options.deadline) break;
      if (!co_await async::sleep(pause)) break;
    }
    // If it cannot be refreshed, the old map may still be right.
    if (is_stale_) static_cast<void>(co_await refresh(options.deadline));
    if (is_closed_ || async::cancel_requested()) break;
    if (base::add_saturating(now(), kAttemptMin) >= options.deadline) break;
    round.must_pause = false;
    std::vector<Group> groups = group(round);
    std::vector<Task<void>> tasks;
    for (Group& each : groups) tasks.push_back(send(round, each));
    co_await async::gather(std::move(tasks));
    round.open = std::exchange(round.again, {});
    counts_.repeats += round.open.size();
    if (now() >= options.deadline) break;
  }
  for (const Open& open : round.open) {
    Result<Reply>& result = round.results[open.index];
    result = async::cancel_requested() ? fail(Errc::cancelled) : fail(given_up(result.error()));
  }
  co_return std::move(round.results);
}

std::vector<Client::Group> Client::group(Round& round) {
  std::map<Node, std::size_t> places;
  std::vector<Group> groups;
  for (Open& open : round.open) {
    const std::uint16_t slot = round.commands[open.index].slot;
    std::optional<Node> node = open.asked ? open.asked : slots_.owner(slot);
    if (!node) {
      round.repeat(open, Error(Errc::unavailable, "no server owns slot " + std::to_string(slot)));
      round.must_pause = true;
      doubt_map(answered_);
      continue;
    }
    const auto [place, is_new] = places.try_emplace(*node, groups.size());
    if (is_new) groups.push_back({.node = std::move(*node), .open = {}});
    groups[place->second].open.push_back(std::move(open));
  }
  return groups;
}

Task<void> Client::send(Round& round, Group& group) {
  Commands commands;
  for (const Open& open : group.open) {
    if (open.asked) commands.add({"ASKING"});
    commands.add(round.commands[open.index].words);
  }
  if (round.options.replicas > 0) {
    const Duration most = std::min(round.options.replicas_timeout, round.options.deadline - now());
    const auto timeout = std::chrono::duration_cast<std::chrono::milliseconds>(most);
    // WAIT with 0 has no timeout.
    const std::int64_t count = std::max<std::int64_t>(timeout.count(), 1);
    commands.add({"WAIT", std::to_string(round.options.replicas), std::to_string(count)});
  }
  auto replies =
      co_await run_on(group.node, std::move(commands), round.options.lane, round.options.deadline);
  read_replies(round, group, std::move(replies));
}

void Client::read_replies(Round& round, const Group& group, Result<std::vector<Reply>> replies) {
  if (!replies && (is_closed_ || is_final(replies.error().code()))) {
    for (const Open& open : group.open) {
      round.results[open.index] = fail(given_up(replies.error()));
    }
    return;
  }
  if (!replies) {
    if (is_cluster_) doubt_map(group.node);
    round.must_pause = true;
    for (const Open& open : group.open) {
      // A connection that never was has executed nothing.
      if (round.options.is_repeatable || replies.error() == Errc::refused) {
        round.repeat(open, replies.error().copy());
      } else {
        round.results[open.index] = fail(given_up(replies.error()));
      }
    }
    return;
  }
  const bool has_wait = round.options.replicas > 0;
  const bool is_safe =
      !has_wait || replies->back().as_integer(0) >= std::int64_t{round.options.replicas};
  std::size_t next = 0;
  for (const Open& open : group.open) {
    if (open.asked) ++next;  // the reply to ASKING
    read_reply(round, open, group.node, std::move((*replies)[next++]), is_safe);
  }
}

void Client::read_reply(Round& round, const Open& open, const Node& sender, Reply reply,
                        bool is_safe) {
  if (!reply.is_error()) {
    if (!is_safe) {
      repeat_or_fail(
          round, open,
          Error(Errc::unavailable, sender.to_string() + " has too few replicas in time"));
      return;
    }
    round.results[open.index] = std::move(reply);
    return;
  }
  Advice advice = advice_for(reply.text, sender);
  Error error = error_of(reply.text, sender);
  switch (advice.action) {
    case Advice::Action::report:
      if (is_missing_function(reply.text)) ++counts_.missing_functions;
      repeat_or_fail(round, open, std::move(error));
      return;
    case Advice::Action::follow:
      ++counts_.redirections;
      slots_.move(advice.slot, *advice.node);
      is_stale_ = true;
      round.repeat(open, std::move(error));
      return;
    case Advice::Action::ask:
      ++counts_.redirections;
      round.repeat(open, std::move(error), std::move(advice.node));
      return;
    case Advice::Action::refresh: doubt_map(sender); [[fallthrough]];
    case Advice::Action::try_later:
      round.must_pause = true;
      is_stale_ = is_stale_ || is_cluster_;
      round.repeat(open, std::move(error), open.asked);
      return;
  }
}

void Client::repeat_or_fail(Round& round, const Open& open, Error error) {
  if (round.options.is_persistent && error == Errc::unavailable) {
    round.must_pause = true;
    round.repeat(open, std::move(error), open.asked);
  } else {
    round.results[open.index] = fail(std::move(error));
  }
}

Duration Client::pause_before(std::size_t attempt) const {
  const std::size_t doublings = std::min<std::size_t>(attempt, 10);
  return std::min(options_.pause_max, options_.pause_min * (std::int64_t{1} << doublings) / 2);
}

}  // namespace gossamer::redis
