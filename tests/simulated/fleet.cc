#include "tests/simulated/fleet.h"

#include <thread>
#include <vector>

#include "tests/simulated/convoy.h"

namespace gossamer::sim {

void run_fleet(std::size_t count, const SimOptions& options, Duration slack,
               std::move_only_function<void(World& world, std::size_t index) const> live) {
  Convoy convoy(count, slack);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      SimOptions own = options;
      own.seed += i;
      World world(own);
      world.driver().join(convoy);
      live(world, i);
    });
  }
}

}  // namespace gossamer::sim
