#pragma once

#include <cstddef>
#include <memory>

namespace gossamer::async {

// Work for another thread. It is part of the frame of the coroutine that waits for it.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // Runs on a worker thread: does the work and notifies the loop. *this may be destroyed when it
  // returns.
  virtual void work() noexcept = 0;

 protected:
  ~Job() = default;
};

// A queue of jobs and the threads that execute them, in order. The destructor joins the threads.
// REQUIRES, then: no job is queued.
class WorkerThreads {
 public:
  explicit WorkerThreads(std::size_t threads);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  std::size_t size() const;
  void submit(Job& job);
  // Removes a job that no thread has begun. Returns false if it is too late.
  bool withdraw(Job& job) noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gossamer::async
