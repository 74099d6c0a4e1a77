// Keep-alive GETs on one thread; client and server have a core each. The figure is the client's
// processor time, user and system, per response. Most of it is the kernel's TCP and the copying of
// bodies, which every client pays.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/http/benchmarks.h"
#include "bench/http/get_load.h"
#include "bench/servers/servers.h"
#include "bench/support/child_process.h"
#include "bench/support/samples.h"

namespace gossamer::bench {

namespace {

constexpr double kOverBareLoopMax = 1.25;
constexpr double kOfLibcurlMax = 1 / 2.5;

using Get = FetchCost (*)(const GetLoad&, async::DriverKind);

struct Client {
  std::string name;
  std::move_only_function<FetchCost(const GetLoad&)> get;
};

// For each driver the bare loop, then ours; libcurl at the end.
struct Clients {
  std::vector<Client> all;
  std::vector<std::string_view> drivers;
  bool has_curl = curl_is_built_in();

  Clients() {
    add_driver(async::DriverKind::epoll, "epoll");
    if (async::make_driver(async::DriverKind::io_uring)) {
      add_driver(async::DriverKind::io_uring, "io_uring");
    }
    if (has_curl) all.push_back({"libcurl", get_with_libcurl});
  }
  void add_driver(async::DriverKind driver, std::string_view name) {
    const auto on = [driver](Get get) {
      return [driver, get](const GetLoad& load) { return get(load, driver); };
    };
    drivers.push_back(name);
    all.push_back({fmt::format("bare loop, {}", name), on(get_with_bare_loop)});
    all.push_back({fmt::format("client, {}", name), on(get_with_client)});
  }
};

// The ratio of two contestants is taken within a round, where the machine's speed is the same.
double median_ratio(const std::vector<FetchCost>& costs, const std::vector<FetchCost>& others) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    ratios.push_back(costs[i].cpu_us_each() / others[i].cpu_us_each());
  }
  return median(std::move(ratios));
}

double median_us(const std::vector<FetchCost>& costs) {
  std::vector<double> samples;
  for (const FetchCost& cost : costs) samples.push_back(cost.cpu_us_each());
  return median(std::move(samples));
}

double median_user_us(const std::vector<FetchCost>& costs) {
  std::vector<double> samples;
  for (const FetchCost& cost : costs) samples.push_back(cost.cpu.user_us / cost.answers);
  return median(std::move(samples));
}

void report_all(const std::string& title, const Clients& clients,
                const std::vector<std::vector<FetchCost>>& costs, Report& report) {
  report.heading(fmt::format("{}: CPU per request", title));
  for (std::size_t i = 0; i < clients.all.size(); ++i) {
    const bool is_ours = i % 2 == 1;
    Figure figure = {.name = fmt::format("{}: {}", title, clients.all[i].name),
                     .value = median_us(costs[i]),
                     .unit = "us"};
    if (is_ours) {
      figure.floor = median_us(costs[i - 1]);
      figure.target = *figure.floor * kOverBareLoopMax;
    }
    report.add(figure);
    report.add(
        {.name = figure.name + ", user part", .value = median_user_us(costs[i]), .unit = "us"});
  }
  for (std::size_t i = 0; clients.has_curl && i < clients.drivers.size(); ++i) {
    report.add({.name = fmt::format("{}: client, {}, of libcurl", title, clients.drivers[i]),
                .value = median_ratio(costs[2 * i + 1], costs.back()),
                .unit = "",
                .target = kOfLibcurlMax});
  }
}

void get_from(std::string_view title, const std::vector<async::Endpoint>& servers,
              const std::vector<ServedPage>& pages, std::uint64_t answers, const Options& options,
              Report& report) {
  if (!curl_is_built_in()) report.heading("get: without libcurl, which is not installed");
  for (const int connections : {64, 1000}) {
    const GetLoad load = {.servers = servers,
                          .pages = pages,
                          .connections = connections,
                          .warm_up = static_cast<std::uint64_t>(connections) * 2,
                          .answers = options.quick ? answers / 8 : answers};
    Clients clients;
    const auto costs = in_turns(options.quick ? 1 : 5, clients.all.size(), [&](std::size_t i) {
      return measure_in_child([&] { return clients.all[i].get(load); });
    });
    report_all(fmt::format("{}, {} connections", title, connections), clients, costs, report);
  }
}

}  // namespace

void get_pages_from_nginx(const Options& options, Report& report) {
  constexpr std::uint64_t kAnswers = 8'000;
  if (!Nginx::is_installed()) {
    report.heading("get pages: skipped, nginx is not installed");
    return;
  }
  for (const Documentation& documentation : kDocumentations) {
    const std::vector<ServedPage> pages = documentation.pages();
    if (pages.empty()) {
      report.heading(fmt::format("get pages: skipped, the package {} is not installed",
                                 documentation.package));
      continue;
    }
    const Nginx nginx{std::string(documentation.folder)};
    get_from(fmt::format("get pages of {}", documentation.package), nginx.endpoints(), pages,
             kAnswers, options, report);
  }
}

void get_from_canned_server(const Options& options, Report& report) {
  constexpr std::uint64_t kAnswers = 32'000;
  const CannedServer server(CannedServer::Idle::spins);
  get_from("get canned", server.endpoints(), {{"/page.html", kPageBytes}}, kAnswers, options,
           report);
}

}  // namespace gossamer::bench
