#include "run/control/crawl_control.h"

#include <fmt/format.h>

#include <utility>

#include "engine/setup/options.h"

namespace gossamer::run {
namespace {

// Distinguishes a crawl from others of this machine: its directory, or the host of its first root.
std::string name_of(const CrawlSettings& settings) {
  if (!settings.job.folder.empty() || settings.roots.empty()) return settings.job.folder;
  const auto root = crawler::parse_root(settings.roots.front());
  return root ? std::string(root->host()) : std::string();
}

}  // namespace

CrawlControl::CrawlControl(const CrawlSettings& settings)
    : socket_(settings.control_socket),
      metrics_address_(settings.metrics),
      job_(settings.job.folder),
      name_(name_of(settings)) {}

Result<void> CrawlControl::open(crawler::Engine& engine, crawler::Shards* shards, Session session) {
  session_ = std::move(session);
  std::move_only_function<Result<void>(const ControlRequest& request)> keep;
  if (session_.job != nullptr) {
    keep = [this](const ControlRequest& request) { return store(request); };
  }
  steering_.emplace(engine, shards,
                    CrawlSteering::Session{.status =
                                               [this] {
                                                 CrawlProgress status = session_.status();
                                                 status.job = job_;
                                                 return status;
                                               },
                                           .stop = [this] { session_.stop(); },
                                           .abort = [this] { session_.abort(); },
                                           .keep = std::move(keep)});
  if (!socket_.empty()) {
    auto server = ControlServer::bind(socket_);
    if (!server) return fail(std::move(server).error());
    server_.emplace(std::move(*server));
    server_->on_request([this](ControlRequest request) { return answer(std::move(request)); });
  }
  if (!metrics_address_) return {};
  auto metrics =
      MetricsServer::bind(*metrics_address_, name_, [this] { return session_.status(); });
  if (!metrics) return fail(std::move(metrics).error());
  metrics_ = std::move(*metrics);
  // The user has left the port to us.
  if (metrics_address_->port == 0) session_.say("metrics: " + metrics_->address());
  return {};
}

Result<void> CrawlControl::store(const ControlRequest& request) {
  using Action = ControlRequest::Kind;
  if (request.kind == Action::block || request.kind == Action::exclude) {
    return session_.job->store_order(to_json(request));
  }
  const auto orders = session_.job->orders();
  if (!orders) return fail(orders.error().copy());
  // Users may have named the same host in several ways.
  for (const std::string& order : *orders) {
    const auto earlier = parse_control_request(order);
    if (!earlier || !undoes(request, *earlier)) continue;
    if (auto removed = session_.job->remove_order(order); !removed) return removed;
  }
  return {};
}

Result<void> CrawlControl::repeat_orders() {
  if (session_.job == nullptr) return {};
  const auto orders = session_.job->orders();
  if (!orders) return fail(orders.error().copy());
  for (const std::string& order : *orders) {
    const auto request = parse_control_request(order);
    if (!request) return fail(request.error().copy());
    steering_->repeat(*request);
    session_.say(fmt::format("as in earlier runs: {} {}", name(request->kind), request->text));
  }
  return {};
}

void CrawlControl::serve(async::Scope& scope) {
  if (server_) scope.spawn(server_->run());
  if (metrics_) scope.spawn(metrics_->run());
}

}  // namespace gossamer::run
