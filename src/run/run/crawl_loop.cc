#include "run/crawl_loop.h"

#include <utility>

namespace gossamer::run {

CrawlLoop::CrawlLoop(const Parts& parts, crawler::Options options)
    : loop_(parts.loop),
      web_(parts.web),
      sessions_(parts.sessions),
      shard_(parts.shards == nullptr ? nullptr : &(*parts.shards)[parts.index]),
      index_(parts.index),
      shared_(parts.shared),
      random_(parts.random),
      rendering_(parts.machine, web_.resolver(), loop_, parts.settings),
      world_({.client = web_.client(),
              .resolver = web_.resolver_of_hosts(),
              .random = random_,
              .wall_start = parts.wall_start,
              .loop_start = parts.loop_start,
              .bodies = parts.bodies,
              .renderer = rendering_.renderer()}),
      frontier_(
          loop_, parts.frontier, make_share(parts),
          {.backlog = parts.backlog, .leases = shared_ == nullptr ? nullptr : &shared_->node()}),
      engine_(world_, std::move(options), frontier_, parts.sink, cookies_, peers()) {}

std::shared_ptr<crawler::FrontierShare> CrawlLoop::make_share(const Parts& parts) {
  if (shared_ != nullptr) return shared_->make_node(parts.frontier, shard_);
  return parts.shards == nullptr ? nullptr : parts.shards->share();
}

crawler::Peers* CrawlLoop::peers() {
  if (shared_ != nullptr) return &shared_->node();
  return shard_;
}

async::Task<Result<crawler::EndReason>> CrawlLoop::run(std::unique_ptr<node::Process> process) {
  process_ = std::move(process);
  auto end = shared_ == nullptr
                 ? co_await engine_.run()
                 : co_await shared_->crawl({engine_, frontier_, cookies_, *process_});
  co_await rendering_.close();
  if (shard_ != nullptr) static_cast<void>(co_await shard_->leave());
  co_return end;
}

}  // namespace gossamer::run
