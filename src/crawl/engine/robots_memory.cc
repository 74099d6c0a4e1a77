#include "engine/robots_memory.h"

#include <utility>

#include "engine/robots_fetch.h"

namespace gossamer::crawler {

async::Task<bool> RobotsMemory::allows(url::Url url, WallTime now) {
  const std::string origin = url.origin();
  if (entries_.size() >= kOriginsMax) entries_.clear();
  const auto [found, is_first] = entries_.try_emplace(origin);
  if (is_first) found->second = std::make_shared<Entry>();
  const std::shared_ptr<Entry> entry = found->second;
  if (is_first) {
    RobotsAnswer answer = co_await fetch_robots(client_, decoder_, origin, settings_, now);
    entry->is_known = answer.kind == RobotsAnswer::Kind::rules;
    entry->robots = std::move(answer.robots);
    entry->has_come.set();
    // The next page tries again.
    if (const auto old = entries_.find(origin); !entry->is_known && old != entries_.end()) {
      entries_.erase(old);
    }
  } else if (auto come = co_await entry->has_come.wait(); !come) {
    co_return false;
  }
  co_return entry->is_known && entry->robots.decide(url.request_target()).allowed;
}

}  // namespace gossamer::crawler
