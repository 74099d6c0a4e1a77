// Keep-alive and one-shot GETs of a 10 KB page on one thread; client and server have a core each.
// The figure is the client's processor time, user and system, per response. Nearly all of it is the
// kernel's TCP, which every client pays; on loopback the sender also pays for the receiver.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/async/benchmarks.h"
#include "bench/async/clients.h"
#include "bench/servers/servers.h"
#include "bench/servers/wrk.h"
#include "bench/support/child_process.h"
#include "bench/support/samples.h"

namespace gossamer::bench {

namespace {

constexpr double kOverPlainEpollMax = 1.10;
constexpr int kWrkSeconds = 1;

struct Client {
  std::string name;
  std::move_only_function<FetchCost(const FetchLoad&)> fetch;
  bool is_ours = false;
};

FetchCost fetch_in_child(const FetchLoad& load, FetchCost (*fetch)(const FetchLoad&)) {
  return measure_in_child([&] { return fetch(load); });
}

FetchCost fetch_with_epoll_driver(const FetchLoad& load) {
  return fetch_with_coroutines(load, async::DriverKind::epoll);
}

FetchCost fetch_with_uring_driver(const FetchLoad& load) {
  return fetch_with_coroutines(load, async::DriverKind::io_uring);
}

// The floor comes first.
std::vector<Client> clients() {
  std::vector<Client> all;
  const auto add = [&](std::string name, FetchCost (*fetch)(const FetchLoad&), bool is_ours) {
    all.push_back({std::move(name),
                   [fetch](const FetchLoad& load) { return fetch_in_child(load, fetch); },
                   is_ours});
  };
  add("plain epoll", fetch_with_plain_epoll, false);
  add("coroutines, epoll", fetch_with_epoll_driver, true);
  if (async::make_driver(async::DriverKind::io_uring)) {
    add("coroutines, io_uring", fetch_with_uring_driver, true);
  }
  if (wrk_is_installed()) {
    all.push_back({"wrk", [](const FetchLoad& load) { return fetch_with_wrk(load, kWrkSeconds); }});
  }
  return all;
}

double median_us(const std::vector<FetchCost>& costs) {
  std::vector<double> samples;
  for (const FetchCost& cost : costs) samples.push_back(cost.cpu_us_each());
  return median(std::move(samples));
}

double median_per_second(const std::vector<FetchCost>& costs) {
  std::vector<double> samples;
  for (const FetchCost& cost : costs) samples.push_back(cost.answers / cost.wall_us * 1e6);
  return median(std::move(samples));
}

// Ours must stay close to the floor and, where wrk is measured, below it.
void report_all(std::string_view title, std::vector<Client>& clients,
                const std::vector<std::vector<FetchCost>>& costs, Report& report) {
  const double floor = median_us(costs.front());
  double target = floor * kOverPlainEpollMax;
  if (clients.back().name == "wrk") target = std::min(target, median_us(costs.back()));
  report.heading(fmt::format("{}: CPU per request", title));
  for (std::size_t i = 0; i < clients.size(); ++i) {
    Figure figure = {.name = fmt::format("{}: {}", title, clients[i].name),
                     .value = median_us(costs[i]),
                     .unit = "us"};
    if (i > 0) figure.floor = floor;
    if (clients[i].is_ours) figure.target = target;
    report.add(figure);
    report.add({.name = fmt::format("{}: {}, rate", title, clients[i].name),
                .value = median_per_second(costs[i]),
                .unit = "1/s"});
  }
}

struct Scenario {
  std::string_view name;
  int connections;
  bool keep_alive;
  std::uint64_t answers;
};

constexpr Scenario kScenarios[] = {
    {"64 kept alive", 64, true, 40'000},
    {"1000 kept alive", 1000, true, 40'000},
    {"64 one-shot", 64, false, 12'000},
};

void fetch_from(std::string_view server, const std::vector<async::Endpoint>& endpoints,
                const Options& options, Report& report) {
  for (const Scenario& scenario : kScenarios) {
    const FetchLoad load = {.servers = endpoints,
                            .connections = scenario.connections,
                            .keep_alive = scenario.keep_alive,
                            .warm_up = static_cast<std::uint64_t>(scenario.connections) * 3,
                            .answers = options.quick ? scenario.answers / 4 : scenario.answers};
    auto all = clients();
    const auto costs = in_turns(options.quick ? 1 : 5, all.size(),
                                [&](std::size_t i) { return all[i].fetch(load); });
    report_all(fmt::format("fetch {} {}", server, scenario.name), all, costs, report);
  }
}

}  // namespace

void fetch_from_nginx(const Options& options, Report& report) {
  if (!Nginx::is_installed()) {
    report.heading("fetch nginx: skipped, nginx is not installed");
    return;
  }
  const Nginx nginx;
  fetch_from("nginx", nginx.endpoints(), options, report);
}

void fetch_from_canned_server(const Options& options, Report& report) {
  const CannedServer server;
  fetch_from("canned", server.endpoints(), options, report);
}

}  // namespace gossamer::bench
