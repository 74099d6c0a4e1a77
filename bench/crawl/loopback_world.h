// The environment for measuring crawls on loopback, where hosts are addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "async/driver.h"
#include "async/loop.h"
#include "async/task.h"
#include "base/random.h"
#include "engine/setup/world.h"
#include "http/client.h"
#include "net/connector.h"
#include "net/resolver.h"
#include "record/page_sink.h"
#include "run/machine/machine.h"
#include "settings/crawl_settings.h"

namespace gossamer::bench {

class AddressesOnly final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string host) override;
};

// A client for `at_once` concurrent fetches from one host or many, and its environment.
class LoopbackWorld {
 public:
  // REQUIRES: it is constructed on a running loop.
  explicit LoopbackWorld(std::size_t at_once, const http::Deadlines& deadlines = {});

  ~LoopbackWorld() { client_.close_idle(); }
  LoopbackWorld(const LoopbackWorld&) = delete;
  LoopbackWorld& operator=(const LoopbackWorld&) = delete;

  crawler::World& world() { return world_; }
  http::Client& client() { return client_; }

 private:
  AddressesOnly names_;
  net::Connector connector_;
  http::Client client_;
  base::Random random_{1};
  crawler::World world_;
};

// Stores nothing.
class CountingSink final : public crawler::PageSink {
 public:
  async::Task<Result<void>> put(crawler::Page page) override;

  std::uint64_t pages() const { return pages_; }
  std::uint64_t answered() const { return answered_; }

 private:
  std::uint64_t pages_ = 0;
  std::uint64_t answered_ = 0;  // complete, with status 200
};

// A whole crawl, as the program makes it. BORROWS: sink and machine.
async::Task<Result<void>> crawl_once(run::CrawlSettings settings, crawler::PageSink& sink,
                                     run::Machine& machine = run::this_machine());

// "epoll", "io_uring".
std::string name_of(async::DriverKind kind);

// Runs a task on a new loop. Ends the program if that fails.
void run_on(async::DriverKind kind, async::Task<Result<void>> task);

}  // namespace gossamer::bench
