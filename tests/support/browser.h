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
  // Opens a file or URL and waits until it is loaded. On failure, returns false and fails the test.
  bool open_file(const std::string& path);
  bool open(const std::string& url);
  // Returns the value of an expression, or of its promise; null if it throws.
  Json evaluate(const std::string& expression);
  // Evaluates an expression until it is true. On failure, returns false and fails the test.
  bool wait_until(const std::string& expression);
  // A key as KeyboardEvent.key names it, and the left button of the mouse.
  void press(const std::string& key);
  void click(int x, int y);
  void save_screenshot(const std::string& path);
  // Returns a picture of the page: PNG in base64.
  std::string screenshot();
  // Violations of the page's policy, and errors of its scripts.
  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  void start(const std::vector<std::string>& words);
  // Sends a command and waits for its answer; stores events meanwhile.
  Json call(const std::string& method, Json parameters = Json::object());
  // Returns the next message; null if there is none within half a minute.
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
