#include "cluster/shared_crawl.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "cluster/function_call.h"
#include "cluster/function_library.h"
#include "cluster/layout.h"
#include "redis/server_error.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::Commands;
using redis::Lane;
using redis::Node;
using redis::Reply;

constexpr std::size_t kNodesMax = 1000;
// BOUND: orders in one reply. Each has up to 16 KiB.
constexpr std::size_t kOrdersAtOnce = 1000;
// Before the functions are loaded again after a failure.
constexpr Duration kInstallPause = 100ms;
// A beat waits this long for functions. Other nodes forget one that they do not hear.
constexpr Duration kBeatDelayMax = 10s;
// Milliseconds in which a replica should get the functions.
constexpr std::string_view kInstallWait = "1000";

Error malformed_state() {
  return Error(Errc::malformed, "the state of a crawl in Redis is malformed");
}

// Returns whether the reply to FUNCTION LIST ... WITHCODE has exactly our source.
bool has_source(const Reply& reply, const std::string& code) {
  if (!reply.is_array() || reply.items.empty()) return false;
  const std::vector<Reply>& library = reply.items.front().items;
  for (std::size_t i = 0; i + 1 < library.size(); i += 2) {
    if (library[i].text == "library_code") return library[i + 1].text == code;
  }
  return false;
}

bool has_replica(const redis::Client& client, const Node& node) {
  return std::ranges::any_of(client.slots().masters(), [&node](const redis::SlotMap::Master& each) {
    return each.node == node && !each.replicas.empty();
  });
}

std::optional<Control> control_of(std::string_view text) {
  for (const Control control : {Control::run, Control::pause, Control::stop}) {
    if (text == name(control)) return control;
  }
  return std::nullopt;
}

std::uint64_t count_in(const Reply& field) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(field.as_integer(0), 0));
}

// {layout, settings, replicas, control, has begun, end, pages left, identity, pages reserved,
// nodes, orders}
Result<CrawlFacts> read_facts(const Reply& reply) {
  if (!reply.is_array() || reply.items.size() != 11) return fail(malformed_state());
  const std::vector<Reply>& fields = reply.items;
  if (!fields[0].text.empty() && fields[0].text != kLayoutVersion) {
    return fail(Errc::unsupported,
                "the crawl has layout " + fields[0].text + ", and this version of gossamer has " +
                    std::string(kLayoutVersion) +
                    "; use the version that began it, or another name for a new crawl");
  }
  CrawlFacts facts;
  facts.settings = fields[1].text;
  facts.identity = fields[7].text;
  facts.replicas = static_cast<std::uint32_t>(count_in(fields[2]));
  if (!facts.settings.empty() || !fields[3].text.empty()) {
    const auto control = control_of(fields[3].text);
    if (!control) return fail(malformed_state());
    facts.control = *control;
  }
  facts.has_begun = !fields[4].text.empty();
  facts.end = fields[5].text;
  if (!fields[6].text.empty()) facts.pages_left = count_in(fields[6]);
  facts.pages_reserved = count_in(fields[8]);
  facts.nodes = count_in(fields[9]);
  facts.orders = count_in(fields[10]);
  return facts;
}

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return line;
}

}  // namespace

bool may_pass(Errc code) {
  switch (code) {
    case Errc::timed_out:
    case Errc::closed:
    case Errc::refused:
    case Errc::reset:
    case Errc::peer_closed:
    case Errc::unavailable: return true;
    default: return false;
  }
}

std::string_view name(Control control) noexcept {
  switch (control) {
    case Control::run: return "run";
    case Control::pause: return "pause";
    case Control::stop: return "stop";
  }
  return "";
}

std::string settings_difference(std::string_view crawl, std::string_view node) {
  while (!crawl.empty() || !node.empty()) {
    const std::string_view theirs = take_line(crawl);
    const std::string_view ours = take_line(node);
    if (theirs == ours) continue;
    return "the crawl has " + (theirs.empty() ? "no such line" : "'" + std::string(theirs) + "'") +
           ", this node has " + (ours.empty() ? "no such line" : "'" + std::string(ours) + "'");
  }
  return "";
}

Task<Result<void>> install_functions_on(redis::Client& client, Node node, Instant deadline) {
  const std::string code = library_source();
  auto listed = co_await client.run_on(
      node, Commands().add({"FUNCTION", "LIST", "LIBRARYNAME", kLibraryName, "WITHCODE"}),
      Lane::quick, deadline);
  if (!listed) co_return fail(std::move(listed).error());
  if (listed->front().is_error()) {
    Error error = redis::error_of(listed->front().text, node);
    if (error != Errc::not_found) co_return fail(std::move(error));
    co_return fail(Errc::unsupported, node.to_string() + " has no functions; use Redis 7 or later");
  }
  if (has_source(listed->front(), code)) co_return {};
  // A replica that replaces its master should have them. If it does not, beat() loads them again,
  // so a replica that is down is no failure.
  Commands commands;
  commands.add({"FUNCTION", "LOAD", "REPLACE", code});
  if (has_replica(client, node)) commands.add({"WAIT", "1", kInstallWait});
  auto loaded = co_await client.run_on(node, std::move(commands), Lane::waiting, deadline);
  if (!loaded) co_return fail(std::move(loaded).error());
  if (loaded->front().is_error()) co_return fail(redis::error_of(loaded->front().text, node));
  co_return {};
}

Task<Result<void>> install_functions(redis::Client& client, Instant deadline) {
  std::vector<Node> left;
  for (const redis::SlotMap::Master& master : client.slots().masters()) {
    if (master.slots > 0) left.push_back(master.node);
  }
  for (;;) {
    Result<void> all;
    std::vector<Node> again;
    for (std::size_t i = 0; i < left.size(); ++i) {
      // A silent server leaves time for the others.
      const Instant now = async::Loop::current().now();
      const Duration share = (deadline - now) / static_cast<std::int64_t>(left.size() - i);
      auto done = co_await install_functions_on(client, left[i], base::add_saturating(now, share));
      if (done) continue;
      const bool is_final = !may_pass(done.error().code());
      if (!is_final) again.push_back(left[i]);
      if (all || is_final) all = std::move(done);
    }
    if (all) co_return {};
    const Instant next = base::add_saturating(async::Loop::current().now(), kInstallPause);
    if (!may_pass(all.error().code()) || next >= deadline) {
      co_return fail(std::move(all).error(), "while loading functions");
    }
    if (auto slept = co_await async::sleep(kInstallPause); !slept) co_return slept;
    left = std::move(again);
  }
}

SharedCrawl::SharedCrawl(redis::Client& client, SharedCrawlOptions options)
    : client_(client), options_(std::move(options)), key_(crawl_key(options_.crawl)) {}

redis::RunOptions SharedCrawl::run_options() const {
  return {.deadline = base::add_saturating(async::Loop::current().now(), options_.patience),
          .lane = Lane::waiting,
          .replicas = options_.replicas};
}

redis::RunOptions SharedCrawl::read_options() const {
  return {.deadline = run_options().deadline, .lane = Lane::quick};
}

Task<Result<Reply>> SharedCrawl::call(std::string function, std::vector<std::string> words) {
  words.push_back(identity_);
  co_return co_await client_.run(call_function(function, key_, std::move(words)), run_options());
}

Task<Result<CrawlFacts>> SharedCrawl::join(JoinRequest request) {
  const std::string pages = request.pages_max ? std::to_string(*request.pages_max) : "";
  redis::RunOptions run = run_options();
  run.is_persistent = true;  // replicas of a new cluster are not in step yet
  // Here and below: g++ 14 cannot translate a list with members of this where something awaits.
  auto call = call_function("g4_join", key_,
                            {options_.node, std::string(kLayoutVersion), request.settings,
                             std::to_string(request.replicas), pages, request.identity});
  auto reply = co_await client_.run(std::move(call), run);
  if (!reply) co_return fail(std::move(reply).error(), "while joining crawl " + options_.crawl);
  auto facts = read_facts(*reply);
  if (!facts) co_return facts;
  if (facts->settings.empty()) {
    co_return fail(Errc::not_found, "crawl " + options_.crawl + " has no settings yet");
  }
  if (!request.settings.empty() && request.settings != facts->settings) {
    co_return fail(Errc::invalid_argument,
                   "the settings differ from those of crawl " + options_.crawl + ": " +
                       settings_difference(facts->settings, request.settings));
  }
  identity_ = facts->identity;
  co_return facts;
}

Task<Result<CrawlFacts>> SharedCrawl::beat(std::string report, std::uint64_t pages_used) {
  if (const std::uint64_t missing = client_.counts().missing_functions; missing > missing_known_) {
    const Instant now = async::Loop::current().now();
    auto installed = co_await install_functions(client_, base::add_saturating(now, kBeatDelayMax));
    if (installed) missing_known_ = missing;
    if (!installed && !may_pass(installed.error().code())) {
      co_return fail(std::move(installed).error());
    }
  }
  std::vector<std::string> words = {options_.node, std::move(report),
                                    milliseconds(options_.lost_after), std::to_string(pages_used)};
  auto reply = co_await call("g4_beat", std::move(words));
  if (!reply) co_return fail(std::move(reply).error());
  co_return read_facts(*reply);
}

Task<Result<void>> SharedCrawl::leave(std::uint64_t pages_used) {
  std::vector<std::string> words = {options_.node, std::to_string(pages_used),
                                    milliseconds(options_.lost_after)};
  auto reply = co_await call("g4_leave", std::move(words));
  if (!reply) co_return fail(std::move(reply).error());
  co_return {};
}

Task<Result<void>> SharedCrawl::begin() {
  auto reply = co_await call("g4_begin", {});
  if (!reply) co_return fail(std::move(reply).error());
  co_return {};
}

Task<Result<bool>> SharedCrawl::finish(std::string reason, std::size_t orders) {
  auto reply = co_await call("g4_finish", {std::move(reason), std::to_string(orders)});
  if (!reply) co_return fail(std::move(reply).error());
  co_return reply->as_integer(0) == 1;
}

Task<Result<bool>> SharedCrawl::control(Control control) {
  auto reply = co_await call("g4_control", {std::string(name(control))});
  if (!reply) co_return fail(std::move(reply).error());
  co_return reply->as_integer(0) == 1;
}

Task<Result<bool>> SharedCrawl::order(std::string order) {
  auto reply = co_await call("g4_order", {std::move(order)});
  if (!reply) co_return fail(std::move(reply).error());
  co_return reply->as_integer(0) > 0;
}

Task<Result<std::vector<std::string>>> SharedCrawl::orders(std::size_t first) {
  const redis::RunOptions run = read_options();
  const std::string key = "O" + key_.substr(1);
  std::vector<std::string> orders;
  for (;;) {
    const std::size_t at = first + orders.size();
    auto reply = co_await client_.run(
        {.slot = redis::slot_of(key_),
         .words = {"LRANGE", key, std::to_string(at), std::to_string(at + kOrdersAtOnce - 1)}},
        run);
    if (!reply) co_return fail(std::move(reply).error());
    for (Reply& each : reply->items) orders.push_back(std::move(each.text));
    if (reply->items.size() < kOrdersAtOnce) co_return orders;
  }
}

Task<Result<std::uint64_t>> SharedCrawl::take_pages(std::uint64_t wanted, std::uint64_t used) {
  std::vector<std::string> words = {options_.node, std::to_string(wanted), std::to_string(used)};
  auto reply = co_await call("g4_quota", std::move(words));
  if (!reply) co_return fail(std::move(reply).error());
  const std::int64_t given = reply->as_integer(-1);
  if (given < 0) co_return fail(malformed_state());
  co_return static_cast<std::uint64_t>(given);
}

Task<Result<LevelStep>> SharedCrawl::level(LevelStep wanted) {
  auto reply =
      co_await call("g4_level", {std::to_string(wanted.number), std::to_string(wanted.depth)});
  if (!reply) co_return fail(std::move(reply).error());
  if (reply->items.size() != 2) co_return fail(malformed_state());
  const std::int64_t number = reply->items[0].as_integer(-1);
  const std::int64_t depth = reply->items[1].as_integer(-1);
  if (number < 0 || depth < 0 || depth > 0xFFFF) co_return fail(malformed_state());
  co_return LevelStep{.number = static_cast<std::uint64_t>(number),
                      .depth = static_cast<std::uint16_t>(depth)};
}

Task<Result<Duration>> SharedCrawl::reserve(std::string address, Duration gap,
                                            std::uint32_t moments) {
  std::string key = address_key(options_.crawl, address);
  // It waits for no replica: a reservation that is lost costs one pause, and a late answer more.
  redis::RunOptions run = read_options();
  run.is_repeatable = false;  // it would only waste moments, but there may be many
  auto reply = co_await client_.run(
      call_function("g4_reserve", std::move(key),
                    {std::move(address), milliseconds(gap), std::to_string(moments)}),
      run);
  if (!reply) co_return fail(std::move(reply).error());
  const std::int64_t wait = reply->as_integer(-1);
  if (wait < 0) co_return fail(malformed_state());
  co_return std::chrono::milliseconds(wait);
}

Task<Result<CrawlFacts>> SharedCrawl::facts() {
  const std::uint16_t slot = redis::slot_of(key_);
  const redis::RunOptions run = read_options();
  std::vector<redis::Command> commands;
  commands.push_back(
      {.slot = slot, .words = {"HMGET", key_, "v", "s", "r", "c", "b", "e", "q", "i", "o"}});
  commands.push_back({.slot = slot, .words = {"ZCARD", "M" + key_.substr(1)}});
  commands.push_back({.slot = slot, .words = {"LLEN", "O" + key_.substr(1)}});
  commands.push_back({.slot = slot, .words = {"HEXISTS", key_, "f"}});
  auto results = co_await run_all(client_, std::move(commands), run);
  if (!results) co_return fail(std::move(results).error());
  Reply all = std::move((*results)[0]);
  all.items.push_back(std::move((*results)[1]));
  all.items.push_back(std::move((*results)[2]));
  auto facts = read_facts(all);
  if (facts) facts->is_frozen = (*results)[3].as_integer(0) == 1;
  if (facts && facts->settings.empty()) {
    co_return fail(Errc::not_found, "there is no crawl " + options_.crawl);
  }
  if (facts && identity_.empty()) identity_ = facts->identity;
  co_return facts;
}

Task<Result<std::vector<NodeStatus>>> SharedCrawl::nodes() {
  const std::uint16_t slot = redis::slot_of(key_);
  const std::string tag = key_.substr(1);
  const redis::RunOptions run = read_options();
  std::vector<redis::Command> commands;
  commands.push_back({.slot = slot, .words = {"TIME"}});
  commands.push_back(
      {.slot = slot,
       .words = {"ZRANGE", "M" + tag, "0", std::to_string(kNodesMax - 1), "WITHSCORES"}});
  commands.push_back({.slot = slot, .words = {"HGETALL", "N" + tag}});
  auto results = co_await run_all(client_, std::move(commands), run);
  if (!results) co_return fail(std::move(results).error());
  std::unordered_map<std::string, std::string> reports;
  const std::vector<Reply>& fields = (*results)[2].items;
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2)
    reports[fields[i].text] = fields[i + 1].text;
  const std::vector<Reply>& clock = (*results)[0].items;
  if (clock.size() != 2) co_return fail(malformed_state());
  const std::int64_t time = clock[0].as_integer(0) * 1000 + clock[1].as_integer(0) / 1000;
  std::vector<NodeStatus> nodes;
  const std::vector<Reply>& members = (*results)[1].items;
  for (std::size_t i = 0; i + 1 < members.size(); i += 2) {
    NodeStatus status = {.name = members[i].text};
    const std::int64_t ago = std::max<std::int64_t>(time - members[i + 1].as_integer(time), 0);
    status.unseen = std::chrono::milliseconds(ago);
    status.report = reports[status.name];
    nodes.push_back(std::move(status));
  }
  co_return nodes;
}

}  // namespace gossamer::cluster
