#include "bench/support/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "base/check.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {

ChildProcess ChildProcess::run(std::move_only_function<int()> body) {
  std::fflush(nullptr);  // otherwise the child would print our buffered text again
  const pid_t parent = getpid();
  const pid_t pid = fork();
  CHECK(pid >= 0, "fork failed");
  if (pid > 0) return ChildProcess(pid);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent died before the line above
  setsid();
  const int status = body();
  std::fflush(nullptr);
  _exit(status);
}

ChildProcess ChildProcess::execute(std::vector<std::string> command, int core,
                                   const std::string& output) {
  return run([&] {
    claim_core(core);
    const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(out >= 0, "cannot write {}", output);
    dup2(out, STDOUT_FILENO);
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (std::string& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    return 127;
  });
}

ChildProcess::~ChildProcess() {
  if (pid_ == 0) return;
  signal(SIGKILL);
  static_cast<void>(wait());
}

void ChildProcess::signal(int number) const { kill(pid_, number); }

ChildProcess::Ended ChildProcess::wait() {
  Ended ended;
  int status = 0;
  CHECK(wait4(std::exchange(pid_, 0), &status, 0, &ended.usage) > 0);
  ended.well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return ended;
}

std::string find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  // Servers are often outside the PATH of an ordinary user.
  std::istringstream folders(std::string(path == nullptr ? "" : path) + ":/usr/sbin:/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = folder + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

void measure_in_child(std::move_only_function<void(void*)> measure, void* result,
                      std::size_t size) {
  int ends[2] = {};
  CHECK_EQ(pipe(ends), 0);
  ChildProcess child = ChildProcess::run([&] {
    claim_core(kClientCore);
    measure(result);
    return write(ends[1], result, size) == static_cast<ssize_t>(size) ? 0 : 1;
  });
  close(ends[1]);
  const bool told = read(ends[0], result, size) == static_cast<ssize_t>(size);
  close(ends[0]);
  if (child.wait().well && told) return;
  std::fputs("bench: a measurement failed\n", stderr);
  std::exit(1);
}

}  // namespace gossamer::bench
