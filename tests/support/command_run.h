// For tests: the program `gossamer`, run as people run it.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/server_program.h"

namespace gossamer::support {

// One run of the program that GOSSAMER_PROGRAM names, or of another one. It lives no longer than
// this, nor than the test.
class CommandRun {
 public:
  struct Streams {
    std::string input = {};      // what it reads from its standard input
    int output_descriptor = -1;  // what is its standard output instead of a file; stays open
  };

  // Whatever the user of this machine has configured does not count.
  struct Surroundings {
    std::string program = GOSSAMER_PROGRAM;
    std::string folder = {};                    // where it runs; empty: where the test does
    std::vector<std::string> environment = {};  // NAME=VALUE, besides that of the test
    unsigned open_files_max = 0;                // 0: as many as the test may have
  };

  explicit CommandRun(const std::vector<std::string>& words) : CommandRun(words, Streams()) {}
  CommandRun(std::vector<std::string> words, const Streams& streams)
      : CommandRun(std::move(words), streams, Surroundings()) {}
  CommandRun(std::vector<std::string> words, const Streams& streams,
             const Surroundings& surroundings);
  ~CommandRun();
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

  void send_signal(int signal) const;
  // Waits for its end and gives its exit code; -1 if a signal ended it.
  int wait();

  // What it has written so far.
  std::string out() const;
  std::string err() const;
  std::vector<std::string> out_lines() const;

 private:
  TestFolder folder_;
  pid_t pid_ = 0;
  int exit_code_ = -1;
};

std::string file_content(const std::string& path);
std::vector<std::string> lines_of(const std::string& text);
bool has(const std::string& text, const std::string& part);

}  // namespace gossamer::support
