// For tests of terminal output: tmux is a terminal whose screen can be read.
#pragma once

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "tests/support/command_run.h"
#include "tests/support/patience.h"
#include "tests/support/server_program.h"

namespace gossamer::support {

inline constexpr const char* kTmux = "/usr/bin/tmux";

// A terminal in which one command runs.
class Tmux {
 public:
  Tmux(const std::string& command, int columns) {
    // The shell stays after the command has ended, so that the screen stays, too. Signals go to the
    // command.
    run({"new-session", "-d", "-x", std::to_string(columns), "-y", "30",
         "trap : INT; " + command + "; echo exit $?; sleep 600"});
  }
  ~Tmux() { run({"kill-server"}); }
  Tmux(const Tmux&) = delete;
  Tmux& operator=(const Tmux&) = delete;

  void resize(int columns) const {
    run({"resize-window", "-x", std::to_string(columns), "-y", "30"});
  }
  void press(const std::string& key) const { run({"send-keys", key}); }
  // Sends literal text, not names of keys.
  void type(const std::string& text) const { run({"send-keys", "-l", text}); }
  std::string screen() const { return run({"capture-pane", "-p"}); }

  // Returns the screen when it shows this; fails the test if that takes too long.
  std::string wait_for(const std::string& pattern) const {
    const std::regex expression(pattern, std::regex::multiline);
    std::string seen;
    const bool is_seen = wait_until([&] {
      seen = screen();
      return std::regex_search(seen, expression);
    });
    EXPECT_TRUE(is_seen) << "never seen: " << pattern << "\n" << seen;
    return seen;
  }

 private:
  std::string run(std::vector<std::string> words) const {
    const TestFolder said;
    const std::string output = said.file("said");
    std::vector<std::string> all = {kTmux, "-S", folder_.file("socket"), "-f", "/dev/null"};
    all.insert(all.end(), words.begin(), words.end());
    Program program(all, output);
    program.wait_for_end();
    return file_content(output);
  }

  TestFolder folder_;
};

}  // namespace gossamer::support
