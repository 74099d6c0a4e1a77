#include "run/shared/shared_control.h"

#include <memory>
#include <string_view>
#include <utility>

#include "async/loop.h"
#include "cluster/layout.h"
#include "cluster/purge.h"
#include "run/control/control_protocol.h"
#include "run/shared/cluster_work.h"
#include "url/url.h"

namespace gossamer::run {
namespace {

using cluster::Control;

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

Result<void> give_orders(const ClusterSettings& cluster,
                         Result<std::vector<ControlRequest>> requests) {
  if (!requests) return fail(std::move(requests).error());
  OrderWork work(std::move(*requests));
  return with_cluster(cluster, work);
}

// Both fail with Errc::invalid_argument.
Result<std::vector<ControlRequest>> orders_to_add(const std::vector<std::string>& urls) {
  std::vector<ControlRequest> requests;
  for (const std::string& text : urls) {
    const auto url = url::Url::parse(text);
    if (!url || !url->is_http_or_https()) {
      return fail(Errc::invalid_argument, text + " is not an http URL");
    }
    requests.push_back({.kind = ControlRequest::Kind::add, .text = std::string(url->href())});
  }
  return requests;
}

// `kind` is block or unblock.
Result<std::vector<ControlRequest>> orders_for_hosts(ControlRequest::Kind kind,
                                                     const std::vector<std::string>& hosts) {
  std::vector<ControlRequest> requests;
  for (const std::string& host : hosts) {
    const auto url = url::Url::parse("http://" + host + "/");
    if (!url || url->hostname() != host) {
      return fail(Errc::invalid_argument, host + " is not a host");
    }
    requests.push_back({.kind = kind, .text = host});
  }
  return requests;
}

struct Steering {
  std::unique_ptr<ClusterWork> work;
  std::string_view done;  // what it does, for the user
};

Result<Steering> steering_for(const ControlRequest& request) {
  const auto control = [](Control to, std::string_view done) {
    return Steering{.work = std::make_unique<ControlWork>(to), .done = done};
  };
  const auto orders = [](Result<std::vector<ControlRequest>> requests,
                         std::string_view done) -> Result<Steering> {
    if (!requests) return fail(std::move(requests).error());
    return Steering{.work = std::make_unique<OrderWork>(std::move(*requests)), .done = done};
  };
  using Kind = ControlRequest::Kind;
  switch (request.kind) {
    case Kind::pause: return control(Control::pause, "the crawl pauses");
    case Kind::resume: return control(Control::run, "the crawl continues");
    case Kind::stop: return control(Control::stop, "the crawl stops");
    case Kind::add: return orders(orders_to_add({request.text}), "1 URL added");
    case Kind::block:
      return orders(orders_for_hosts(request.kind, {request.text}), "1 host blocked");
    case Kind::unblock:
      return orders(orders_for_hosts(request.kind, {request.text}), "1 host unblocked");
    default:
      return fail(Errc::invalid_argument,
                  "a shared crawl can pause, resume, stop, add, block and unblock");
  }
}

}  // namespace

async::Task<Result<SharedCrawlStatus>> read_shared_crawl(redis::Client& client, std::string crawl,
                                                         Duration patience) {
  cluster::SharedCrawl shared(client, {.crawl = crawl, .patience = patience});
  auto facts = co_await shared.facts();
  if (!facts) co_return fail(std::move(facts).error());
  auto nodes = co_await shared.nodes();
  if (!nodes) co_return fail(std::move(nodes).error());
  auto partitions = co_await cluster::read_partitions(client, crawl, cluster::kPartitions,
                                                      async::Loop::current().now() + patience);
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
  return give_orders(cluster, orders_to_add(urls));
}

Result<void> block_in_shared_crawl(const ClusterSettings& cluster,
                                   const std::vector<std::string>& hosts) {
  return give_orders(cluster, orders_for_hosts(ControlRequest::Kind::block, hosts));
}

Result<void> unblock_in_shared_crawl(const ClusterSettings& cluster,
                                     const std::vector<std::string>& hosts) {
  return give_orders(cluster, orders_for_hosts(ControlRequest::Kind::unblock, hosts));
}

async::Task<Result<std::string>> steer_shared_crawl(ClusterSettings cluster,
                                                    ControlRequest request) {
  const auto steering = steering_for(request);
  if (!steering) co_return fail(steering.error().copy());
  auto done = co_await use_cluster(std::move(cluster), *steering->work);
  if (!done) co_return fail(std::move(done).error());
  co_return std::string(steering->done);
}

Result<std::uint64_t> purge_shared_crawl(const ClusterSettings& cluster, bool is_forced) {
  PurgeWork work(is_forced);
  if (auto done = with_cluster(cluster, work); !done) return fail(std::move(done).error());
  return work.keys;
}

}  // namespace gossamer::run
