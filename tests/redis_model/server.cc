#include "tests/redis_model/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/number.h"
#include "redis/slot.h"

namespace gossamer::redis_model {
namespace {

Reply ok() { return text("OK"); }

std::uint16_t slot_in(const std::string& word) {
  std::uint16_t slot = 0;
  CHECK(base::parse_number(word, slot) && slot < redis::kSlots);
  return slot;
}

// The place of the first key; 0: the command has none.
std::size_t key_place(const Words& words) {
  if (words[0] == "FCALL") return 3;
  return facts_of(words[0]).is_known ? 1 : 0;
}

}  // namespace

Server::Server(std::size_t number, View& view)
    : number_(number), id_(fmt::format("{:040x}", number + 0xa0)), view_(view) {}

Server* Server::find(const std::string& id) const {
  for (std::size_t i = 0; i < view_.size(); ++i) {
    if (view_.server(i).id() == id) return &view_.server(i);
  }
  return nullptr;
}

void Server::record(Effect effect, Session* session) {
  history_.push_back(std::make_shared<const Effect>(std::move(effect)));
  if (session != nullptr) session->last_write = history_.size();
  view_.changed(number_);
}

void Server::apply(const Effect& effect) {
  for (const Words& words : effect.commands) static_cast<void>(data_.run(words, 0));
  if (effect.library != nullptr) library_ = effect.library;
  for (const auto& [key, value] : effect.restored) data_.keys().insert_or_assign(key, value);
}

void Server::follow(const Server& of, std::size_t length) {
  if (branch_ != of.branch_ || history_.size() > of.history_.size()) {  // it copies everything
    data_ = of.data_;
    library_ = of.library_;
    history_ = of.history_;
    branch_ = of.branch_;
    return;
  }
  while (history_.size() < length) {
    history_.push_back(of.history_[history_.size()]);
    apply(*history_.back());
  }
}

void Server::promote() {
  master.reset();
  branch_ = 1 + std::max(branch_, epoch);
  for (std::size_t i = 0; i < view_.size(); ++i) {
    branch_ = std::max(branch_, view_.server(i).branch_ + 1);
  }
  importing.clear();
  migrating.clear();
  lost_slots.clear();
}

void Server::drop_lost_slots() {
  // Redis 7.0 does not tell its replicas.
  for (const std::uint16_t slot : std::exchange(lost_slots, {})) {
    if ((*view_.owners())[slot] == number_ || !is_master()) continue;
    const Reply keys = keys_in_slot(slot, data_.keys().size());
    for (const Reply& key : keys.items) data_.keys().erase(key.text);
  }
}

const std::vector<std::size_t>* Server::owners() const {
  return old_owners ? &*old_owners : view_.owners();
}

std::optional<Reply> Server::redirect(const Words& words, const Session& session, bool is_asking) {
  const std::size_t place = key_place(words);
  if (owners() == nullptr || place == 0) return std::nullopt;
  if (words.size() <= place) return error("ERR wrong number of arguments");
  const std::uint16_t slot = redis::slot_of(words[place]);
  const std::size_t owner = (*owners())[slot];
  if (view_.is_down()) return error("CLUSTERDOWN The cluster is down");
  if (owner == number_ || (is_asking && importing.contains(slot))) return std::nullopt;
  return error(fmt::format("MOVED {} {}:7000", slot, view_.address(owner, session.door)));
}

Reply Server::execute(const Words& words, Session& session, std::int64_t time) {
  const bool is_asking = std::exchange(session.is_asking, false);
  if (is_loading) return error("LOADING Redis is loading the dataset in memory");
  if (words[0] == "ASKING") {
    session.is_asking = true;
    return ok();
  }
  if (auto elsewhere = redirect(words, session, is_asking)) return std::move(*elsewhere);
  const CommandFacts facts = facts_of(words[0]);
  if (facts.is_write && !is_master()) {
    return error("READONLY You can't write against a read only replica.");
  }
  if (facts.needs_memory && is_full) {
    return error("OOM command not allowed when used memory > 'maxmemory'.");
  }
  if (facts.is_known || words[0] == "TIME") return run(words, session, time);
  if (words[0] == "FCALL") return call_function(words, session, time);
  if (words[0] == "FUNCTION") return function(words, session);
  if (words[0] == "CLUSTER") return cluster(words, session.door);
  if (words[0] == "MIGRATE") return migrate(words, session);
  if (words[0] == "SCAN") return scan(words);
  if (words[0] == "INFO") return info();
  if (words[0] == "DBSIZE") return integer(static_cast<std::int64_t>(data_.keys().size()));
  if (words[0] == "FLUSHALL") return flush(session);
  if (words[0] == "CONFIG" && words[1] == "SET") {
    CHECK_EQ(words[2], "maxmemory");
    is_full = words[3] != "0";  // it is as small as a test wants
    return ok();
  }
  if (words[0] == "CONFIG" && words[2] == "set-max-intset-entries") {
    return array({text(words[2]), text("512")});
  }
  if (words[0] == "CONFIG") return array({text(words[2]), text("no")});
  return error("ERR unknown command '" + words[0] + "'");
}

Reply Server::run(const Words& words, Session& session, std::int64_t time) {
  Reply reply = data_.run(words, time);
  if (data_.has_changed()) record({.commands = {words}}, &session);
  return reply;
}

// FCALL name 1 key argument...
Reply Server::call_function(const Words& words, Session& session, std::int64_t time) {
  if (library_ == nullptr || !library_->has(words[1])) return error("ERR Function not found");
  if (is_full && !library_->is_allowed_when_full(words[1])) {
    return error(
        "OOM allow-oom flag is not set on the function, "
        "can not run it when used memory > 'maxmemory'");
  }
  CHECK_EQ(words[2], std::string("1"));
  Effect effect;
  Reply reply = library_->run(words[1], {words[3]}, Words(words.begin() + 4, words.end()),
                              [&](const Words& inner) {
                                Reply result = data_.run(inner, time);
                                if (data_.has_changed()) effect.commands.push_back(inner);
                                return result;
                              });
  if (words[1].ends_with("_finish") && reply.as_integer(0) == 1) ++ends;
  if (!effect.commands.empty()) record(std::move(effect), &session);
  return reply;
}

Reply Server::flush(Session& session) {
  Words words = {"DEL"};
  for (const auto& [key, value] : data_.keys()) words.push_back(key);
  run(words, session, 0);
  return ok();
}

Reply Server::function(const Words& words, Session& session) {
  if (words[1] == "LIST") {
    if (library_ == nullptr) return array({});
    return array({array({text("library_name"), text(library_->name()), text("library_code"),
                         text(library_->source())})});
  }
  if (words[1] == "FLUSH") {
    library_.reset();
    return ok();
  }
  CHECK_EQ(words[1], "LOAD");
  if (!is_master()) return error("READONLY You can't write against a read only replica.");
  auto loaded = FunctionLibrary::load(words.back());
  if (!loaded) return error("ERR Error compiling function: " + loaded.error().message());
  library_ = std::move(*loaded);
  record({.commands = {}, .library = library_}, &session);
  return text(library_->name());
}

Reply Server::info() const {
  std::size_t replicas = 0;
  for (std::size_t i = 0; i < view_.size(); ++i) {
    const Server& other = view_.server(i);
    if (other.master == number_ && other.is_up && other.is_linked) ++replicas;
  }
  return text(
      fmt::format("# Server\r\nredis_version:7.0.15\r\nused_memory:1000000\r\n"
                  "maxmemory:1000000000\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n"
                  "connected_slaves:{}\r\n",
                  replicas));
}

// All keys in one step.
Reply Server::scan(const Words& words) const {
  const auto pattern = std::ranges::find(words, "MATCH");
  CHECK(pattern != words.end());
  const std::string start = pattern[1].substr(0, pattern[1].find('*'));
  std::vector<Reply> keys;
  for (const auto& [key, value] : data_.keys()) {
    const bool is_like =
        key.size() >= start.size() &&
        std::ranges::equal(start, key.substr(0, start.size()), [](char wanted, char found) {
          return wanted == '?' || wanted == found;
        });
    if (is_like) keys.push_back(text(key));
  }
  return array({text("0"), array(std::move(keys))});
}

Reply Server::cluster(const Words& words, std::size_t door) {
  if (view_.owners() == nullptr) return error("ERR This instance has cluster support disabled");
  if (words[1] == "SLOTS") return cluster_slots(door);
  if (words[1] == "NODES") return cluster_nodes(door);
  if (words[1] == "SETSLOT") return set_slot(words);
  if (words[1] == "BUMPEPOCH") return bump_epoch();
  if (words[1] == "COUNTKEYSINSLOT") {
    const Reply keys = keys_in_slot(slot_in(words[2]), data_.keys().size());
    return integer(static_cast<std::int64_t>(keys.items.size()));
  }
  if (words[1] == "GETKEYSINSLOT") {
    return keys_in_slot(slot_in(words[2]), static_cast<std::size_t>(std::stoul(words[3])));
  }
  return error("ERR unknown subcommand '" + words[1] + "'");
}

Reply Server::cluster_slots(std::size_t door) const {
  const std::vector<std::size_t>& by_slot = *owners();
  const auto place = [&](const Server& server) {
    return array({text(view_.address(server.number(), door)), integer(7000), text(server.id())});
  };
  std::vector<Reply> ranges;
  for (std::size_t first = 0; first < by_slot.size();) {
    std::size_t last = first;
    while (last + 1 < by_slot.size() && by_slot[last + 1] == by_slot[first]) ++last;
    std::vector<Reply> range = {integer(static_cast<std::int64_t>(first)),
                                integer(static_cast<std::int64_t>(last)),
                                place(view_.server(by_slot[first]))};
    for (std::size_t i = 0; i < view_.size(); ++i) {
      const Server& other = view_.server(i);
      if (other.master == by_slot[first] && other.is_up) range.push_back(place(other));
    }
    ranges.push_back(array(std::move(range)));
    first = last + 1;
  }
  return array(std::move(ranges));
}

Reply Server::cluster_nodes(std::size_t door) const {
  std::string lines;
  for (std::size_t i = 0; i < view_.size(); ++i) {
    const Server& server = view_.server(i);
    std::string flags = server.is_master() ? "master" : "slave";
    if (i == number_) flags = "myself," + flags;
    if (!server.is_up) flags += ",fail";
    lines +=
        fmt::format("{} {}:7000@17000 {} {} 0 0 {} connected", server.id(), view_.address(i, door),
                    flags, server.master ? view_.server(*server.master).id() : "-", server.epoch);
    for (const auto& [slot, to] : migrating) {
      if (i == number_) lines += fmt::format(" [{}->-{}]", slot, view_.server(to).id());
    }
    lines += "\n";
  }
  return text(std::move(lines));
}

Reply Server::set_slot(const Words& words) {
  const std::uint16_t slot = slot_in(words[2]);
  if (!is_master()) return error("ERR You can use SETSLOT only with masters.");
  if (words[3] == "STABLE") {
    importing.erase(slot);
    migrating.erase(slot);
    return ok();
  }
  const Server* const other = find(words[4]);
  if (other == nullptr || !other->is_master()) return error("ERR Unknown node " + words[4]);
  const bool is_owner = (*owners())[slot] == number_;
  if (words[3] == "IMPORTING") {
    if (is_owner) return error("ERR I'm already the owner of hash slot " + words[2]);
    importing[slot] = other->number();
    return ok();
  }
  if (words[3] == "MIGRATING") {
    if (!is_owner) return error("ERR I'm not the owner of hash slot " + words[2]);
    migrating[slot] = other->number();
    return ok();
  }
  CHECK_EQ(words[3], "NODE");
  const bool has_keys = !keys_in_slot(slot, 1).items.empty();
  if (is_owner && other->number() != number_ && has_keys) {
    return error("ERR Can't assign hashslot " + words[2] +
                 " to a different node while I still hold keys for this hash slot.");
  }
  if (!has_keys) migrating.erase(slot);
  // Only the new owner decides; the others would hear of it soon.
  if (other->number() == number_ && importing.erase(slot) > 0) view_.assign(slot, number_);
  return ok();
}

Reply Server::bump_epoch() {
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < view_.size(); ++i) last = std::max(last, view_.server(i).epoch);
  if (epoch == last) return text("STILL");
  epoch = last + 1;
  return text("BUMPED");
}

Reply Server::keys_in_slot(std::uint16_t slot, std::size_t most) const {
  std::vector<Reply> keys;
  for (const auto& [key, value] : data_.keys()) {
    if (keys.size() >= most) break;
    if (redis::slot_of(key) == slot) keys.push_back(text(key));
  }
  return array(std::move(keys));
}

// MIGRATE host port "" 0 timeout COPY REPLACE KEYS key...
Reply Server::migrate(const Words& words, Session& session) {
  Server* target = nullptr;
  for (std::size_t i = 0; i < view_.size(); ++i) {
    if (view_.address(i, session.door) == words[1]) target = &view_.server(i);
  }
  if (target == nullptr || view_.is_silent(*target)) return error("IOERR error or timeout");
  const auto refused = [](std::string_view why) {
    return error(fmt::format("ERR Target instance replied with error: {}", why));
  };
  if (target->is_loading) return refused("LOADING");
  if (!target->is_master()) return refused("READONLY");
  if (target->is_full) return refused("OOM");
  CHECK(words[6] == "COPY" && words[7] == "REPLACE");
  Effect restored;
  for (auto key = std::ranges::find(words, "KEYS") + 1; key != words.end(); ++key) {
    if (!target->importing.contains(redis::slot_of(*key))) return refused("MOVED");
    const auto value = data_.keys().find(*key);
    if (value != data_.keys().end()) restored.restored.insert_or_assign(*key, value->second);
  }
  if (restored.restored.empty()) return text("NOKEY");
  target->apply(restored);
  target->record(std::move(restored), nullptr);
  return ok();
}

}  // namespace gossamer::redis_model
