#include "tests/simulated/world.h"

#include <fmt/format.h>

namespace gossamer::sim {

SimOptions draw_options(std::uint64_t seed) {
  const base::Random random(seed);
  // Each part has its own stream: a new option of one does not change the numbers of the others.
  base::Random of_network = random.fork("network options");
  base::Random of_disk = random.fork("disk options");
  return {.seed = seed,
          .network = NetworkOptions::stormy(of_network),
          .disk = DiskOptions::stormy(of_disk)};
}

SimOptions calm_options(std::uint64_t seed) { return {.seed = seed}; }

std::string describe(const SimOptions& options) {
  return fmt::format("seed {}\n{}{}", options.seed, describe(options.network),
                     describe(options.disk));
}

World::World(const SimOptions& options, std::shared_ptr<Disk> disk, async::LoopOptions loop_options)
    : World(std::make_unique<SimDriver>(options, std::move(disk)), options, loop_options) {}

World::World(std::unique_ptr<SimDriver> driver, const SimOptions& options,
             async::LoopOptions loop_options)
    : options_(options), driver_(driver.get()), loop_(std::move(driver), loop_options) {}

}  // namespace gossamer::sim
