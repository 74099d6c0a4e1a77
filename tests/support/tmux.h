// For tests of what people see: tmux is a terminal that can be asked what it shows.
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
    // The shell stays when the command has ended, or the screen would go with it.
    // A signal is for the command.
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
  // As it stands, without names of keys.
  void type(const std::string& text) const { run({"send-keys", "-l", text}); }
  std::string screen() const { return run({"capture-pane", "-p"}); }

  // The screen, once it shows this; the test fails if that takes too long.
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
