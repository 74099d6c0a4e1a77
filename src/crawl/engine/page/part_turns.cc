#include "engine/page/part_turns.h"

#include <algorithm>
#include <utility>

#include "async/loop.h"

namespace gossamer::crawler {

std::shared_ptr<PartTurns::Host> PartTurns::find(const std::string& host) {
  if (hosts_.size() >= kHostsMax && !hosts_.contains(host)) {
    const auto is_idle = [](const auto& entry) { return entry.second.use_count() == 1; };
    const Instant now = async::Loop::current().now();
    std::erase_if(hosts_, [&](const auto& entry) {
      return is_idle(entry) && entry.second->closed_until <= now;
    });
    // All are busy or closed. Of those without a request, the one that opens first is forgotten.
    const auto first = std::ranges::min_element(hosts_, {}, [&](const auto& entry) {
      return std::pair(!is_idle(entry), entry.second->closed_until);
    });
    if (hosts_.size() >= kHostsMax && is_idle(*first)) hosts_.erase(first);
  }
  std::shared_ptr<Host>& found = hosts_[host];
  if (!found) found = std::make_shared<Host>();
  return found;
}

async::Task<Result<PartTurns::Turn>> PartTurns::take(std::string host) {
  std::shared_ptr<Host> found = find(host);
  auto permit = co_await found->turns.acquire();
  if (!permit) co_return fail(std::move(permit).error());
  if (async::Loop::current().now() < found->closed_until) {
    co_return fail(Errc::overloaded, "the host wants fewer requests");
  }
  co_return Turn(std::move(found), std::move(*permit));
}

void PartTurns::close(const std::string& host, Instant until) {
  Host& found = *find(host);
  found.closed_until = std::max(found.closed_until, until);
}

}  // namespace gossamer::crawler
