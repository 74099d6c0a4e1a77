#include "run/control/crawl_metrics.h"

#include <fmt/format.h>

#include <utility>

#include "net/special_address.h"
#include "record/outcome.h"
#include "server/host_check.h"

namespace gossamer::run {
namespace {

constexpr std::string_view kMetricsPath = "/metrics";

bool is_loopback(const async::Endpoint& endpoint) {
  return net::kind_of(endpoint) == net::AddressKind::loopback;
}

}  // namespace

void add_state(server::Metrics& metrics, std::string_view name, std::string_view now) {
  for (const std::string_view state : {"running", "paused", "stopping", "ended"}) {
    metrics.add(server::Metrics::Kind::gauge, "gossamer_crawl_state", "1 for the present state.",
                state == now, {"crawl", name}, {"state", state});
  }
}

void add_crawl(server::Metrics& metrics, std::string_view name, const CrawlProgress& status) {
  using enum server::Metrics::Kind;
  const server::Metrics::Label crawl = {"crawl", name};
  metrics.add(counter, "gossamer_crawl_pages_total", "Fetched URLs.", status.pages, crawl);
  metrics.add(counter, "gossamer_crawl_bytes_total", "Bytes received.", status.wire_bytes, crawl);
  metrics.add(gauge, "gossamer_crawl_in_flight", "Requests in flight.", status.in_flight, crawl);
  metrics.add(gauge, "gossamer_crawl_waiting", "Queued URLs.", status.waiting, crawl);
  metrics.add(gauge, "gossamer_crawl_hosts", "Hosts met.", status.hosts, crawl);
  metrics.add(gauge, "gossamer_crawl_connections", "Open connections.", status.connections, crawl);
  metrics.add(gauge, "gossamer_crawl_streams", "Requests in flight over HTTP/2.", status.streams,
              crawl);
  for (std::size_t i = 0; i < crawler::kOutcomes; ++i) {
    metrics.add(counter, "gossamer_crawl_urls_total", "Fetched URLs by outcome.",
                status.outcomes[i], crawl,
                {"outcome", crawler::name(static_cast<crawler::Outcome>(i))});
  }
  for (const auto& [code, count] : status.by_status) {
    metrics.add(counter, "gossamer_crawl_responses_total", "Responses by status.", count, crawl,
                {"status", std::to_string(code)});
  }
  add_state(metrics, name, status.state);
  for (const auto& [cause, count] : status.errors) {
    metrics.add(counter, "gossamer_crawl_errors_total", "Errors by cause.", count, crawl,
                {"cause", cause});
  }
}

Result<std::unique_ptr<MetricsServer>> MetricsServer::bind(const async::Endpoint& address,
                                                           std::string name, Status status) {
  auto listener = async::Listener::bind(address);
  if (!listener) return fail(std::move(listener).error());
  return std::unique_ptr<MetricsServer>(
      new MetricsServer(std::move(*listener), std::move(name), std::move(status)));
}

MetricsServer::MetricsServer(async::Listener listener, std::string name, Status status)
    : listener_(std::move(listener)),
      endpoint_(listener_.endpoint()),
      name_(std::move(name)),
      status_(std::move(status)),
      server_(*this) {}

std::string MetricsServer::address() const {
  return fmt::format("http://{}{}", endpoint_.to_string(), kMetricsPath);
}

async::Task<server::Response> MetricsServer::answer(const server::Request& request) {
  co_return respond(request);
}

server::Response MetricsServer::respond(const server::Request& request) {
  if (is_loopback(endpoint_)) {
    auto names = server::loopback_names();
    // 127.0.0.2 is a loopback address, too.
    if (endpoint_.family == async::Endpoint::Family::v4) names.push_back(endpoint_.address_text());
    auto admission = server::admit_host(request, names, endpoint_.port);
    if (admission.name.empty()) return std::move(admission.rejection);
  }
  if (request.path() != kMetricsPath) return server::plain_response(404, "only /metrics is here");
  if (request.method != "GET" && request.method != "HEAD") {
    return server::plain_response(405, "this method is not allowed here")
        .with("Allow", "GET, HEAD");
  }
  server::Metrics metrics;
  add_crawl(metrics, name_, status_());
  return metrics.response();
}

void MetricsServer::seal(server::Response& response) {
  response.fields.emplace_back("X-Content-Type-Options", "nosniff");
}

}  // namespace gossamer::run
