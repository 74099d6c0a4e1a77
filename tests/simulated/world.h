#pragma once

#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <utility>

#include "async/loop.h"
#include "async/task.h"
#include "tests/simulated/disk.h"
#include "tests/simulated/sim_driver.h"

namespace gossamer::sim {

// Draws every number of a world from its seed: faults of the network and of the disk.
SimOptions draw_options(std::uint64_t seed);
// No faults; the seed decides the few things left to chance.
SimOptions calm_options(std::uint64_t seed = 0);

// The seed and every drawn number, one per line.
std::string describe(const SimOptions& options);

// A simulated world and its loop, for one run.
//
//   sim::World world(seed);
//   SCOPED_TRACE(world.describe());
//   const Result<Report> report = world.run(program());
class World {
 public:
  // A world with faults drawn from the seed.
  explicit World(std::uint64_t seed) : World(draw_options(seed)) {}
  // Uses the disk of an earlier world: what its crash left.
  explicit World(const SimOptions& options, std::shared_ptr<Disk> disk = nullptr,
                 async::LoopOptions loop_options = {});
  static World calm(std::uint64_t seed = 0) { return World(calm_options(seed)); }

  template <class T>
  T run(async::Task<T> task, std::source_location at = std::source_location::current()) {
    return loop_.run(std::move(task), at);
  }

  std::uint64_t seed() const { return options_.seed; }
  const SimOptions& options() const { return options_; }
  std::string describe() const { return sim::describe(options_); }
  SimDriver& driver() { return *driver_; }
  async::Loop& loop() { return loop_; }

 private:
  World(std::unique_ptr<SimDriver> driver, const SimOptions& options,
        async::LoopOptions loop_options);

  SimOptions options_;
  SimDriver* driver_;  // the loop's
  async::Loop loop_;
};

}  // namespace gossamer::sim
