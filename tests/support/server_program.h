// Servers of others for tests: programs that run as long as the test wants them, and what they
// need around them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gossamer::support {

// A port of 127.0.0.1 that nobody listened on a moment ago.
std::uint16_t free_port();

bool is_installed(const char* program);

// Programs that tests run, where Debian installs them.
inline constexpr const char* kNginx = "/usr/sbin/nginx";
inline constexpr const char* kOpenssl = "/usr/bin/openssl";
inline constexpr const char* kPython = "/usr/bin/python3";

// A folder of its own for a test, which goes with it.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  // Writes the file and gives its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

// A program that runs until this is destroyed, and no longer than the test, even if that crashes.
// It is killed rather than asked: what it has goes with its folder.
class Program {
 public:
  // The first word is the program's path. What it says goes into the log file, if there is one.
  explicit Program(std::vector<std::string> words, const std::string& log_file = "/dev/null");
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Waits until somebody listens there. False, and a failure of the test, if the program ends or
  // takes longer than ten seconds.
  bool wait_until_listening(std::uint16_t port);
  // Waits for its end and gives its exit code; -1 if it was killed.
  int wait_for_end();

 private:
  bool has_ended();
  std::string what_it_said() const;

  std::string name_;
  std::string log_file_;
  pid_t pid_ = 0;
  int status_ = 0;
};

}  // namespace gossamer::support
