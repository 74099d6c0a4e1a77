#include "bindings/python/forks.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "base/log_lock.h"
#include "bindings/python/log.h"

namespace gossamer::python {
namespace {

std::atomic<std::uint64_t> forks = 0;
std::atomic<bool> uses_storage = false;
std::atomic<bool> lost_storage = false;

// The log is the only lock that crawls of one process share. A crawl's thread may hold it.
void before_fork() {
  base::lock_log();
  lock_log_queue();
}

void after_fork_in_parent() {
  unlock_log_queue();
  base::unlock_log();
}

// Destructors of the storage would join threads that do not exist, and end the process by force.
// Python has finished when this is called.
void exit_without_destructors(int status, void* /*unused*/) {
  static_cast<void>(std::fflush(nullptr));
  _exit(status);
}

void after_fork_in_child() {
  forks.fetch_add(1, std::memory_order_relaxed);
  const bool is_lost = uses_storage.exchange(false, std::memory_order_relaxed);
  if (is_lost) {
    lost_storage.store(true, std::memory_order_relaxed);
    static_cast<void>(on_exit(exit_without_destructors, nullptr));
  }
  after_fork_in_parent();
}

}  // namespace

bool watch_forks() noexcept {
  static const int failed = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  return failed == 0;
}

std::uint64_t fork_count() noexcept { return forks.load(std::memory_order_relaxed); }
void note_storage() noexcept { uses_storage.store(true, std::memory_order_relaxed); }
bool has_lost_storage() noexcept { return lost_storage.load(std::memory_order_relaxed); }

}  // namespace gossamer::python
