#include "tests/end_to_end/frontier_model.h"

#include <algorithm>
#include <utility>

#include "base/number.h"

namespace gossamer::cluster {
namespace {

std::string block_of(const Ids& ids) {
  std::string block;
  for (const std::uint64_t id : ids) block += std::to_string(id) + ",";
  return block;
}

}  // namespace

FoundUrls found_urls(std::uint32_t partition, const std::string& host, const Ids& ids) {
  return {.partition = partition, .host = host, .fingerprints = ids, .block = block_of(ids)};
}

Ids live_ids(const UrlBatch& batch) {
  Ids ids;
  std::size_t index = 0;
  std::string_view rest = batch.block;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    std::uint64_t id = 0;
    if (batch.is_live(index++) && base::parse_number(rest.substr(0, comma), id)) ids.push_back(id);
    rest.remove_prefix(comma + 1);
  }
  return ids;
}

UrlBatch batch_of(const Ids& ids) {
  const std::size_t size = ids.size();
  return {.count = static_cast<std::uint8_t>(size),
          .live = static_cast<std::uint8_t>(size),
          .mask = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1,
          .block = block_of(ids)};
}

Holding::Holding(const LeasedHost& leased)
    : partition(leased.partition),
      host(leased.host),
      token(leased.token),
      begin({.batches = leased.position.batches, .urls = 0}),
      done(leased.position.urls) {
  for (const UrlBatch& batch : leased.batches) batches.push_back(live_ids(batch));
}

std::size_t Holding::urls() const {
  std::size_t urls = 0;
  for (const Ids& batch : batches) urls += batch.size();
  return urls;
}

Ids Holding::advance(std::size_t count) {
  Ids all;
  for (const Ids& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
  const std::size_t end = std::min(all.size(), done + count);
  const Ids ended(all.begin() + static_cast<std::ptrdiff_t>(done),
                  all.begin() + static_cast<std::ptrdiff_t>(end));
  done = end;
  return ended;
}

Position Holding::position() const {
  Position position = begin;
  std::size_t left = done;
  for (const Ids& batch : batches) {
    if (left < batch.size()) break;
    left -= batch.size();
    ++position.batches;
  }
  position.urls = static_cast<std::uint32_t>(left);
  return position;
}

std::size_t FrontierModel::Host::waiting() const {
  std::size_t urls = 0;
  for (const Ids& batch : queue) urls += batch.size();
  return urls - position.urls;
}

std::size_t FrontierModel::add(const std::string& host, const Ids& ids) {
  Ids fresh;
  Host& added = hosts_[host];
  for (const std::uint64_t id : ids) {
    if (added.seen.insert(id).second) fresh.push_back(id);
  }
  found_ += fresh.size();
  if (!fresh.empty()) added.queue.push_back(fresh);
  return fresh.size();
}

std::vector<Ids> FrontierModel::read(const Host& host, std::size_t first, std::size_t urls) {
  std::vector<Ids> batches;
  std::size_t count = 0;
  for (std::size_t i = first; i < host.queue.size() && count < urls; ++i) {
    batches.push_back(host.queue[i]);
    count += host.queue[i].size();
  }
  return batches;
}

std::string FrontierModel::compare(Host& host, const LeasedHost& leased, std::size_t urls) {
  if (!host.is_due()) return leased.host + " is not due";
  if (leased.position != host.position) return leased.host + " has another position";
  const std::uint32_t expired = host.expired + (host.token.empty() ? 0 : 1);
  if (leased.expired != expired) return leased.host + " has expired another number of times";
  std::vector<Ids> batches;
  for (const UrlBatch& batch : leased.batches) batches.push_back(live_ids(batch));
  if (batches != read(host, 0, urls + host.position.urls)) return leased.host + " has other URLs";
  host.expired = expired;
  return "";
}

std::string FrontierModel::lease(const std::vector<LeasedHost>& leased,
                                 const std::set<std::string>& hosts, std::size_t hosts_max,
                                 std::size_t urls, bool expires) {
  std::size_t due = 0;
  for (auto& [name, host] : hosts_) {
    if (!hosts.contains(name) || !host.is_due()) continue;
    if (host.waiting() == 0) {
      host.token.clear();  // it has nothing to lease
    } else {
      ++due;
    }
  }
  if (leased.size() != std::min(due, hosts_max)) {
    return std::to_string(leased.size()) + " hosts instead of " + std::to_string(due);
  }
  for (const LeasedHost& each : leased) {
    if (!hosts.contains(each.host)) return each.host + " is of another partition";
    Host& host = hosts_[each.host];
    if (std::string wrong = compare(host, each, urls); !wrong.empty()) return wrong;
    host.token = each.token;
    host.has_expired = expires;
  }
  return "";
}

bool FrontierModel::is_held(const std::string& host, const std::string& token) const {
  return hosts_.at(host).token == token;
}

void FrontierModel::renew(const std::string& host, bool expires) {
  hosts_[host].has_expired = expires;
}

std::string FrontierModel::complete(const Holding& holding, const Completion& sent,
                                    const Completed& answer, bool expires) {
  Host& host = hosts_[holding.host];
  const bool is_ahead =
      sent.position.batches > host.position.batches ||
      (sent.position.batches == host.position.batches && sent.position.urls > host.position.urls);
  const bool is_held = host.token == holding.token;
  const bool is_repeat =
      !is_held && host.released == holding.token && sent.then == Then::release && !is_ahead;
  const bool is_lost = !is_held && !is_repeat;
  if (answer.is_lost != is_lost) return is_lost ? "a late completion counts" : "it was refused";
  if (is_lost) return "";
  if (is_repeat) return answer.waiting == host.waiting() ? "" : "a repeated release differs";
  if (is_ahead) {
    const std::size_t before = host.waiting();
    Ids ended;
    std::size_t skip = host.position.urls;
    for (; host.position.batches < sent.position.batches; ++host.position.batches) {
      const Ids& batch = host.queue.front();
      ended.insert(ended.end(), batch.begin() + static_cast<std::ptrdiff_t>(skip), batch.end());
      host.queue.erase(host.queue.begin());
      skip = 0;
    }
    for (; skip < sent.position.urls; ++skip) ended.push_back(host.queue.front()[skip]);
    host.position.urls = sent.position.urls;
    ended_ += before - host.waiting();
    for (const std::uint64_t id : ended) ++ends_[{holding.host, id}];
    if (sent.again) {
      const Ids again = live_ids(*sent.again);
      for (const std::uint64_t id : again) --ends_[{holding.host, id}];
      found_ += again.size();
      host.queue.push_back(again);
    }
    host.expired = 0;
  }
  if (answer.waiting != host.waiting()) return "another number of URLs waits";
  std::vector<Ids> batches;
  for (const UrlBatch& batch : answer.batches) batches.push_back(live_ids(batch));
  std::vector<Ids> expected;
  if (sent.then == Then::more) {
    const std::uint64_t first = std::max(sent.held, host.position.batches) - host.position.batches;
    expected = read(host, first, sent.urls);
  }
  if (batches != expected) return "other URLs follow";
  if (sent.then == Then::release) {
    host.released = std::exchange(host.token, "");
  } else {
    host.has_expired = expires;
  }
  return "";
}

std::uint64_t FrontierModel::leased() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(hosts_, [](const auto& each) { return !each.second.token.empty(); }));
}

std::uint64_t FrontierModel::known() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(hosts_, [](const auto& each) { return !each.second.seen.empty(); }));
}

}  // namespace gossamer::cluster
