// Measures a whole crawl over TLS, with HTTP/1.1 and with HTTP/2: CPU per page, connections
// and memory, on one thread. The two take turns.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/descriptor_limit.h"
#include "base/check.h"
#include "bench/crawl/benchmarks.h"
#include "bench/crawl/loopback_world.h"
#include "bench/crawl/site_pages.h"
#include "bench/crawl/tls_machine.h"
#include "bench/crawl/tls_site.h"
#include "bench/servers/servers.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/memory.h"
#include "bench/support/samples.h"
#include "http/protocols.h"
#include "settings/crawl_settings.h"

namespace gossamer::bench {
namespace {

constexpr std::size_t kHttp2Hosts = 1000;
constexpr std::uint32_t kHttp2AtOnce = 64;
// Pages per CPU second over HTTP/2, compared with HTTP/1.1.
constexpr double kOneHostMin = 1.0;
constexpr double kManyHostsMin = 0.9;

constexpr std::array kBoth = {http::Protocols::http1, http::Protocols::automatic};
constexpr std::array<std::string_view, 2> kProtocolNames = {"HTTP/1.1", "HTTP/2"};

struct CrawlCost {
  double pages = 0;
  double us_each = 0;
  double connections = 0;  // the most that were open
  double memory = 0;       // the most that was resident, beyond that before the crawl
};

// The TCP sockets in use in this network. The descriptors of the process do not tell: the sockets
// of an io_uring have none.
double tcp_sockets() {
  std::ifstream file("/proc/self/net/sockstat");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, field;
    if (double count = 0; words >> name >> field >> count && name == "TCP:") return count;
  }
  return 0;
}

// Stores nothing, and looks at the process from time to time.
class LookingSink final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page page) override {
    if (page.record.status == 200 && page.record.error.empty()) ++cost_.pages;
    if (++seen_ % kLookEvery == 0) look();
    co_return {};
  }
  const CrawlCost& cost() const { return cost_; }

 private:
  // Rarely enough to cost nothing: a look takes as long as a page.
  static constexpr std::uint64_t kLookEvery = 128;

  void look() {
    // Both ends of a connection are on this machine.
    cost_.connections = std::max(cost_.connections, (tcp_sockets() - sockets_before_) / 2);
    cost_.memory = std::max(cost_.memory, memory_use().resident - before_);
  }

  const double before_ = memory_use().resident;
  const double sockets_before_ = tcp_sockets();
  std::uint64_t seen_ = 0;
  CrawlCost cost_;
};

// BORROWS: machine and cost.
async::Task<Result<void>> crawl_and_measure(run::CrawlSettings settings, run::Machine& machine,
                                            CrawlCost& cost) {
  LookingSink sink;
  const CpuTime begin = process_cpu_time();
  if (auto done = co_await crawl_once(std::move(settings), sink, machine); !done) co_return done;
  cost = sink.cost();
  CHECK(cost.pages > 0, "the crawl found nothing");
  cost.us_each = (process_cpu_time() - begin).total_us() / cost.pages;
  co_return {};
}

CrawlCost crawl_in_child(std::function<CrawlCost()> crawl) {
  return measure_in_child([&] {
    async::raise_descriptor_limit();
    return crawl();
  });
}

CrawlCost crawl_hosts(const TlsSite& site, http::Protocols protocols) {
  auto context = net::TlsContext::make(
      {.trust_system = false, .ca_file = site.authority_file(), .alpn = http::alpn_of(protocols)});
  CHECK(context.has_value(), "{}", context.error().to_string());
  TlsMachine machine(std::move(*context));
  run::CrawlSettings settings;
  settings.roots = site.roots();
  settings.concurrency = kHttp2AtOnce;
  settings.web.client.protocols = protocols;
  CrawlCost cost;
  run_on(async::DriverKind::automatic, crawl_and_measure(std::move(settings), machine, cost));
  CHECK(cost.pages == static_cast<double>(site.pages()), "{} pages", cost.pages);
  return cost;
}

CrawlCost crawl_documentation(const Nginx& nginx, const Documentation& documentation,
                              http::Protocols protocols, bool is_quick) {
  run::CrawlSettings settings;
  settings.roots = {
      fmt::format("https://{}{}", nginx.endpoints()[0].to_string(), documentation.root)};
  settings.concurrency = kHttp2AtOnce;
  settings.web.client.protocols = protocols;
  settings.web.tls.trust_system = false;
  settings.web.tls.ca_file = nginx.certificate_file();
  if (is_quick) settings.pages_max = 500;
  CrawlCost cost;
  run_on(async::DriverKind::automatic,
         crawl_and_measure(std::move(settings), run::this_machine(), cost));
  return cost;
}

void report_both(const std::string& name, const std::vector<std::vector<CrawlCost>>& costs,
                 double target, Report& report) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < costs[0].size(); ++i) {
    CHECK(costs[0][i].pages == costs[1][i].pages, "the crawls differ");
    ratios.push_back(costs[0][i].us_each / costs[1][i].us_each);
  }
  report.heading(fmt::format("{}: {} pages over TLS", name, costs[0][0].pages));
  const auto add = [&](std::size_t i, std::string_view what, double CrawlCost::* member,
                       std::string_view unit) {
    std::vector<double> samples;
    for (const CrawlCost& cost : costs[i]) samples.push_back(cost.*member);
    report.add({.name = fmt::format("{}: {}, {}", name, what, kProtocolNames[i]),
                .value = median(std::move(samples)),
                .unit = std::string(unit)});
  };
  for (std::size_t i = 0; i < kBoth.size(); ++i) {
    add(i, "CPU per page", &CrawlCost::us_each, "us");
    add(i, "open connections", &CrawlCost::connections, "");
    add(i, "memory", &CrawlCost::memory, "B");
  }
  // A target is a maximum, so this is the CPU of HTTP/2 per page, compared with HTTP/1.1.
  report.add({.name = fmt::format("{}: CPU per page, HTTP/2 of HTTP/1.1", name),
              .value = 1 / median(std::move(ratios)),
              .unit = "",
              .target = 1 / target});
}

}  // namespace

void http2_hosts(const Options& options, Report& report) {
  if (!TlsSite::can_be_had()) {
    report.heading("h2 hosts: skipped, nginx or openssl is not installed");
    return;
  }
  const TlsSite site(options.quick ? kHttp2Hosts / 10 : kHttp2Hosts);
  const auto costs = in_turns(options.quick ? 1 : 3, kBoth.size(), [&](std::size_t i) {
    return crawl_in_child([&] { return crawl_hosts(site, kBoth[i]); });
  });
  report_both("h2 hosts", costs, kManyHostsMin, report);
}

void http2_documentation(const Options& options, Report& report) {
  const Documentation& documentation = kDocumentations[0];
  if (!TlsSite::can_be_had() || !documentation.is_installed()) {
    report.heading(fmt::format("h2 documentation: skipped, nginx, openssl or {} is not installed",
                               documentation.package));
    return;
  }
  const Nginx nginx(std::string(documentation.folder), {}, Listening::over_tls);
  const auto costs = in_turns(options.quick ? 1 : 5, kBoth.size(), [&](std::size_t i) {
    return crawl_in_child(
        [&] { return crawl_documentation(nginx, documentation, kBoth[i], options.quick); });
  });
  report_both("h2 documentation", costs, kOneHostMin, report);
}

}  // namespace gossamer::bench
