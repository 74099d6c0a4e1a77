// Stage 10: why concurrent waiting pays. A master plays 24 boards. She thinks 5 seconds a move, her
// opponents 55; a game has 30 moves of each. One game after the other takes 12 hours. If she walks
// round the tables while the others think, it takes 1 hour, plus the last opponent's 55 s. It runs
// on the virtual clock of the simulated world, so the hours pass in milliseconds.
#include <cstdio>
#include <memory>

#include "async/loop.h"
#include "async/mutex.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/time.h"
#include "tests/simulated/sim_driver.h"

using namespace gossamer;

namespace {

constexpr int kBoards = 24;
constexpr int kMovePairs = 30;
constexpr Duration kMasterThinks = 5s;
constexpr Duration kOpponentThinks = 55s;

// BORROWS: the master, who outlives every game.
async::Task<Result<void>> play(async::Mutex& master) {
  for (int i = 0; i < kMovePairs; ++i) {
    {
      auto attention = co_await master.lock();
      if (!attention) co_return fail(std::move(attention).error());
      if (auto moved = co_await async::sleep(kMasterThinks); !moved) co_return moved;
    }
    if (auto moved = co_await async::sleep(kOpponentThinks); !moved) co_return moved;
  }
  co_return {};
}

async::Task<Result<void>> one_by_one() {
  async::Mutex master;
  for (int i = 0; i < kBoards; ++i) {
    if (auto played = co_await play(master); !played) co_return played;
  }
  co_return {};
}

async::Task<Result<void>> round_the_tables() {
  async::Mutex master;
  async::Scope games;
  for (int i = 0; i < kBoards; ++i) games.spawn(play(master));
  co_return co_await games.join();
}

void report(const char* how, async::Task<Result<void>> (*exhibition)()) {
  async::Loop loop(std::make_unique<sim::SimDriver>());
  const Instant begin = loop.now();
  if (!loop.run(exhibition())) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(loop.now() - begin).count();
  std::printf("%s: %lld h %lld s\n", how, static_cast<long long>(seconds / 3600),
              static_cast<long long>(seconds % 3600));
}

}  // namespace

int main() {
  report("one by one", one_by_one);
  report("round the tables", round_the_tables);
}
