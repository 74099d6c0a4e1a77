// For tests: runs the program `gossamer`.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::support {

// One run of the program that was built, or of another one. It ends with this object,
// and with the test.
class CommandRun {
 public:
  struct Streams {
    std::string input = {};      // its standard input
    int output_descriptor = -1;  // its standard output instead of a file; stays open
  };

  // Ignores the configuration of the user.
  struct Surroundings {
    std::string program = gossamer_program();
    std::string folder = {};                    // its working directory; empty: that of the test
    std::vector<std::string> environment = {};  // NAME=VALUE, in addition to that of the test
    unsigned open_files_max = 0;                // 0: the limit of the test
  };

  explicit CommandRun(const std::vector<std::string>& words) : CommandRun(words, Streams()) {}
  CommandRun(std::vector<std::string> words, const Streams& streams)
      : CommandRun(std::move(words), streams, Surroundings()) {}
  CommandRun(std::vector<std::string> words, const Streams& streams,
             const Surroundings& surroundings);
  ~CommandRun();
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

  pid_t pid() const { return pid_; }
  // Does nothing if it is known to have ended.
  void send_signal(int signal) const;
  // Waits for its end and returns its exit code; -1 if a signal ended it.
  int wait();
  bool has_ended();

  // Its output so far.
  std::string out() const;
  std::string err() const;
  std::vector<std::string> out_lines() const;

 private:
  void reap(int options);

  TestFolder folder_;
  pid_t pid_ = 0;
  int exit_code_ = -1;
};

std::string file_content(const std::string& path);
std::vector<std::string> lines_of(const std::string& text);
bool has(const std::string& text, const std::string& part);

}  // namespace gossamer::support
