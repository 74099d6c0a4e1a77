#include "tests/support/server_program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "tests/support/patience.h"

namespace gossamer::support {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool can_connect(std::uint16_t port) {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  const int failed = connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  close(probe);
  return failed == 0;
}

// Between fork() and exec(): only what a signal handler may do.
[[noreturn]] void become(char* const* arguments, const char* log_file, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  if (getppid() != parent) _exit(127);  // died before we asked
  const int nothing = open("/dev/null", O_RDONLY);
  const int log = open(log_file, O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

bool can_bind(int type, std::uint16_t port) {
  const int probe = socket(AF_INET, type | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  const bool is_bound =
      bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  close(probe);
  return is_bound;
}

}  // namespace

// Below the ports that the kernel gives to outgoing connections: those of other tests would take it
// before the server does.
std::uint16_t free_port() {
  constexpr std::uint32_t kFirst = 12'000;  // beyond the ports that are not for HTTP
  constexpr std::uint32_t kCount = 20'000;
  static std::uint32_t next = static_cast<std::uint32_t>(getpid()) * 7919;
  for (std::uint32_t tries = 0; tries < kCount; ++tries) {
    const auto port = static_cast<std::uint16_t>(kFirst + next++ % kCount);
    if (can_bind(SOCK_STREAM, port) && can_bind(SOCK_DGRAM, port)) return port;
  }
  ADD_FAILURE() << "no port is free";
  return 0;
}

bool is_installed(const char* program) { return access(program, X_OK) == 0; }

TestFolder::TestFolder() {
  std::string folder = testing::TempDir() + "gossamer_test_XXXXXX";
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  path_ = folder;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TestFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return file(name);
}

Program::Program(std::vector<std::string> words, const std::string& log_file)
    : name_(words[0]), log_file_(log_file) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become(arguments.data(), log_file_.c_str(), parent);
  EXPECT_GT(child, 0) << "cannot start " << name_;
  pid_ = child > 0 ? child : 0;
  if (pid_ > 0) setpgid(pid_, pid_);  // or the child has, if it was first
}

Program::~Program() {
  if (pid_ == 0) return;
  kill(-pid_, SIGKILL);  // with its workers
  waitpid(pid_, nullptr, 0);
}

bool Program::has_ended() {
  if (pid_ != 0 && waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = 0;
  return pid_ == 0;
}

bool Program::wait_until_listening(std::uint16_t port) {
  bool listens = false;
  wait_until([&] { return (listens = can_connect(port)) || has_ended(); });
  if (!listens) {
    ADD_FAILURE() << name_ << " does not listen on port " << port << ":\n" << what_it_said();
  }
  return listens;
}

void Program::send_signal(int signal) const {
  if (pid_ > 0) kill(pid_, signal);
}

int Program::wait_for_end() {
  if (pid_ != 0) waitpid(std::exchange(pid_, 0), &status_, 0);
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
}

std::string Program::what_it_said() const {
  std::ifstream log(log_file_);
  return {std::istreambuf_iterator<char>(log), std::istreambuf_iterator<char>()};
}

void make_certificate(const TestFolder& folder) {
  Program openssl(
      {kOpenssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
       "-keyout", folder.file("key.pem"), "-out", folder.file("certificate.pem"), "-days", "2",
       "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"},
      folder.file("openssl.log"));
  EXPECT_EQ(openssl.wait_for_end(), 0);
}

}  // namespace gossamer::support
