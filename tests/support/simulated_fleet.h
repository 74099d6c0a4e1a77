// For tests: a crawl on several loops, each in a simulated world with a thread of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "async/loop.h"
#include "async/task.h"
#include "base/time.h"
#include "net/resolver.h"
#include "run/machine/machine.h"
#include "tests/simulated/convoy.h"
#include "tests/simulated/world.h"
#include "tests/support/simulated_machine.h"

namespace gossamer::support {

// The worlds of one crawl.
class SimulatedFleet {
 public:
  using Work = run::Machine::LoopWork;
  // What happens in a world: starts its servers, calls tell_names(), and does the work on its loop.
  using Life =
      std::move_only_function<async::Task<void>(async::Loop& loop, std::size_t world, Work work)>;

  // The i-th world has the i-th seed, counted from the options' seed.
  SimulatedFleet(const sim::SimOptions& options, std::size_t worlds, Duration slack, Life life)
      : options_(options), convoy_(worlds, slack), life_(std::move(life)) {}

  // Lives in one more world, on this thread. Returns the number of tasks that are left over.
  std::size_t live(Work work);
  // The names that the world of the current loop resolves. BORROWS: the names.
  void tell_names(net::Resolver& names);
  net::Resolver& names();

 private:
  const sim::SimOptions options_;
  sim::Convoy convoy_;
  Life life_;
  std::atomic<std::size_t> begun_ = 0;
  std::mutex mutex_;  // guards what follows
  std::map<async::Loop*, net::Resolver*> names_;
};

// Its further loops are further worlds of the fleet.
class FleetMachine final : public SimulatedMachine {
 public:
  // REQUIRES: this is a world of the fleet. BORROWS: both.
  FleetMachine(SimulatedFleet& fleet, SimulatedStorage& storage)
      : SimulatedMachine(storage, fleet.names(), 1, {.seconds = 1'700'000'000}), fleet_(fleet) {}

  std::uint64_t draw() override {
    const std::scoped_lock lock(mutex_);
    return SimulatedMachine::draw();
  }
  net::Resolver& names() override { return fleet_.names(); }
  std::unique_ptr<run::LoopThread> start_loop(async::DriverKind driver, LoopWork work,
                                              LoopFailure on_failure) override;

 private:
  SimulatedFleet& fleet_;
  std::mutex mutex_;
};

}  // namespace gossamer::support
