#include "bench/crawl/loopback_world.h"

#include <utility>

#include "base/check.h"
#include "crawl/engine.h"
#include "crawl/frontier/frontier.h"
#include "crawl/frontier/frontier_options.h"

namespace gossamer::bench {
namespace {

constexpr WallTime kSomeDay = {.seconds = 1'700'000'000};

// The program's setting: a few idle connections in addition to those in use. Without them, each
// page would close a connection of one host to open one for the next.
http::ClientOptions client_options(std::size_t at_once, const http::Deadlines& deadlines,
                                   bool keeps_requests) {
  http::ClientOptions options;
  options.keep_request = keeps_requests;
  options.deadlines = deadlines;
  options.pool.exchanges_per_origin_max = at_once;
  options.pool.connections_max = at_once + at_once / 4 + 64;
  options.pool.idle_per_origin_max = at_once;
  return options;
}

}  // namespace

async::Task<Result<net::Addresses>> AddressesOnly::look_up(std::string host) {
  const auto address = net::literal_address(host);
  if (!address) co_return fail(Errc::dns_failed, "there are no names here");
  co_return net::addresses_of_literal(*address);
}

LoopbackWorld::LoopbackWorld(std::size_t at_once, const http::Deadlines& deadlines,
                             bool keeps_requests)
    : connector_(names_, net::AddressGuard({.allow_private = true})),
      client_(connector_, nullptr, client_options(at_once, deadlines, keeps_requests)),
      world_({.client = client_,
              .resolver = &names_,
              .random = random_,
              .wall_start = kSomeDay,
              .loop_start = async::Loop::current().now()}) {}

async::Task<Result<void>> CountingSink::put(crawler::Page page) {
  ++pages_;
  if (page.record.status == 200 && page.record.error.empty()) ++answered_;
  co_return {};
}

async::Task<Result<void>> crawl_once(LoopbackWorld& loopback, crawler::Options options,
                                     crawler::PageSink& sink) {
  crawler::Frontier frontier(async::Loop::current(),
                             crawler::frontier_options(options, loopback.world()));
  wire::CookieJar cookies;
  crawler::Engine engine(loopback.world(), std::move(options), frontier, sink, cookies);
  auto end = co_await engine.run();
  if (!end) co_return fail(std::move(end).error());
  co_return {};
}

std::string name_of(async::DriverKind kind) {
  return kind == async::DriverKind::epoll ? "epoll" : "io_uring";
}

void run_on(async::DriverKind kind, async::Task<Result<void>> task) {
  auto driver = async::make_driver(kind);
  CHECK(driver.has_value(), "{}", driver.error().to_string());
  async::Loop loop(std::move(*driver));
  const auto done = loop.run(std::move(task));
  CHECK(done.has_value(), "{}", done.error().to_string());
}

}  // namespace gossamer::bench
