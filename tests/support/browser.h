// For tests: a page in headless Chromium, driven over a pipe by its own protocol
// (https://chromedevtools.github.io/devtools-protocol/).
#pragma once

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/server_program.h"

namespace gossamer::support {

class Browser {
 public:
  using Json = nlohmann::json;

  static bool is_available() { return is_installed("/usr/bin/chromium"); }

  Browser();
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  struct View {
    int width = 1280;
    int height = 900;
    bool is_dark = false;
    bool is_phone = false;
  };
  void set_view(const View& view);
  // Opens a file, or what has that address, and waits until it is loaded. False, and a failure of
  // the test, if that fails.
  bool open_file(const std::string& path);
  bool open(const std::string& url);
  // The value of an expression; null if it throws.
  Json evaluate(const std::string& expression);
  void save_screenshot(const std::string& path);
  // What the page's policy refused, and errors of its scripts.
  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  void start(const std::vector<std::string>& words);
  // Sends a command and waits for its answer; what happens meanwhile is noted.
  Json call(const std::string& method, Json parameters = Json::object());
  // The next message; null when there is none within half a minute.
  Json receive();
  void note(const Json& event);

  TestFolder folder_;
  pid_t pid_ = 0;
  int to_ = -1;
  int from_ = -1;
  int last_id_ = 0;
  std::string session_;
  std::string received_;
  bool is_loaded_ = false;
  std::vector<std::string> complaints_;
};

}  // namespace gossamer::support
