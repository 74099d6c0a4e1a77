#include "crawl/crawl.h"

#include <utility>

#include "async/queue.h"
#include "crawl/engine.h"
#include "crawl/frontier/frontier.h"

namespace gossamer::crawler {
namespace {

// Pages that are ready and have not been taken. More would only be memory.
constexpr std::size_t kPagesAhead = 16;

// What crawl and consumer share; it lives as long as either.
struct Pipe final : public PageSink {
  async::Task<Result<void>> put(Page page) override {
    co_return co_await pages.push(std::move(page));
  }

  // Nobody takes pages any more: the crawl stops, even if all that it does is wait.
  void leave() {
    is_left = true;
    pages.close();
    while (auto page = pages.try_pop()) page.reset();
    if (engine != nullptr) engine->stop(EndReason::interrupted);
  }

  async::Queue<Page> pages{kPagesAhead};
  Engine* engine = nullptr;  // while it runs
  bool is_left = false;
};

class Consumer {
 public:
  explicit Consumer(std::shared_ptr<Pipe> pipe) noexcept : pipe_(std::move(pipe)) {}
  Consumer(const Consumer&) = delete;
  Consumer& operator=(const Consumer&) = delete;
  ~Consumer() { pipe_->leave(); }

 private:
  std::shared_ptr<Pipe> pipe_;
};

// BORROWS: the world.
async::Task<Result<void>> produce(World& world, Options options, std::shared_ptr<Pipe> pipe,
                                  std::shared_ptr<CrawlSummary> summary) {
  Frontier frontier(async::Loop::current(), frontier_options(options, world));
  wire::CookieJar cookies;
  Engine engine(world, std::move(options), frontier, *pipe, cookies);
  pipe->engine = &engine;
  if (pipe->is_left) pipe->leave();
  auto end = co_await engine.run();
  pipe->engine = nullptr;
  if (summary) {
    summary->statistics = engine.statistics();
    if (end) summary->end = *end;
    if (!end && end.error() == Errc::closed) summary->end = EndReason::interrupted;
    if (!end && end.error() != Errc::closed) summary->failure = std::move(end).error();
  }
  pipe->pages.close();
  co_return {};
}

}  // namespace

FrontierOptions frontier_options(const Options& options, World& world) {
  FrontierOptions frontier = frontier_options(options, world.resolver != nullptr);
  frontier.salt = world.random.next();
  return frontier;
}

FrontierOptions frontier_options(const Options& options, bool has_resolver) {
  FrontierOptions frontier;
  frontier.politeness = frontier_politeness(options);
  frontier.hosts = options.hosts;
  frontier.order = options.order;
  frontier.is_level_by_level =
      options.scope.depth_max.has_value() && options.order == CrawlOrder::breadth_first;
  frontier.global_gap = options.global_gap;
  frontier.needs_address = has_resolver;
  frontier.needs_robots = options.obeys_robots || options.reads_sitemaps;
  frontier.probes_robots = options.obeys_robots;
  frontier.pages_max = options.pages_max;
  if (options.host_bytes_max > 0) frontier.host_bytes_max = options.host_bytes_max;
  frontier.agent = options.agent;
  return frontier;
}

}  // namespace gossamer::crawler
