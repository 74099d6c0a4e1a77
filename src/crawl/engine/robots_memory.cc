#include "engine/robots_memory.h"

#include <utility>

#include "engine/robots_fetch.h"

namespace gossamer::crawler {

RobotsMemory::RobotsMemory(http::Client& client, const Settings& settings)
    : client_(client), settings_(settings), memory_(kFetchBytesMax) {
  settings_.keeps_captures = false;  // only the rules are used
}

bool RobotsMemory::is_fresh(const Entry& entry, WallTime now) const {
  if (!entry.has_come.is_set()) return true;
  return now < entry.fetched + (entry.is_known ? settings_.robots_max_age : kFailureAge);
}

void RobotsMemory::forget(Entries::const_iterator entry) {
  if (entry->second->has_come.is_set()) rules_bytes_ -= entry->second->robots.bytes_held();
  entries_.erase(entry);
}

async::Task<bool> RobotsMemory::allows(url::Url url, WallTime now) {
  const std::string origin = url.origin();
  const auto known = entries_.find(origin);
  if (known != entries_.end() && !is_fresh(*known->second, now)) forget(known);
  const bool is_full = entries_.size() >= kOriginsMax || rules_bytes_ >= kRulesBytesMax;
  if (is_full && !entries_.contains(origin)) {
    entries_.clear();
    rules_bytes_ = 0;
  }
  const auto [found, is_first] = entries_.try_emplace(origin);
  if (is_first) found->second = std::make_shared<Entry>(now);
  const std::shared_ptr<Entry> entry = found->second;
  if (is_first) {
    BodyMemory::Share memory(memory_);
    RobotsAnswer answer = co_await fetch_robots(client_, decoder_, memory, origin, settings_, now);
    entry->is_known = answer.kind == RobotsAnswer::Kind::rules;
    entry->robots = std::move(answer.robots);
    const auto now_known = entries_.find(origin);  // all may have been forgotten meanwhile
    const bool is_there = now_known != entries_.end() && now_known->second == entry;
    if (is_there) rules_bytes_ += entry->robots.bytes_held();
    entry->has_come.set();
  } else if (auto come = co_await entry->has_come.wait(); !come) {
    co_return false;
  }
  co_return entry->is_known && entry->robots.decide(url.request_target()).allowed;
}

}  // namespace gossamer::crawler
