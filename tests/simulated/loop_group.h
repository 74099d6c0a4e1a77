#pragma once

#include <cstddef>
#include <memory>
#include <source_location>
#include <utility>
#include <vector>

#include "async/driver.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "tests/simulated/sim_driver.h"

namespace gossamer::sim {

// Several loops in one simulated world, like processes on machines of one network. They take turns
// on this thread, so that one seed is still one run. A loop can be frozen, as by SIGSTOP: it runs
// nothing while time passes, and its timers are late.
class LoopGroup {
 public:
  explicit LoopGroup(const SimOptions& options);
  LoopGroup(const LoopGroup&) = delete;
  LoopGroup& operator=(const LoopGroup&) = delete;
  ~LoopGroup();

  SimDriver& driver() { return driver_; }
  // Adds a loop, which exists as long as the group.
  async::Loop& add();
  void freeze(const async::Loop& loop, bool is_frozen);
  // Of all loops.
  std::size_t live_tasks() const;

  // Runs a task on a loop of the group until it ends, and meanwhile all loops.
  template <class T>
  T run(async::Loop& loop, async::Task<T> task,
        std::source_location at = std::source_location::current());

 private:
  class Member;

  // Runs everything that is ready on any loop.
  void run_ready();
  // Moves time to the next event.
  void move_on();

  SimDriver driver_;
  std::vector<std::unique_ptr<Member>> members_;
};

template <class T>
T LoopGroup::run(async::Loop& loop, async::Task<T> task, std::source_location at) {
  const async::Loop::Running running(loop);
  async::Scope root(loop, async::OnFailure::keep_going);
  async::JoinHandle<T> handle = root.spawn(std::move(task), at);
  for (run_ready(); !handle.done(); run_ready()) move_on();
  return handle.take();
}

}  // namespace gossamer::sim
