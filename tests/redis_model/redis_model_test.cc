// The model of Redis that simulated worlds use answers as a real server does: random commands and
// calls of our functions are executed by both.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/task.h"
#include "base/random.h"
#include "cluster/function_library.h"
#include "cluster/layout.h"
#include "tests/end_to_end/redis_servers.h"
#include "tests/redis_model/server.h"
#include "tests/support/suite.h"

namespace gossamer::redis_model {
namespace {

using async::Task;
using redis::Commands;

constexpr std::uint64_t kSequences = 2000;
constexpr std::size_t kSteps = 30;

// One server without a cluster.
class Alone final : public View {
 public:
  const std::vector<std::size_t>* owners() const override { return nullptr; }
  Server& server(std::size_t /*number*/) override { return server_; }
  std::size_t size() const override { return 1; }
  std::string address(std::size_t /*number*/, std::size_t /*door*/) const override { return {}; }
  void assign(std::uint16_t /*slot*/, std::size_t /*owner*/) override {}
  bool is_silent(const Server& /*server*/) const override { return false; }
  bool is_down() const override { return false; }
  void changed(std::size_t /*number*/) override {}

 private:
  Server server_{0, *this};
};

// Draws commands that concern one crawl.
class Draft {
 public:
  explicit Draft(std::uint64_t seed)
      : random_(base::Random(seed).fork("commands")),
        tag_(fmt::format("{{m{}.1}}", seed)),
        crawl_(fmt::format("{{m{}}}", seed)) {}

  Words next() {
    switch (random_.below(5)) {
      case 0: return plain();
      case 1: return of_crawl();
      default: return of_partition();
    }
  }
  Words first() const { return {"HSETNX", "C" + tag_, "v", "id"}; }
  // All keys, for the comparison of what is left.
  std::vector<Words> all_keys() const {
    std::vector<Words> all;
    for (const char* const kind : {"C", "D", "K"}) all.push_back({"HGETALL", kind + tag_});
    for (const char* const kind : {"G", "N", "L"}) all.push_back({"HGETALL", kind + crawl_});
    all.push_back({"HGETALL", "A" + tag_});
    all.push_back({"ZRANGE", "R" + tag_, "0", "-1", "WITHSCORES"});
    all.push_back({"ZRANGE", "M" + crawl_, "0", "-1", "WITHSCORES"});
    all.push_back({"LRANGE", "O" + crawl_, "0", "-1"});
    all.push_back({"SMEMBERS", "W" + crawl_});
    for (std::uint64_t i = 0; i < kHosts; ++i) {
      const std::string host = host_of(i);
      all.push_back({"HGETALL", "H" + tag_ + host});
      all.push_back({"LRANGE", "Q" + tag_ + host, "0", "-1"});
      for (int b = 0; b < 3; ++b) {
        all.push_back({"SMEMBERS", fmt::format("S{}{}:{}", tag_, b, host)});
      }
    }
    return all;
  }

 private:
  static constexpr std::uint64_t kHosts = 3;

  static std::string host_of(std::uint64_t number) { return fmt::format("h{}.example", number); }
  std::string host() { return host_of(random_.below(kHosts)); }
  std::string small(std::uint64_t bound) { return fmt::format("{}", random_.below(bound)); }
  // Now, or in an hour: both servers agree on what is due.
  std::string delay() { return random_.chance(0.5) ? "0" : "3600000"; }
  std::string token() {
    if (tokens_ == 0 || random_.chance(0.1)) return "unknown";
    return fmt::format("token{}", tokens_ - random_.below(std::min<std::uint64_t>(tokens_, 3)));
  }

  Words of_partition() {
    Words words = {"FCALL", "", "1", "C" + tag_};
    switch (random_.below(4)) {
      case 0: add(words); break;
      case 1:
        words[1] = "g4_lease";
        words.insert(words.end(), {fmt::format("token{}", ++tokens_), small(4),
                                   fmt::format("{}", random_.below(40)), delay()});
        break;
      case 2: complete(words); break;
      default:
        words[1] = "g4_renew";
        words.insert(words.end(), {delay(), host(), token(), host(), token()});
    }
    words.emplace_back(random_.chance(0.02) ? "another" : "id");
    return words;
  }

  void add(Words& words) {
    words[1] = "g4_add";
    words.push_back(small(3));
    for (std::uint64_t groups = 1 + random_.below(3); groups > 0; --groups) {
      const std::uint64_t count = 1 + random_.below(random_.chance(0.2) ? 64 : 6);
      words.insert(words.end(), {host(), random_.chance(0.5) ? "7" : "0", ""});
      for (std::uint64_t i = 0; i < count; ++i) {
        words.back() += fmt::format("{}", 1'000'000'000'000'000'000 + random_.below(400) * 977);
      }
      const auto urls = static_cast<std::uint8_t>(count);
      words.push_back(cluster::write_batch({.count = urls,
                                            .live = urls,
                                            .mask = ~std::uint64_t{0} >> (64 - count),
                                            .block = "block"}));
    }
    if (random_.chance(0.03)) words.pop_back();
  }

  void complete(Words& words) {
    words[1] = "g4_complete";
    words.push_back(delay());
    const char* const actions[] = {"release", "keep", "more"};
    std::string again;
    if (random_.chance(0.2)) again = std::string("\x02\x01\x01", 3) + "block";
    words.insert(words.end(),
                 {host(), token(), small(4), small(4), small(5), delay(), actions[random_.below(3)],
                  small(60), again, random_.chance(0.5) ? "state" : "", ""});
    if (random_.chance(0.03)) words.pop_back();
  }

  Words of_crawl() {
    const std::string node = "node" + small(3);
    const auto call = [this](std::string function, Words arguments) {
      Words words = {"FCALL", std::move(function), "1", "G" + crawl_};
      words.insert(words.end(), arguments.begin(), arguments.end());
      words.emplace_back("id");
      return words;
    };
    switch (random_.below(10)) {
      case 0:
        return call("g4_join", {node, "1", "settings", "1", random_.chance(0.5) ? "100" : ""});
      case 1: return call("g4_beat", {node, "report", "60000", small(30)});
      case 2: return call("g4_leave", {node, small(30)});
      case 3: return call("g4_quota", {node, small(90), small(30)});
      case 4: return call("g4_control", {random_.chance(0.8) ? "pause" : "odd"});
      case 5: return call("g4_begin", {});
      case 6: return call("g4_order", {"order"});
      case 7: return call("g4_finish", {"finished", small(3)});
      case 8: return call("g4_widen", {"http://h/" + small(5)});
      default: break;
    }
    return {"FCALL", "g4_reserve", "1", "A" + tag_, "192.0.2." + small(2), small(900), small(9)};
  }

  // Commands that functions and nodes send, of any types of keys.
  Words plain() {
    const std::vector<std::string> kinds = {"x", "y", "z", "w"};
    const std::string key = kinds[random_.below(kinds.size())] + tag_;
    const std::string member = small(5);
    switch (random_.below(20)) {
      case 0: return {"HSET", key, member, small(100)};
      case 1: return {"HGET", key, member};
      case 2: return {"HMGET", key, member, "1"};
      case 3: return {"HDEL", key, member};
      case 4: return {"HINCRBY", key, member, random_.chance(0.1) ? "x" : small(9)};
      case 5: return {"HEXISTS", key, member};
      case 6:
        switch (random_.below(3)) {
          case 0: return {"ZADD", key, "GT", small(9), member};
          case 1: return {"ZADD", key, "INCR", small(9), member};
          default: return {"ZADD", key, small(9), member};
        }
      case 7: return {"ZRANGEBYSCORE", key, "-inf", "(" + small(9), "LIMIT", "0", small(4)};
      case 8: return {"ZRANGE", key, "0", "-" + small(4), "WITHSCORES"};
      case 9: return {"ZREM", key, member};
      case 10: return {"SADD", key, member, small(9)};
      case 11: return {"SREM", key, member};
      case 12: return {"SMISMEMBER", key, member, "1"};
      case 13: return {"SCARD", key};
      case 14: return {"RPUSH", key, member};
      case 15: return {"LRANGE", key, "-" + small(4), small(4)};
      case 16: return {"LTRIM", key, small(4), "-" + small(4)};
      case 17: return {"LLEN", key};
      case 18: return {"DEL", key};
      default: return {"ZCARD", key};
    }
  }

  base::Random random_;
  const std::string tag_;
  const std::string crawl_;
  std::uint64_t tokens_ = 0;
};

// A reply as text. The order of members of hashes and sets is of no account, and of an error only
// the code counts.
std::string shown(const Reply& reply, const Words& words) {
  switch (reply.kind) {
    case Reply::Kind::integer: return fmt::format("{}", reply.integer);
    case Reply::Kind::text: return fmt::format("\"{}\"", reply.text);
    case Reply::Kind::error: return "-" + reply.text.substr(0, reply.text.find(' '));
    case Reply::Kind::array: break;
    default: return "null";
  }
  std::vector<std::string> items;
  for (const Reply& item : reply.items) items.push_back(shown(item, words));
  if (words[0] == "HGETALL") {
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) items[i] += "=" + items[i + 1];
    for (std::size_t i = items.size(); i > 0; --i) {
      if (i % 2 == 0) items.erase(items.begin() + static_cast<std::ptrdiff_t>(i - 1));
    }
  }
  if (words[0] == "HGETALL" || words[0] == "SMEMBERS") std::ranges::sort(items);
  std::string all = "[";
  for (const std::string& item : items) all += item + " ";
  return all + "]";
}

std::int64_t microseconds(const Reply& time) {
  return time.items[0].as_integer(0) * 1'000'000 + time.items[1].as_integer(0);
}
// As functions count them.
std::int64_t milliseconds(std::int64_t microseconds) { return (microseconds + 999) / 1000; }

class Comparison {
 public:
  // BORROWS: the client.
  Comparison(redis::TestClient& client, redis::Node node)
      : client_(client), node_(std::move(node)) {}

  // Returns what differs; nullopt: the clock moved on inside a command, so nothing can be said.
  // BORROWS: this.
  Task<std::optional<std::string>> run(std::uint64_t seed) {
    Draft draft(seed);
    Alone model;
    std::vector<Words> all = {{"FUNCTION", "LOAD", "REPLACE", source()}, draft.first()};
    for (std::size_t i = 0; i < kSteps; ++i) all.push_back(draft.next());
    for (Words& words : draft.all_keys()) all.push_back(std::move(words));
    for (Words& words : all) {
      auto found = co_await compare(model, std::move(words));
      if (!found || !found->empty()) co_return found;
    }
    co_return "";
  }
  std::size_t replies() const { return replies_; }
  std::size_t errors() const { return errors_; }

 private:
  static std::string source() { return cluster::library_source(); }

  // BORROWS: the model.
  Task<std::optional<std::string>> compare(Alone& model, Words words) {
    Commands commands;
    commands.add({"TIME"}).add(words).add({"TIME"});
    auto replies =
        co_await client_->run_on(node_, std::move(commands), redis::Lane::quick, redis::in_time());
    if (!replies) co_return replies.error().to_string();
    const std::int64_t before = microseconds((*replies)[0]);
    const std::int64_t after = microseconds((*replies)[2]);
    const bool has_ticked = milliseconds(before) != milliseconds(after);
    if (words[0] == "FCALL" && has_ticked) co_return std::nullopt;
    const std::string real = shown((*replies)[1], words);
    const std::string modelled = shown(model.server(0).execute(words, session_, before), words);
    ++replies_;
    errors_ += real.starts_with('-') ? 1 : 0;
    if (real == modelled) co_return "";
    if (words.back().size() > 1000) words.back() = "...";
    std::string text;
    for (const std::string& word : words) text += word + " ";
    co_return text + "\nreal:  " + real + "\nmodel: " + modelled;
  }

  redis::TestClient& client_;
  const redis::Node node_;
  Session session_;
  std::size_t replies_ = 0;
  std::size_t errors_ = 0;
};

// BORROWS: the server.
Task<void> compare_sequences(redis::RedisServer& server) {
  redis::TestClient client({server.node()});
  EXPECT_TRUE(co_await client->open(redis::in_time()));
  Comparison comparison(client, server.node());
  std::size_t whole = 0;
  const std::uint64_t count = support::cases_to_run(kSequences);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto difference = co_await comparison.run(seed);
    if (!difference) continue;
    EXPECT_EQ(*difference, "") << "sequence " << seed;
    if (!difference->empty()) break;
    ++whole;
  }
  EXPECT_GT(whole, 0u) << "too few sequences passed without a tick of the clock";
  EXPECT_GT(comparison.errors(), comparison.replies() / 100) << "no odd commands";
  fmt::print("{} of {} sequences, {} replies, {} of them errors\n", whole, count,
             comparison.replies(), comparison.errors());
  co_await client.close();
}

TEST(RedisModelTest, AnswersAsARealServer) {
  if (!support::is_installed(redis::kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  redis::RedisServer server;
  async::Loop loop;
  loop.run(compare_sequences(server));
}

}  // namespace
}  // namespace gossamer::redis_model
