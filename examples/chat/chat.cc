#include "examples/chat/chat.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "async/frame_pool.h"
#include "async/loop.h"
#include "async/scope.h"
#include "base/random.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {

namespace {

using async::Scope;
using async::Task;

// Every client without a fault has joined by then.
constexpr Duration kDoorsOpen = 10s;

async::Endpoint endpoint_of(std::size_t server) {
  return async::Endpoint::v4(10, 0, 0, static_cast<std::uint8_t>(server + 1), 6667);
}

std::string draw_text(base::Random& random) {
  // Most lines are short, some are longer than a window.
  const std::size_t size = draw({0, random.chance(0.1) ? 400u : 40u}, random);
  std::string text(size, ' ');
  for (char& c : text) c = static_cast<char>(random.below(256));
  return text;
}

ChatClientPlan draw_client(base::Random random, std::uint32_t client, std::size_t servers,
                           std::size_t rooms) {
  ChatClientPlan plan;
  plan.client = client;
  plan.server = static_cast<std::uint32_t>(random.below(servers));
  plan.room = static_cast<std::uint32_t>(random.below(rooms));
  plan.comes_after = draw({Duration::zero(), 3s}, random);
  plan.leaves_early = random.chance(0.1);
  plan.lines.resize(random.below(12));
  for (ChatClientPlan::Line& line : plan.lines) {
    line.pause = draw({Duration::zero(), 500ms}, random);
    line.text = draw_text(random);
  }
  return plan;
}

}  // namespace

Chat::Chat(std::uint64_t seed) : rooms_per_server_(0) {
  // A server drops a silent client before the others time out on the server.
  client_patience_.receive = 3 * patience_.receive;
  base::Random random = base::Random(seed).fork("chat");
  patience_.glance = draw({20ms, 500ms}, random);
  client_patience_.glance = draw({20ms, 500ms}, random);
  const std::size_t servers = draw({1, 3}, random);
  const std::size_t clients = draw({1, 14}, random);
  rooms_per_server_ = draw({1, 3}, random);
  for (std::size_t i = 0; i < servers; ++i) {
    servers_.emplace_back(endpoint_of(i), rooms_per_server_, patience_, traffic_);
  }
  for (std::uint32_t i = 0; i < clients; ++i) {
    ChatClientPlan plan =
        draw_client(random.fork("client " + std::to_string(i)), i, servers, rooms_per_server_);
    const async::Endpoint server = endpoint_of(plan.server);
    clients_.emplace_back(std::move(plan), server, client_patience_, traffic_);
  }
}

Task<Result<void>> Chat::run() {
  const Instant doors_close = async::Loop::current().now() + kDoorsOpen;
  Scope scope(async::OnFailure::keep_going);
  for (ChatServer& server : servers_) scope.spawn(server.serve(doors_close));
  for (ChatClient& client : clients_) scope.spawn(client.take_part());
  co_return co_await scope.join();
}

std::uint64_t Chat::lines_said() const {
  std::uint64_t sum = 0;
  for (const ChatClient& client : clients_) sum += client.record().lines_said;
  return sum;
}

std::uint64_t Chat::lines_heard() const {
  std::uint64_t sum = 0;
  for (const ChatClient& client : clients_) sum += client.record().heard.size();
  return sum;
}

std::size_t Chat::clients_hit(const SimDriver& driver) const {
  std::size_t count = 0;
  for (const ChatClient& client : clients_) {
    const auto connection = client.record().connection;
    if (connection && driver.connection(*connection).fault != Fault::none) ++count;
  }
  return count;
}

const ChatRoom& Chat::room_of(const ChatClient& client) const {
  return servers_[client.plan().server].room(client.plan().room);
}

// Returns the first line that differs from what its client said or that is out of order; empty if
// there is none. A listener joins late, so it may hear a client from any line on.
std::string Chat::fault_of_order(const std::vector<ChatFrame>& lines) const {
  std::map<std::uint32_t, std::uint32_t> next;
  std::optional<std::uint32_t> number;
  for (const ChatFrame& line : lines) {
    if (line.client >= clients_.size()) return fmt::format("an unknown client, {}", line.client);
    const auto& said = clients_[line.client].plan().lines;
    const std::uint32_t expected = next.try_emplace(line.client, line.sequence).first->second;
    if (line.sequence != expected || (number && line.number != *number + 1)) {
      return fmt::format("line {} of client {}, where {} should be", line.sequence, line.client,
                         expected);
    }
    if (line.sequence >= said.size() || line.text != said[line.sequence].text) {
      return fmt::format("line {} of client {} is not what it said", line.sequence, line.client);
    }
    next[line.client] = line.sequence + 1;
    number = line.number;
  }
  return {};
}

void Chat::examine_rooms(std::vector<std::string>& found) const {
  for (std::size_t server = 0; server < servers_.size(); ++server) {
    for (std::size_t room = 0; room < rooms_per_server_; ++room) {
      const std::string fault = fault_of_order(servers_[server].room(room).lines());
      if (fault.empty()) continue;
      found.push_back(fmt::format("room {} of server {} has {}", room, server, fault));
    }
  }
}

void Chat::examine(const ChatClient& client, Fault fault, std::vector<std::string>& found) const {
  const std::uint32_t name = client.plan().client;
  const ChatClientRecord& record = client.record();
  const auto& lines = room_of(client).lines();
  if (const std::string order = fault_of_order(record.heard); !order.empty()) {
    found.push_back(fmt::format("client {} heard {}", name, order));
  }
  const std::size_t first = record.welcomed_at.value_or(0);
  const bool is_part = first + record.heard.size() <= lines.size() &&
                       std::equal(record.heard.begin(), record.heard.end(),
                                  lines.begin() + static_cast<std::ptrdiff_t>(first));
  if (!is_part) found.push_back(fmt::format("client {} heard other lines than its room", name));
  if (fault != Fault::none || client.plan().leaves_early) return;
  // This client had no fault, so nothing may be missing.
  if (record.lines_said != client.plan().lines.size()) {
    found.push_back(fmt::format("client {} said {} of {} lines", name, record.lines_said,
                                client.plan().lines.size()));
  }
  if (!record.welcomed_at || !record.heard_all || first + record.heard.size() != lines.size()) {
    found.push_back(fmt::format("client {} was{} welcomed, heard {} of lines {} to {}, {}", name,
                                record.welcomed_at ? "" : " not", record.heard.size(), first,
                                lines.size(), record.heard_all ? "and the end" : "not the end"));
  }
}

std::vector<std::string> Chat::problems(const SimDriver& driver) const {
  std::vector<std::string> found;
  const Ledger ledger = driver.ledger();
  if (!ledger.balanced()) found.push_back("bytes are missing: " + describe(ledger));
  if (ledger.in_flight != 0) found.push_back("bytes never came to rest: " + describe(ledger));
  if (ledger.received != traffic_.bytes_received) {
    found.push_back(fmt::format("{} bytes were delivered, {} received", ledger.received,
                                traffic_.bytes_received));
  }
  if (ledger.sent < traffic_.bytes_sent || ledger.sent > traffic_.bytes_offered) {
    found.push_back(fmt::format("{} bytes were handed over, at least {} and at most {} sent",
                                ledger.sent, traffic_.bytes_sent, traffic_.bytes_offered));
  }
  if (driver.sockets_open() != 0) found.push_back("a socket was left open");
  if (driver.buffers_lent() != 0) found.push_back("a buffer was not given back");
  examine_rooms(found);
  for (const ChatClient& client : clients_) {
    const auto connection = client.record().connection;
    if (!connection) {
      found.push_back(fmt::format("client {} never came", client.plan().client));
      continue;
    }
    examine(client, driver.connection(*connection).fault, found);
  }
  return found;
}

ChatReport run_chat(const SimOptions& options) {
  const std::int64_t frames_before = async::FramePool::live();
  World world(options);
  Chat chat(options.seed);
  const auto ended = world.run(chat.run());
  const SimDriver& driver = world.driver();
  ChatReport report = {.seed = options.seed,
                       .servers = chat.servers(),
                       .clients = chat.clients(),
                       .clients_hit = chat.clients_hit(driver),
                       .lines_said = chat.lines_said(),
                       .lines_heard = chat.lines_heard(),
                       .virtual_time = driver.now().time_since_epoch(),
                       .trace_hash = driver.trace_hash(),
                       .trace_size = driver.trace_size(),
                       .ledger = driver.ledger(),
                       .problems = chat.problems(driver)};
  if (!ended) report.problems.push_back("the chat failed: " + ended.error().to_string());
  if (world.loop().timers().size() > 0) report.problems.push_back("a timer was left");
  const std::int64_t frames_left = async::FramePool::live() - frames_before;
  if (frames_left != 0) report.problems.push_back(fmt::format("{} frames left", frames_left));
  return report;
}

ChatReport run_chat(std::uint64_t seed) { return run_chat(draw_options(seed)); }

std::string describe(const ChatReport& report) {
  std::string text = fmt::format(
      "seed {}: {} servers, {} clients ({} hit by a fault), {} lines said, {} heard, {}, "
      "{} events, trace {:016x}\n  {}\n",
      report.seed, report.servers, report.clients, report.clients_hit, report.lines_said,
      report.lines_heard, base::to_string(report.virtual_time), report.trace_size,
      report.trace_hash, describe(report.ledger));
  for (const std::string& problem : report.problems) text += "  PROBLEM: " + problem + "\n";
  return text;
}

}  // namespace gossamer::sim
