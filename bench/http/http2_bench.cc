// Measures HTTP/2 over TLS: processor time per page of 10 KB, compared with h2load, libcurl and our
// HTTP/1.1, on 100 streams of one connection; and the memory of streams that wait.
#include <fmt/format.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "base/check.h"
#include "bench/http/benchmarks.h"
#include "bench/http/get_load.h"
#include "bench/http/no_names.h"
#include "bench/http/url_caller.h"
#include "bench/servers/servers.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/memory.h"
#include "bench/support/samples.h"
#include "http/client.h"
#include "wire/http2_session.h"

namespace gossamer::bench {
namespace {

constexpr int kStreams = 100;
constexpr double kOfH2loadMax = 1.15;
constexpr double kHttp2OfLibcurlMax = 0.35;
constexpr double kOfHttp1Max = 1.0;
constexpr double kWaitingBytesMax = 1024;

// Its start and its handshake are included, so there must be many answers.
FetchCost get_with_h2load(const GetLoad& load) {
  auto process = ChildProcess::execute(
      {find_program("h2load"), "-n", std::to_string(load.answers), "-c", "1", "-m",
       std::to_string(kStreams), "-t", "1", load.site_of(0) + load.pages[0].path},
      kClientCore);
  const ChildProcess::Ended ended = process.wait();
  CHECK(ended.well, "h2load failed");
  return {.answers = static_cast<double>(load.answers), .cpu = cpu_time(ended.usage)};
}

FetchCost get_with_epoll(const GetLoad& load) {
  return get_with_client(load, async::DriverKind::epoll);
}

struct Contestant {
  const char* name;
  Spoken spoken;
  FetchCost (*get)(const GetLoad&);
  bool is_present = true;
};

void report_get(const std::vector<Contestant>& contestants,
                const std::vector<std::vector<double>>& costs, Report& report) {
  report.heading("h2 get: CPU per page of 10 KB over TLS, 100 at a time");
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    report.add({.name = fmt::format("h2 get: {}", contestants[i].name),
                .value = median(costs[i]),
                .unit = "us"});
  }
  // Ratios are taken within a round, where the machine's speed is the same.
  const auto ratio = [&](std::size_t other, double target) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < costs[0].size(); ++i) {
      ratios.push_back(costs[0][i] / costs[other][i]);
    }
    report.add({.name = fmt::format("h2 get: our HTTP/2, of {}", contestants[other].name),
                .value = median(std::move(ratios)),
                .unit = "",
                .target = target});
  };
  for (std::size_t i = 1; i < contestants.size(); ++i) {
    const bool is_h2load = contestants[i].get == get_with_h2load;
    const bool is_http1 = contestants[i].spoken == Spoken::tls_http1;
    ratio(i, is_h2load ? kOfH2loadMax : is_http1 ? kOfHttp1Max : kHttp2OfLibcurlMax);
  }
}

// A server that accepts streams and answers nothing. BORROWS: the listener.
async::Task<Result<void>> hold(async::Listener& listener) {
  auto socket = co_await listener.accept();
  if (!socket) co_return fail(std::move(socket).error());
  // SETTINGS with MAX_CONCURRENT_STREAMS of a million, and the acknowledgement of the client's.
  static constexpr unsigned char kGreeting[] = {0,   0,    6,    4, 0, 0, 0, 0, 0, 0, 3, 0,
                                                0xF, 0x42, 0x40, 0, 0, 0, 4, 1, 0, 0, 0, 0};
  auto sent = co_await socket->send(std::as_bytes(std::span(kGreeting)));
  if (!sent) co_return sent;
  for (;;) {
    auto lent = co_await socket->receive();
    if (!lent || lent->end()) co_return {};
  }
}

// BORROWS: the client, which outlives the scope this runs in.
async::Task<void> ask_and_wait(http::Client& client, std::string url) {
  UrlCaller caller(std::move(url));
  static_cast<void>(co_await client.send(caller));
}

// Returns the heap of one waiting stream. BORROWS: nothing.
async::Task<Result<double>> wait_on_streams(int count) {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  if (!listener) co_return fail(std::move(listener).error());
  NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  http::ClientOptions options;
  options.protocols = http::Protocols::http2_prior_knowledge;
  options.pool.exchanges_per_origin_max = static_cast<std::size_t>(count) + 1;
  http::Client client(connector, nullptr, options);
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(hold(*listener));
  const std::string site = "http://" + listener->endpoint().to_string();
  double before = 0;
  for (int i = 0; i <= count; ++i) {
    if (i == 1) {  // the connection exists
      static_cast<void>(co_await async::sleep(50ms));
      before = heap_bytes();
    }
    scope.spawn(ask_and_wait(client, fmt::format("{}/a/page/with/a/path/of/its/own/{}", site, i)));
  }
  static_cast<void>(co_await async::sleep(500ms));
  const double each = (heap_bytes() - before) / count;
  CHECK(client.pool().open() == 1);
  scope.cancel();
  static_cast<void>(co_await scope.join());
  client.close_idle();
  co_return each;
}

double waiting_stream_bytes() {
  async::Loop loop(std::move(*async::make_driver(async::DriverKind::epoll)));
  const auto each = loop.run(wait_on_streams(4000));
  CHECK(each.has_value(), "{}", each.error().to_string());
  return *each;
}

struct SessionBytes {
  double heap = 0;
  double resident = 0;
};

// A session whose preface is sent.
SessionBytes session_bytes() {
  constexpr std::size_t kCount = 1000;
  const wire::Http2Limits limits;
  std::vector<std::unique_ptr<wire::Http2Session>> all;
  all.reserve(kCount);
  const double heap = heap_bytes();
  const MemoryUse memory = memory_use();
  for (std::size_t i = 0; i < kCount; ++i) {
    all.push_back(std::make_unique<wire::Http2Session>(limits));
    std::string out;
    CHECK(all.back()->take_output(out, 1 << 16));
  }
  return {.heap = (heap_bytes() - heap) / kCount,
          .resident = (memory_use() - memory).resident / kCount};
}

}  // namespace

void get_over_http2(const Options& options, Report& report) {
  if (!Nginx::is_installed() || find_program("openssl").empty()) {
    report.heading("h2 get: skipped, nginx or openssl is not installed");
    return;
  }
  const Nginx nginx(".", {}, Listening::over_tls);
  std::vector<Contestant> contestants = {
      {"our HTTP/2", Spoken::tls_http2, get_with_epoll},
      {"our HTTP/1.1", Spoken::tls_http1, get_with_epoll},
      {"h2load", Spoken::tls_http2, get_with_h2load, !find_program("h2load").empty()},
      {"libcurl, HTTP/2", Spoken::tls_http2, get_with_libcurl, curl_is_built_in()},
  };
  std::erase_if(contestants, [](const Contestant& each) { return !each.is_present; });
  const auto costs = in_turns(options.quick ? 1 : 7, contestants.size(), [&](std::size_t i) {
    const GetLoad load = {.servers = {nginx.endpoints()[0]},
                          .pages = {{"/page.html", kPageBytes}},
                          .connections = kStreams,
                          .warm_up = kStreams * 2,
                          .answers = options.quick ? 4'000U : 20'000U,
                          .spoken = contestants[i].spoken,
                          .ca_file = nginx.certificate_file()};
    return measure_in_child([&] { return contestants[i].get(load).cpu_us_each(); });
  });
  report_get(contestants, costs, report);
}

void wait_over_http2(const Options& /*options*/, Report& report) {
  const SessionBytes session = measure_in_child([] { return session_bytes(); });
  report.heading("h2 wait: memory");
  report.add({.name = "h2 wait: heap of a waiting stream",
              .value = measure_in_child([] { return waiting_stream_bytes(); }),
              .unit = "B",
              .target = kWaitingBytesMax});
  report.add({.name = "h2 wait: heap of a session", .value = session.heap, .unit = "B"});
  report.add(
      {.name = "h2 wait: resident memory of a session", .value = session.resident, .unit = "B"});
}

}  // namespace gossamer::bench
