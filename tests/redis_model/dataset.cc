#include "tests/redis_model/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "base/number.h"

namespace gossamer::redis_model {
namespace {

struct WrongType {};

// Redis accepts no other spelling of a number than its own: not "-0", not "01".
std::optional<std::int64_t> number(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (text == "-0" || (digits.size() > 1 && digits.starts_with('0'))) return std::nullopt;
  std::int64_t value = 0;
  if (!base::parse_number(text, value)) return std::nullopt;
  return value;
}

std::optional<double> score(const std::string& text) {
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  if (text == "+inf" || text == "inf") return std::numeric_limits<double>::infinity();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || std::isnan(value)) return std::nullopt;
  return value;
}

// The end of a range of scores: "5", "(5", "-inf".
struct Bound {
  double at = 0;
  bool is_open = false;
};
std::optional<Bound> bound(const std::string& text) {
  const bool is_open = text.starts_with('(');
  const auto at = score(is_open ? text.substr(1) : text);
  if (!at) return std::nullopt;
  return Bound{*at, is_open};
}

Reply not_integer() { return error("ERR value is not an integer or out of range"); }
Reply syntax() { return error("ERR syntax error"); }

// The part of a sequence between two indexes, which count from the end if they are negative.
std::pair<std::size_t, std::size_t> part(std::int64_t first, std::int64_t last, std::size_t size) {
  const auto all = static_cast<std::int64_t>(size);
  if (first < 0) first = std::max<std::int64_t>(0, first + all);
  if (last < 0) last += all;
  last = std::min(last, all - 1);
  if (first > last) return {0, 0};
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last + 1)};
}

Reply texts(const auto& from) {
  std::vector<Reply> items;
  for (const std::string& each : from) items.push_back(text(each));
  return array(std::move(items));
}

}  // namespace

Reply integer(std::int64_t value) { return {.kind = Reply::Kind::integer, .integer = value}; }
Reply text(std::string value) { return {.kind = Reply::Kind::text, .text = std::move(value)}; }
Reply error(std::string message) {
  return {.kind = Reply::Kind::error, .text = std::move(message)};
}
Reply array(std::vector<Reply> items) {
  return {.kind = Reply::Kind::array, .items = std::move(items)};
}

std::string encode(const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::integer: return fmt::format(":{}\r\n", reply.integer);
    case Reply::Kind::error: return "-" + reply.text + "\r\n";
    case Reply::Kind::text: return fmt::format("${}\r\n{}\r\n", reply.text.size(), reply.text);
    case Reply::Kind::array: break;
    default: return "$-1\r\n";
  }
  std::string out = fmt::format("*{}\r\n", reply.items.size());
  for (const Reply& item : reply.items) out += encode(item);
  return out;
}

const std::map<std::string, Dataset::Entry, std::less<>>& Dataset::table() {
  constexpr CommandFacts kRead = {.is_known = true};
  constexpr CommandFacts kWrite = {.is_known = true, .is_write = true};
  constexpr CommandFacts kGrow = {.is_known = true, .is_write = true, .needs_memory = true};
  static const std::map<std::string, Entry, std::less<>> all = {
      {"HGET", {&Dataset::hget, 3, kRead}},
      {"HMGET", {&Dataset::hmget, 3, kRead}},
      {"HGETALL", {&Dataset::hgetall, 2, kRead}},
      {"HSET", {&Dataset::hset, 4, kGrow}},
      {"HSETNX", {&Dataset::hsetnx, 4, kGrow}},
      {"HDEL", {&Dataset::hdel, 3, kWrite}},
      {"HEXISTS", {&Dataset::hexists, 3, kRead}},
      {"HINCRBY", {&Dataset::hincrby, 4, kGrow}},
      {"HLEN", {&Dataset::hlen, 2, kRead}},
      {"ZADD", {&Dataset::zadd, 4, kGrow}},
      {"ZCARD", {&Dataset::zcard, 2, kRead}},
      {"ZSCORE", {&Dataset::zscore, 3, kRead}},
      {"ZRANGE", {&Dataset::zrange, 4, kRead}},
      {"ZRANGEBYSCORE", {&Dataset::zrangebyscore, 4, kRead}},
      {"ZREM", {&Dataset::zrem, 3, kWrite}},
      {"SADD", {&Dataset::sadd, 3, kGrow}},
      {"SREM", {&Dataset::srem, 3, kWrite}},
      {"SCARD", {&Dataset::scard, 2, kRead}},
      {"SMEMBERS", {&Dataset::smembers, 2, kRead}},
      {"SRANDMEMBER", {&Dataset::srandmember, 2, kRead}},
      {"SISMEMBER", {&Dataset::sismember, 3, kRead}},
      {"SMISMEMBER", {&Dataset::smismember, 3, kRead}},
      {"LLEN", {&Dataset::llen, 2, kRead}},
      {"LINDEX", {&Dataset::lindex, 3, kRead}},
      {"LRANGE", {&Dataset::lrange, 4, kRead}},
      {"LTRIM", {&Dataset::ltrim, 4, kWrite}},
      {"RPUSH", {&Dataset::rpush, 3, kGrow}},
      {"EXISTS", {&Dataset::exists, 2, kRead}},
      {"SET", {&Dataset::set, 3, kGrow}},
      {"DEL", {&Dataset::del, 2, kWrite}},
      {"UNLINK", {&Dataset::del, 2, kWrite}},
  };
  return all;
}

CommandFacts facts_of(std::string_view command) {
  const auto found = Dataset::table().find(command);
  return found == Dataset::table().end() ? CommandFacts() : found->second.facts;
}

Reply Dataset::run(const Words& words, std::int64_t time) {
  has_changed_ = false;
  if (words[0] == "TIME") {
    return array(
        {text(fmt::format("{}", time / 1'000'000)), text(fmt::format("{}", time % 1'000'000))});
  }
  const auto found = table().find(words[0]);
  if (found == table().end()) return error("ERR unknown command '" + words[0] + "'");
  if (words.size() < found->second.words_min) {
    return error("ERR wrong number of arguments for '" + words[0] + "' command");
  }
  try {
    return (this->*found->second.execute)(words);
  } catch (const WrongType&) {
    return error("WRONGTYPE Operation against a key holding the wrong kind of value");
  }
}

template <class T>
T* Dataset::find(const std::string& key) {
  const auto found = keys_.find(key);
  if (found == keys_.end()) return nullptr;
  if (T* const value = std::get_if<T>(&found->second)) return value;
  throw WrongType();
}

template <class T>
T& Dataset::make(const std::string& key) {
  if (T* const value = find<T>(key)) return *value;
  return std::get<T>(keys_.emplace(key, T()).first->second);
}

void Dataset::drop_if_empty(const std::string& key) {
  const auto found = keys_.find(key);
  if (found == keys_.end()) return;
  const bool is_empty = std::visit(
      [](const auto& value) {
        if constexpr (requires { value.order; }) {
          return value.order.empty();
        } else {
          return value.empty();
        }
      },
      found->second);
  if (is_empty) keys_.erase(found);
}

// --- hashes

Reply Dataset::hget(const Words& words) {
  const Hash* const hash = find<Hash>(words[1]);
  if (hash == nullptr) return {};
  const auto field = hash->find(words[2]);
  return field == hash->end() ? Reply() : text(field->second);
}

Reply Dataset::hmget(const Words& words) {
  const Hash* const hash = find<Hash>(words[1]);
  std::vector<Reply> values;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const auto field = hash == nullptr ? Hash::const_iterator() : hash->find(words[i]);
    values.push_back(hash == nullptr || field == hash->end() ? Reply() : text(field->second));
  }
  return array(std::move(values));
}

Reply Dataset::hgetall(const Words& words) {
  std::vector<Reply> all;
  if (const Hash* const hash = find<Hash>(words[1])) {
    for (const auto& [field, value] : *hash) {
      all.push_back(text(field));
      all.push_back(text(value));
    }
  }
  return array(std::move(all));
}

Reply Dataset::hset(const Words& words) {
  if (words.size() % 2 != 0) return error("ERR wrong number of arguments for 'hset' command");
  Hash& hash = make<Hash>(words[1]);
  std::int64_t added = 0;
  for (std::size_t i = 2; i < words.size(); i += 2) {
    added += hash.insert_or_assign(words[i], words[i + 1]).second ? 1 : 0;
  }
  has_changed_ = true;
  return integer(added);
}

Reply Dataset::hsetnx(const Words& words) {
  has_changed_ = make<Hash>(words[1]).emplace(words[2], words[3]).second;
  return integer(has_changed_ ? 1 : 0);
}

Reply Dataset::hdel(const Words& words) {
  Hash* const hash = find<Hash>(words[1]);
  if (hash == nullptr) return integer(0);
  std::size_t removed = 0;
  for (std::size_t i = 2; i < words.size(); ++i) removed += hash->erase(words[i]);
  has_changed_ = removed > 0;
  drop_if_empty(words[1]);
  return integer(static_cast<std::int64_t>(removed));
}

Reply Dataset::hexists(const Words& words) {
  const Hash* const hash = find<Hash>(words[1]);
  return integer(hash != nullptr && hash->contains(words[2]) ? 1 : 0);
}

Reply Dataset::hincrby(const Words& words) {
  const auto by = number(words[3]);
  if (!by) return not_integer();
  Hash& hash = make<Hash>(words[1]);
  const auto field = hash.find(words[2]);
  const auto before = field == hash.end() ? std::optional<std::int64_t>(0) : number(field->second);
  if (!before) return error("ERR hash value is not an integer");
  hash[words[2]] = fmt::format("{}", *before + *by);
  has_changed_ = true;
  return integer(*before + *by);
}

Reply Dataset::hlen(const Words& words) {
  const Hash* const hash = find<Hash>(words[1]);
  return integer(hash == nullptr ? 0 : std::ssize(*hash));
}

// --- sorted sets

Reply Dataset::zadd(const Words& words) {
  std::size_t first = 2;
  bool only_grows = false;
  bool adds = false;
  for (; first < words.size() && !score(words[first]); ++first) {
    if (words[first] != "GT" && words[first] != "INCR") break;
    (words[first] == "GT" ? only_grows : adds) = true;
  }
  const std::size_t rest = words.size() - first;
  if (rest == 0 || rest % 2 != 0 || (adds && rest != 2)) return syntax();
  for (std::size_t i = first; i < words.size(); i += 2) {
    if (!score(words[i])) return error("ERR value is not a valid float");
  }
  SortedSet& set = make<SortedSet>(words[1]);
  std::int64_t added = 0;
  double value = 0;
  for (std::size_t i = first; i < words.size(); i += 2) {
    value = *score(words[i]);
    const auto [place, is_new] = set.scores.try_emplace(words[i + 1], value);
    if (is_new) ++added;
    if (!is_new && adds) value += place->second;
    if (only_grows) value = std::max(value, place->second);
    if (!is_new && place->second != value) {
      set.order.erase({place->second, words[i + 1]});
      place->second = value;
      has_changed_ = true;
    }
    set.order.emplace(value, words[i + 1]);
  }
  has_changed_ = has_changed_ || added > 0;
  return adds ? text(fmt::format("{}", value)) : integer(added);
}

Reply Dataset::zcard(const Words& words) {
  const SortedSet* const set = find<SortedSet>(words[1]);
  return integer(set == nullptr ? 0 : std::ssize(set->order));
}

Reply Dataset::zscore(const Words& words) {
  const SortedSet* const set = find<SortedSet>(words[1]);
  if (set == nullptr || !set->scores.contains(words[2])) return {};
  return text(fmt::format("{}", set->scores.at(words[2])));
}

Reply Dataset::zrange(const Words& words) {
  const auto first = number(words[2]);
  const auto last = number(words[3]);
  if (!first || !last) return not_integer();
  const bool has_scores = words.size() > 4 && words[4] == "WITHSCORES";
  if (words.size() > (has_scores ? 5u : 4u)) return syntax();
  std::vector<Reply> items;
  if (const SortedSet* const set = find<SortedSet>(words[1])) {
    const auto [from, to] = part(*first, *last, set->order.size());
    std::size_t at = 0;
    for (const auto& [value, member] : set->order) {
      if (at >= from && at < to) {
        items.push_back(text(member));
        if (has_scores) items.push_back(text(fmt::format("{}", value)));
      }
      ++at;
    }
  }
  return array(std::move(items));
}

Reply Dataset::zrangebyscore(const Words& words) {
  const auto from = bound(words[2]);
  const auto to = bound(words[3]);
  if (!from || !to) return error("ERR min or max is not a float");
  std::int64_t skipped = 0;
  std::int64_t most = -1;
  if (words.size() == 7 && words[4] == "LIMIT") {
    if (!number(words[5]) || !number(words[6])) return not_integer();
    skipped = *number(words[5]);
    most = *number(words[6]);
  } else if (words.size() != 4) {
    return syntax();
  }
  std::vector<Reply> items;
  const SortedSet* const set = find<SortedSet>(words[1]);
  if (set == nullptr) return array({});
  for (auto at = set->order.lower_bound({from->at, std::string()}); at != set->order.end(); ++at) {
    if (at->first > to->at || (at->first == to->at && to->is_open)) break;
    if (at->first == from->at && from->is_open) continue;
    if (skipped-- > 0) continue;
    if (most >= 0 && std::ssize(items) >= most) break;
    items.push_back(text(at->second));
  }
  return array(std::move(items));
}

Reply Dataset::zrem(const Words& words) {
  SortedSet* const set = find<SortedSet>(words[1]);
  if (set == nullptr) return integer(0);
  std::int64_t removed = 0;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const auto found = set->scores.find(words[i]);
    if (found == set->scores.end()) continue;
    set->order.erase({found->second, words[i]});
    set->scores.erase(found);
    ++removed;
  }
  has_changed_ = removed > 0;
  drop_if_empty(words[1]);
  return integer(removed);
}

// --- sets

Reply Dataset::sadd(const Words& words) {
  Set& set = make<Set>(words[1]);
  std::int64_t added = 0;
  for (std::size_t i = 2; i < words.size(); ++i) added += set.insert(words[i]).second ? 1 : 0;
  has_changed_ = added > 0;
  return integer(added);
}

Reply Dataset::srem(const Words& words) {
  Set* const set = find<Set>(words[1]);
  if (set == nullptr) return integer(0);
  std::size_t removed = 0;
  for (std::size_t i = 2; i < words.size(); ++i) removed += set->erase(words[i]);
  has_changed_ = removed > 0;
  drop_if_empty(words[1]);
  return integer(static_cast<std::int64_t>(removed));
}

Reply Dataset::scard(const Words& words) {
  const Set* const set = find<Set>(words[1]);
  return integer(set == nullptr ? 0 : std::ssize(*set));
}

Reply Dataset::smembers(const Words& words) {
  const Set* const set = find<Set>(words[1]);
  return set == nullptr ? array({}) : texts(*set);
}

// Any member will do.
Reply Dataset::srandmember(const Words& words) {
  const Set* const set = find<Set>(words[1]);
  return set == nullptr ? Reply() : text(*set->begin());
}

Reply Dataset::sismember(const Words& words) {
  const Set* const set = find<Set>(words[1]);
  return integer(set != nullptr && set->contains(words[2]) ? 1 : 0);
}

Reply Dataset::smismember(const Words& words) {
  const Set* const set = find<Set>(words[1]);
  std::vector<Reply> all;
  for (std::size_t i = 2; i < words.size(); ++i) {
    all.push_back(integer(set != nullptr && set->contains(words[i]) ? 1 : 0));
  }
  return array(std::move(all));
}

// --- lists

Reply Dataset::llen(const Words& words) {
  const List* const list = find<List>(words[1]);
  return integer(list == nullptr ? 0 : std::ssize(*list));
}

Reply Dataset::lindex(const Words& words) {
  auto at = number(words[2]);
  if (!at) return not_integer();
  const List* const list = find<List>(words[1]);
  if (list == nullptr) return {};
  if (*at < 0) *at += std::ssize(*list);
  if (*at < 0 || *at >= std::ssize(*list)) return {};
  return text((*list)[static_cast<std::size_t>(*at)]);
}

Reply Dataset::lrange(const Words& words) {
  const auto first = number(words[2]);
  const auto last = number(words[3]);
  if (!first || !last) return not_integer();
  const List* const list = find<List>(words[1]);
  if (list == nullptr) return array({});
  const auto [from, to] = part(*first, *last, list->size());
  return texts(List(list->begin() + static_cast<std::ptrdiff_t>(from),
                    list->begin() + static_cast<std::ptrdiff_t>(to)));
}

Reply Dataset::ltrim(const Words& words) {
  const auto first = number(words[2]);
  const auto last = number(words[3]);
  if (!first || !last) return not_integer();
  List* const list = find<List>(words[1]);
  if (list == nullptr) return text("OK");
  const auto [from, to] = part(*first, *last, list->size());
  *list = List(list->begin() + static_cast<std::ptrdiff_t>(from),
               list->begin() + static_cast<std::ptrdiff_t>(to));
  has_changed_ = true;
  drop_if_empty(words[1]);
  return text("OK");
}

Reply Dataset::rpush(const Words& words) {
  List& list = make<List>(words[1]);
  list.insert(list.end(), words.begin() + 2, words.end());
  has_changed_ = true;
  return integer(std::ssize(list));
}

// --- keys

Reply Dataset::exists(const Words& words) {
  std::int64_t count = 0;
  for (std::size_t i = 1; i < words.size(); ++i) count += keys_.contains(words[i]) ? 1 : 0;
  return integer(count);
}

Reply Dataset::set(const Words& words) {
  keys_.insert_or_assign(words[1], words[2]);
  has_changed_ = true;
  return text("OK");
}

Reply Dataset::del(const Words& words) {
  std::size_t removed = 0;
  for (std::size_t i = 1; i < words.size(); ++i) removed += keys_.erase(words[i]);
  has_changed_ = removed > 0;
  return integer(static_cast<std::int64_t>(removed));
}

}  // namespace gossamer::redis_model
