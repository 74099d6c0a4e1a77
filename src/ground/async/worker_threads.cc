#include "async/worker_threads.h"

#include <signal.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "base/check.h"

namespace gossamer::async {
namespace {

// While it lives, new threads block all signals: signals are for the threads of the loops, which
// might not have blocked them yet.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

struct WorkerThreads::State {
  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stopping || !queue.empty(); });
      if (queue.empty()) return;
      Job& job = *queue.front();
      queue.pop_front();
      lock.unlock();
      job.work();
      lock.lock();
    }
  }

  // Ends the threads that have started.
  void stop() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    changed.notify_all();
    for (std::thread& thread : threads) thread.join();
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job*> queue;
  bool stopping = false;
  std::vector<std::thread> threads;
};

WorkerThreads::WorkerThreads(std::size_t threads) : state_(std::make_unique<State>()) {
  state_->threads.reserve(threads);
  const WithoutSignals none;
  try {
    for (std::size_t i = 0; i < threads; ++i) {
      state_->threads.emplace_back([state = state_.get()] { state->work(); });
    }
  } catch (...) {  // the system refuses a thread
    state_->stop();
    throw;
  }
}

WorkerThreads::~WorkerThreads() {
  {
    const std::lock_guard lock(state_->mutex);
    CHECK(state_->queue.empty(), "worker threads die with {} jobs queued", state_->queue.size());
  }
  state_->stop();
}

std::size_t WorkerThreads::size() const { return state_->threads.size(); }

void WorkerThreads::submit(Job& job) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->queue.push_back(&job);
  }
  state_->changed.notify_one();
}

bool WorkerThreads::withdraw(Job& job) noexcept {
  const std::lock_guard lock(state_->mutex);
  return std::erase(state_->queue, &job) > 0;
}

}  // namespace gossamer::async
