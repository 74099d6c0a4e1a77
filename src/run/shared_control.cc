#include "run/shared_control.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "async/loop.h"
#include "cluster/purge.h"
#include "run/cluster_work.h"
#include "run/control_protocol.h"
#include "url/url.h"

namespace gossamer::run {
namespace {

using cluster::Control;
using cluster::PartitionFacts;

constexpr Duration kReadPatience = 10s;
constexpr Duration kStepPatience = 30s;

class StatusWork final : public ClusterWork {
 public:
  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string crawl) override {
    auto read = co_await read_shared_crawl(client, std::move(crawl));
    if (!read) co_return fail(std::move(read).error());
    status = std::move(*read);
    co_return {};
  }

  SharedCrawlStatus status;
};

class ControlWork final : public ClusterWork {
 public:
  explicit ControlWork(Control control) : control_(control) {}

  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string crawl) override {
    auto shared = co_await open_crawl(client, std::move(crawl));
    if (!shared) co_return fail(std::move(shared).error());
    const auto facts = co_await shared->facts();
    if (!facts) co_return fail(facts.error().copy());
    if (!facts->end.empty() && control_ != Control::stop) {
      co_return fail(Errc::closed, "the crawl has ended");
    }
    auto done = co_await shared->control(control_);
    if (!done) co_return fail(std::move(done).error());
    if (!*done) co_return fail(Errc::closed, "the crawl was stopped, which is final");
    co_return {};
  }

 private:
  const Control control_;
};

class OrderWork final : public ClusterWork {
 public:
  explicit OrderWork(std::vector<ControlRequest> requests) : requests_(std::move(requests)) {}

  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string crawl) override {
    auto shared = co_await open_crawl(client, std::move(crawl));
    if (!shared) co_return fail(std::move(shared).error());
    for (const ControlRequest& request : requests_) {
      auto given = co_await shared->order(to_json(request));
      if (!given) co_return fail(std::move(given).error());
      if (!*given) co_return fail(Errc::closed, "the crawl has ended or was stopped");
    }
    co_return {};
  }

 private:
  const std::vector<ControlRequest> requests_;
};

class PurgeWork final : public ClusterWork {
 public:
  explicit PurgeWork(bool is_forced) : is_forced_(is_forced) {}

  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string crawl) override {
    auto shared = co_await open_crawl(client, crawl);
    // Without a crawl there may be the rest of one.
    if (!shared && shared.error() != Errc::not_found) co_return fail(std::move(shared).error());
    if (shared) {
      auto ready = co_await check(*shared);
      if (!ready) co_return ready;
    }
    auto removed = co_await cluster::purge(client, std::move(crawl), kStepPatience);
    if (!removed) co_return fail(std::move(removed).error());
    keys = *removed;
    co_return {};
  }

  std::uint64_t keys = 0;

 private:
  // Fails if the crawl must not be deleted. Stops one that runs. BORROWS: the crawl.
  async::Task<Result<void>> check(cluster::SharedCrawl& shared) const {
    auto facts = co_await shared.facts();
    if (!facts) co_return fail(std::move(facts).error());
    if (!facts->end.empty()) co_return {};
    if (!is_forced_) {
      co_return fail(Errc::exists, "the crawl has not ended; stop it first");
    }
    auto stopped = co_await shared.control(cluster::Control::stop);
    if (!stopped) co_return fail(std::move(stopped).error());
    co_return {};
  }

  const bool is_forced_;
};

Result<void> give_orders(const ClusterSettings& cluster, std::vector<ControlRequest> requests) {
  OrderWork work(std::move(requests));
  return with_cluster(cluster, work);
}

}  // namespace

std::uint64_t SharedCrawlStatus::sum(std::uint64_t PartitionFacts::* field) const {
  std::uint64_t total = 0;
  for (const PartitionFacts& each : partitions) total += each.*field;
  return total;
}

std::uint64_t SharedCrawlStatus::open() const {
  const std::uint64_t found = sum(&PartitionFacts::found);
  return found - std::min(found, sum(&PartitionFacts::ended));
}

bool SharedCrawlStatus::is_damaged() const {
  return std::ranges::any_of(partitions, [this](const PartitionFacts& each) {
    return each.is_misplaced || is_lost(each);
  });
}

async::Task<Result<SharedCrawlStatus>> read_shared_crawl(redis::Client& client, std::string crawl) {
  cluster::SharedCrawl shared(client, {.crawl = crawl, .patience = kReadPatience});
  auto facts = co_await shared.facts();
  if (!facts) co_return fail(std::move(facts).error());
  auto nodes = co_await shared.nodes();
  if (!nodes) co_return fail(std::move(nodes).error());
  auto partitions = co_await cluster::read_partitions(client, crawl,
                                                      async::Loop::current().now() + kReadPatience);
  if (!partitions) co_return fail(std::move(partitions).error());
  co_return SharedCrawlStatus{.crawl = std::move(crawl),
                              .facts = std::move(*facts),
                              .nodes = std::move(*nodes),
                              .partitions = std::move(*partitions)};
}

Result<SharedCrawlStatus> read_shared_crawl(const ClusterSettings& cluster) {
  StatusWork work;
  if (auto done = with_cluster(cluster, work); !done) return fail(std::move(done).error());
  return std::move(work.status);
}

Result<void> control_shared_crawl(const ClusterSettings& cluster, Control control) {
  ControlWork work(control);
  return with_cluster(cluster, work);
}

Result<void> add_to_shared_crawl(const ClusterSettings& cluster,
                                 const std::vector<std::string>& urls) {
  std::vector<ControlRequest> requests;
  for (const std::string& text : urls) {
    const auto url = url::Url::parse(text);
    if (!url || !url->is_http_or_https()) {
      return fail(Errc::invalid_argument, text + " is not an http URL");
    }
    requests.push_back({.kind = ControlRequest::Kind::add, .text = std::string(url->href())});
  }
  return give_orders(cluster, std::move(requests));
}

Result<void> block_in_shared_crawl(const ClusterSettings& cluster,
                                   const std::vector<std::string>& hosts) {
  std::vector<ControlRequest> requests;
  for (const std::string& host : hosts) {
    const auto url = url::Url::parse("http://" + host + "/");
    if (!url || url->hostname() != host) {
      return fail(Errc::invalid_argument, host + " is not a host");
    }
    requests.push_back({.kind = ControlRequest::Kind::block, .text = host});
  }
  return give_orders(cluster, std::move(requests));
}

Result<std::uint64_t> purge_shared_crawl(const ClusterSettings& cluster, bool is_forced) {
  PurgeWork work(is_forced);
  if (auto done = with_cluster(cluster, work); !done) return fail(std::move(done).error());
  return work.keys;
}

}  // namespace gossamer::run
