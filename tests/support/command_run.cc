#include "tests/support/command_run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

namespace gossamer::support {
namespace {

// Between fork() and exec(): only what a signal handler may do.
[[noreturn]] void become(char* const* arguments, char* const* environment, const char* folder,
                         unsigned open_files_max, int in, int out, int err, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (folder[0] != '\0' && chdir(folder) != 0) _exit(127);
  const rlimit files = {.rlim_cur = open_files_max, .rlim_max = open_files_max};
  if (open_files_max > 0 && setrlimit(RLIMIT_NOFILE, &files) != 0) _exit(127);
  execve(arguments[0], arguments, environment);
  _exit(127);
}

int open_new(const std::string& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

// For the states of programs, as if one user ran all commands of a test program.
const std::string& state_folder() {
  static const TestFolder folder;
  static const std::string path = folder.path().string();
  return path;
}

// Our environment, without the configuration of the program; `home` has no configuration.
std::vector<std::string> make_environment(const std::string& home,
                                          const std::vector<std::string>& added) {
  std::vector<std::string> environment = added;  // the first of a name counts
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("GOSSAMER_") && !text.starts_with("XDG_CONFIG_HOME=") &&
        !text.starts_with("XDG_STATE_HOME=")) {
      environment.emplace_back(text);
    }
  }
  environment.push_back("XDG_CONFIG_HOME=" + home);
  environment.push_back("XDG_STATE_HOME=" + state_folder());
  return environment;
}

// As exec() wants them. BORROWS: the texts.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

CommandRun::CommandRun(std::vector<std::string> words, const Streams& streams,
                       const Surroundings& surroundings) {
  words.insert(words.begin(), surroundings.program);
  const std::vector<char*> arguments = pointers_to(words);
  std::vector<std::string> variables =
      make_environment(folder_.path().string(), surroundings.environment);
  const std::vector<char*> environment = pointers_to(variables);
  const int in = open(folder_.write("in", streams.input).c_str(), O_RDONLY | O_CLOEXEC);
  const int own_out = streams.output_descriptor < 0 ? open_new(folder_.file("out")) : -1;
  const int err = open_new(folder_.file("err"));
  const int out = own_out >= 0 ? own_out : streams.output_descriptor;
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    become(arguments.data(), environment.data(), surroundings.folder.c_str(),
           surroundings.open_files_max, in, out, err, parent);
  }
  EXPECT_GT(pid_, 0);
  for (const int descriptor : {in, own_out, err}) {
    if (descriptor >= 0) close(descriptor);
  }
}

CommandRun::~CommandRun() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void CommandRun::send_signal(int signal) const {
  if (pid_ > 0) kill(pid_, signal);
}

int CommandRun::wait() {
  reap(0);
  return exit_code_;
}

bool CommandRun::has_ended() {
  reap(WNOHANG);
  return pid_ <= 0;
}

void CommandRun::reap(int options) {
  int status = 0;
  if (pid_ <= 0 || waitpid(pid_, &status, options) == 0) return;
  pid_ = 0;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string CommandRun::out() const { return file_content(folder_.file("out")); }
std::string CommandRun::err() const { return file_content(folder_.file("err")); }
std::vector<std::string> CommandRun::out_lines() const { return lines_of(out()); }

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace gossamer::support
