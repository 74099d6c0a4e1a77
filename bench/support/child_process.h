#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gossamer::bench {

// A child process. Its destructor ends it by its pid; if we die first, the kernel does.
class ChildProcess {
 public:
  struct Ended {
    bool well = false;  // it returned 0
    rusage usage = {};
  };

  // Forks; the child runs `body` and exits with its result. REQUIRES: we have no threads.
  static ChildProcess run(std::move_only_function<int()> body);

  // Forks and becomes another program, on `core`. Its output goes to the file `output`.
  static ChildProcess execute(std::vector<std::string> command, int core,
                              const std::string& output = "/dev/null");

  ChildProcess(ChildProcess&& other) noexcept : pid_(std::exchange(other.pid_, 0)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept {
    ChildProcess old(std::move(*this));
    pid_ = std::exchange(other.pid_, 0);
    return *this;
  }
  ~ChildProcess();

  void signal(int number) const;
  // Waits until it ends by itself.
  Ended wait();

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  pid_t pid_;
};

// Returns the path of an installed program; empty if it is not installed.
std::string find_program(const std::string& name);

// Runs `measure` in a child on kClientCore and returns its result, so that every measurement starts
// with fresh memory and descriptors. Ends the program if the child fails.
void measure_in_child(std::move_only_function<void(void* result)> measure, void* result,
                      std::size_t size);

template <class Measure>
auto measure_in_child(Measure measure) {
  using Measured = std::invoke_result_t<Measure>;
  static_assert(std::is_trivially_copyable_v<Measured>, "it goes through a pipe");
  Measured result = {};
  measure_in_child([&](void* into) { *static_cast<Measured*>(into) = measure(); }, &result,
                   sizeof(result));
  return result;
}

}  // namespace gossamer::bench
