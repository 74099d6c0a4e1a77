// Runs external server programs for tests.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gossamer::support {

// A port of 127.0.0.1 that was free a moment ago.
std::uint16_t free_port();

bool is_installed(const char* program);

// The paths of programs in Debian.
inline constexpr const char* kNginx = "/usr/sbin/nginx";
inline constexpr const char* kOpenssl = "/usr/bin/openssl";
inline constexpr const char* kPython = "/usr/bin/python3";

// A temporary folder for a test.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  // Writes the file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

// A program that runs until this object is destroyed or the test ends, even by a crash. It is
// killed, because its folder is temporary anyway.
class Program {
 public:
  // The first word is the program's path. Its output goes to the log file, if there is one.
  explicit Program(std::vector<std::string> words, const std::string& log_file = "/dev/null");
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Waits until the port accepts connections. If the program ends or takes more than ten seconds,
  // returns false and fails the test.
  bool wait_until_listening(std::uint16_t port);
  // REQUIRES: it has not ended.
  void send_signal(int signal) const;
  // Waits for its end and returns its exit code; -1 if it was killed.
  int wait_for_end();

 private:
  bool has_ended();
  std::string what_it_said() const;

  std::string name_;
  std::string log_file_;
  pid_t pid_ = 0;
  int status_ = 0;
};

// Makes key.pem and certificate.pem in the folder, for localhost and 127.0.0.1.
// REQUIRES: openssl is installed.
void make_certificate(const TestFolder& folder);

}  // namespace gossamer::support
