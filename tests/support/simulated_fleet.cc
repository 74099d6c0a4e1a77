#include "tests/support/simulated_fleet.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "async/sleep.h"
#include "base/check.h"

namespace gossamer::support {
namespace {

// A further world on a thread of its own.
class WorldThread final : public run::LoopThread {
 public:
  WorldThread(SimulatedFleet& fleet, SimulatedFleet::Work work)
      : thread_([this, &fleet, work = std::move(work)]() mutable {
          CHECK(fleet.live(std::move(work)) == 0, "a task is left over");
          has_ended_ = true;
        }) {}
  // Time passes meanwhile: the other world may need it to end.
  async::Task<void> join() override {
    constexpr Duration kPauseMax = 1s;
    for (Duration pause = 1ms; !has_ended_; pause = std::min(2 * pause, kPauseMax)) {
      static_cast<void>(co_await async::sleep(pause));
    }
    thread_.join();
  }

 private:
  std::atomic<bool> has_ended_ = false;
  std::thread thread_;
};

}  // namespace

std::size_t SimulatedFleet::live(Work work) {
  const std::size_t index = begun_++;
  sim::SimOptions options = options_;
  options.seed += index;
  sim::World world(options);
  world.driver().join(convoy_);
  world.run(life_(world.loop(), index, std::move(work)));
  return world.loop().live_tasks();
}

void SimulatedFleet::tell_names(net::Resolver& names) {
  const std::scoped_lock lock(mutex_);
  names_[&async::Loop::current()] = &names;
}

net::Resolver& SimulatedFleet::names() {
  const std::scoped_lock lock(mutex_);
  return *names_.at(&async::Loop::current());
}

std::unique_ptr<run::LoopThread> FleetMachine::start_loop(async::DriverKind /*driver*/,
                                                          LoopWork work,
                                                          LoopFailure /*on_failure*/) {
  return std::make_unique<WorldThread>(fleet_, std::move(work));
}

}  // namespace gossamer::support
