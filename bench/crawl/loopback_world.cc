#include "bench/crawl/loopback_world.h"

#include <utility>

#include "base/check.h"
#include "run/crawl.h"

namespace gossamer::bench {
namespace {

constexpr WallTime kSomeDay = {.seconds = 1'700'000'000};

// The program's setting: a few idle connections in addition to those in use. Without them, each
// page would close a connection of one host to open one for the next.
http::ClientOptions client_options(std::size_t at_once, const http::Deadlines& deadlines) {
  http::ClientOptions options;
  options.deadlines = deadlines;
  options.pool.exchanges_per_origin_max = at_once;
  options.pool.connections_max = at_once + at_once / 4 + 64;
  options.pool.idle_per_origin_max = at_once;
  return options;
}

class OneSink final : public run::CrawlListener {
 public:
  // BORROWS: the sink.
  explicit OneSink(crawler::PageSink& sink) : sink_(sink) {}
  Result<crawler::PageSink*> open_sink(const run::CrawlSettings&) override { return &sink_; }

 private:
  crawler::PageSink& sink_;
};

}  // namespace

async::Task<Result<net::Addresses>> AddressesOnly::look_up(std::string host) {
  const auto address = net::literal_address(host);
  if (!address) co_return fail(Errc::dns_failed, "there are no names here");
  co_return net::addresses_of_literal(*address);
}

LoopbackWorld::LoopbackWorld(std::size_t at_once, const http::Deadlines& deadlines)
    : connector_(names_, net::AddressGuard({.allow_private = true})),
      client_(connector_, nullptr, client_options(at_once, deadlines)),
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

async::Task<Result<void>> crawl_once(run::CrawlSettings settings, crawler::PageSink& sink,
                                     run::Machine& machine) {
  if (auto settled = run::complete(settings); !settled) co_return settled;
  OneSink listener(sink);
  run::Crawl crawl(std::move(settings), nullptr, machine);
  auto end = co_await crawl.run(listener);
  if (!end) co_return fail(std::move(end.error().error));
  if (end->failure) co_return fail(std::move(end->failure->error));
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
