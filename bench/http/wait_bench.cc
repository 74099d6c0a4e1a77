// Measures the memory of an exchange that waits for the first byte of its response, with everything
// it needs: URL and request, frames, timer, connection, pool entry. Then all are answered.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "async/descriptor_limit.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/check.h"
#include "bench/http/benchmarks.h"
#include "bench/http/url_caller.h"
#include "bench/servers/holding_servers.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/memory.h"
#include "http/client.h"
#include "net/connector.h"
#include "net/resolver.h"
#include "url/url.h"

namespace gossamer::bench {

namespace {

constexpr double kBytesEachMax = 1024;
constexpr std::uint64_t kAtOnce = 128;  // fewer than a server's backlog
constexpr Duration kPatience = 600s;

enum class Origins : bool {
  few,          // the addresses of the servers
  one_for_each  // every exchange has a different host, as in a crawl
};

struct WaitCost {
  double exchanges = 0;
  MemoryUse memory;       // of all waiting exchanges
  double heap_bytes = 0;  // of one
  double begin_cpu_us = 0;
  double answered = 0;
  double answer_cpu_us = 0;  // to handle all responses
};

// The host of exchange i: "i.bench.example".
class NumberedNames final : public net::Resolver {
 public:
  static constexpr std::string_view kDomain = ".bench.example";

  // BORROWS: the servers.
  explicit NumberedNames(const HoldingServers& servers) : servers_(servers) {}

  async::Task<Result<net::Addresses>> look_up(std::string host) override {
    std::uint64_t number = 0;
    std::from_chars(host.data(), host.data() + host.size(), number);
    co_return net::addresses_of_literal(servers_.endpoint_of(number));
  }

 private:
  const HoldingServers& servers_;
};

// The state that all waiting exchanges share.
struct Crowd {
  const HoldingServers& servers;
  http::Client& client;
  Origins origins;
  std::uint64_t answered = 0;

  url::Url url_of(std::uint64_t number) const {
    const async::Endpoint& server = servers.endpoint_of(number);
    const std::string host = origins == Origins::few
                                 ? server.address_text()
                                 : fmt::format("{}{}", number, NumberedNames::kDomain);
    auto url = url::Url::parse(fmt::format("http://{}:{}/a/page/with/a/path/of/its/own/{}.html",
                                           host, server.port, number));
    CHECK(url.has_value());
    return std::move(*url);
  }
};

// A separate function, so that its frame does not exist while an exchange waits. BORROWS: the
// crowd.
async::Task<void> read_to_end(Crowd& crowd, Result<http::Response> response) {
  while (response) {
    auto piece = co_await response->next();
    if (!piece) co_return;
    if (piece->empty()) break;
  }
  if (response && response->status() == 200) ++crowd.answered;
}

// BORROWS: the crowd, which outlives the scope this runs in.
async::Task<void> ask_and_wait(Crowd& crowd, std::uint64_t number) {
  UrlCaller caller(std::string(crowd.url_of(number).href()));
  co_await read_to_end(crowd, co_await crowd.client.send(caller));
}

// BORROWS: the crowd and the cost, which outlive the loop.
async::Task<Result<void>> ask_all_and_wait(Crowd& crowd, WaitCost& cost, std::uint64_t exchanges) {
  async::Scope scope;
  const MemoryUse memory = memory_use();
  const double heap = heap_bytes();
  const CpuTime begin = process_cpu_time();
  for (std::uint64_t i = 0; i < exchanges; ++i) {
    scope.spawn(ask_and_wait(crowd, i));
    const bool pause = (i + 1) % kAtOnce == 0 || i + 1 == exchanges;
    while (pause && crowd.client.pool().open() <= i && scope.size() > i) {
      static_cast<void>(co_await async::sleep(1ms));
    }
  }
  static_cast<void>(co_await async::sleep(50ms));  // the last requests are sent
  cost.begin_cpu_us = (process_cpu_time() - begin).total_us();
  cost.heap_bytes = (heap_bytes() - heap) / static_cast<double>(exchanges);
  cost.exchanges = static_cast<double>(crowd.client.pool().open());
  cost.memory = memory_use() - memory;
  const CpuTime cpu = process_cpu_time();
  crowd.servers.release();
  auto joined = co_await scope.join();
  cost.answer_cpu_us = (process_cpu_time() - cpu).total_us();
  cost.answered = static_cast<double>(crowd.answered);
  co_return joined;
}

// BORROWS: as above.
async::Task<Result<void>> run(const HoldingServers& servers, Origins origins, WaitCost& cost,
                              std::uint64_t exchanges) {
  NumberedNames names(servers);
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  http::ClientOptions options;
  options.deadlines.first_byte = kPatience;
  options.deadlines.whole = kPatience;
  options.pool = {.exchanges_per_origin_max = exchanges,
                  .connections_max = exchanges,
                  .idle_per_origin_max = exchanges};
  http::Client client(connector, nullptr, options);
  Crowd crowd = {.servers = servers, .client = client, .origins = origins};
  auto done = co_await ask_all_and_wait(crowd, cost, exchanges);
  client.close_idle();
  co_return done;
}

WaitCost wait_on(async::DriverKind kind, const HoldingServers& servers, Origins origins,
                 std::uint64_t exchanges) {
  async::raise_descriptor_limit();
  auto driver = async::make_driver(kind);
  CHECK(driver.has_value(), "{}", driver.error().to_string());
  async::Loop loop(std::move(*driver));
  WaitCost cost;
  const auto done = loop.run(run(servers, origins, cost, exchanges));
  CHECK(done.has_value(), "{}", done.error().to_string());
  return cost;
}

void report_waiting(async::DriverKind kind, std::string_view name, Origins origins,
                    std::uint64_t exchanges, Report& report) {
  const HoldingServers servers(exchanges, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!");
  const WaitCost cost =
      measure_in_child([&] { return wait_on(kind, servers, origins, exchanges); });
  const std::string title = fmt::format("wait {}, {} exchanges, {}", name, cost.exchanges,
                                        origins == Origins::few ? "few origins" : "an origin each");
  report.heading(title);
  report.add({.name = title + ": memory of each",
              .value = cost.memory.resident / cost.exchanges,
              .unit = "B",
              .target = kBytesEachMax});
  report.add({.name = title + ": heap of each", .value = cost.heap_bytes, .unit = "B"});
  report.add({.name = title + ": CPU to begin one",
              .value = cost.begin_cpu_us / cost.exchanges,
              .unit = "us"});
  report.add({.name = title + ": CPU per answer",
              .value = cost.answer_cpu_us / cost.exchanges,
              .unit = "us"});
  report.add({.name = title + ": not answered",
              .value = static_cast<double>(exchanges) - cost.answered,
              .unit = "",
              .target = 0});
}

}  // namespace

void wait_on_epoll(const Options& options, Report& report) {
  constexpr std::uint64_t kExchanges = 19'000;
  constexpr std::uint64_t kOtherDescriptors = 64;
  const std::uint64_t possible = async::raise_descriptor_limit().most - kOtherDescriptors;
  const std::uint64_t wanted = options.quick ? kExchanges / 10 : kExchanges;
  for (const Origins origins : {Origins::few, Origins::one_for_each}) {
    report_waiting(async::DriverKind::epoll, "epoll", origins, std::min(wanted, possible), report);
  }
}

void wait_on_uring(const Options& options, Report& report) {
  if (!async::make_driver(async::DriverKind::io_uring)) {
    report.heading("wait io_uring: skipped, the kernel does not allow it");
    return;
  }
  for (const Origins origins : {Origins::few, Origins::one_for_each}) {
    report_waiting(async::DriverKind::io_uring, "io_uring", origins,
                   options.quick ? 20'000 : 200'000, report);
  }
}

}  // namespace gossamer::bench
