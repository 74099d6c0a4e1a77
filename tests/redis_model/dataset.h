// For tests: the keys of a Redis server and the commands that read and change them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "redis/resp.h"

namespace gossamer::redis_model {

using redis::Reply;
using Words = std::vector<std::string>;

struct SortedSet {
  std::map<std::string, double> scores;
  std::set<std::pair<double, std::string>> order;

  friend bool operator==(const SortedSet&, const SortedSet&) = default;
};
using Hash = std::map<std::string, std::string>;
using List = std::deque<std::string>;
using Set = std::set<std::string>;
using Value = std::variant<Hash, List, Set, SortedSet, std::string>;

// Replies.
Reply integer(std::int64_t value);
Reply text(std::string value);
Reply error(std::string message);
Reply array(std::vector<Reply> items);
// Writes a reply in RESP 2. A text is a bulk string.
std::string encode(const Reply& reply);

// What is known of a command.
struct CommandFacts {
  bool is_known = false;
  bool is_write = false;
  bool needs_memory = false;  // a full server refuses it
};
CommandFacts facts_of(std::string_view command);

class Dataset {
 public:
  // `time` is in microseconds since 1970. The first word is in capitals.
  Reply run(const Words& words, std::int64_t time);
  // Returns whether the last run() changed something.
  bool has_changed() const { return has_changed_; }

  std::map<std::string, Value>& keys() { return keys_; }
  const std::map<std::string, Value>& keys() const { return keys_; }

  friend bool operator==(const Dataset& one, const Dataset& other) {
    return one.keys_ == other.keys_;
  }

 private:
  using Execution = Reply (Dataset::*)(const Words& words);
  struct Entry {
    Execution execute;
    std::size_t words_min;
    CommandFacts facts;
  };
  friend CommandFacts facts_of(std::string_view command);
  static const std::map<std::string, Entry, std::less<>>& table();

  // Returns nullptr if there is no such key. Throws WrongType.
  template <class T>
  T* find(const std::string& key);
  template <class T>
  T& make(const std::string& key);
  void drop_if_empty(const std::string& key);

  Reply hget(const Words& words);
  Reply hmget(const Words& words);
  Reply hgetall(const Words& words);
  Reply hset(const Words& words);
  Reply hsetnx(const Words& words);
  Reply hdel(const Words& words);
  Reply hexists(const Words& words);
  Reply hincrby(const Words& words);
  Reply hlen(const Words& words);
  Reply zadd(const Words& words);
  Reply zcard(const Words& words);
  Reply zscore(const Words& words);
  Reply zrange(const Words& words);
  Reply zrangebyscore(const Words& words);
  Reply zrem(const Words& words);
  Reply sadd(const Words& words);
  Reply srem(const Words& words);
  Reply scard(const Words& words);
  Reply smembers(const Words& words);
  Reply srandmember(const Words& words);
  Reply sismember(const Words& words);
  Reply smismember(const Words& words);
  Reply llen(const Words& words);
  Reply lindex(const Words& words);
  Reply lrange(const Words& words);
  Reply ltrim(const Words& words);
  Reply rpush(const Words& words);
  Reply exists(const Words& words);
  Reply set(const Words& words);
  Reply del(const Words& words);

  std::map<std::string, Value> keys_;
  bool has_changed_ = false;
};

}  // namespace gossamer::redis_model
