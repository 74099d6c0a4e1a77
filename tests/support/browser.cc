#include "tests/support/browser.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <utility>

#include "tests/support/patience.h"

namespace gossamer::support {
namespace {

constexpr std::int64_t kPatienceMs = std::chrono::milliseconds(kPatience).count();

// Chromium reads commands from 3 and writes answers to 4.
[[noreturn]] void become(char* const* arguments, int commands, int answers, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);
  // Out of the way first, for one of them may be where the other goes.
  const int in = fcntl(commands, F_DUPFD, 10);
  const int out = fcntl(answers, F_DUPFD, 10);
  dup2(in, 3);
  dup2(out, 4);
  close(in);
  close(out);
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int descriptor : {0, 1, 2}) dup2(nowhere, descriptor);
  execv(arguments[0], arguments);
  _exit(127);
}

std::string decode_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return bytes;
}

}  // namespace

Browser::Browser() {
  start({"/usr/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
         "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--remote-debugging-pipe", "--user-data-dir=" + folder_.file("profile"),
         "about:blank"});
  const Json target = call("Target.createTarget", {{"url", "about:blank"}});
  const Json attached = call("Target.attachToTarget",
                             {{"targetId", target.value("targetId", "")}, {"flatten", true}});
  session_ = attached.value("sessionId", "");
  EXPECT_FALSE(session_.empty()) << "chromium does not answer";
  for (const char* domain : {"Page.enable", "Runtime.enable", "Log.enable"}) call(domain);
}

Browser::~Browser() {
  if (to_ >= 0) close(to_);
  if (from_ >= 0) close(from_);
  if (pid_ <= 0) return;
  kill(-pid_, SIGKILL);  // with the processes that it has made
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void Browser::start(const std::vector<std::string>& words) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> commands = {};
  std::array<int, 2> answers = {};
  ASSERT_EQ(pipe2(commands.data(), O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(answers.data(), O_CLOEXEC), 0);
  signal(SIGPIPE, SIG_IGN);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become(arguments.data(), commands[0], answers[1], parent);
  ASSERT_GT(pid_, 0);
  close(commands[0]);
  close(answers[1]);
  to_ = commands[1];
  from_ = answers[0];
}

// Messages end with a zero byte.
Browser::Json Browser::receive() {
  for (;;) {
    if (const std::size_t end = received_.find('\0'); end != std::string::npos) {
      Json message = Json::parse(received_.substr(0, end), nullptr, false);
      received_.erase(0, end + 1);
      return message;
    }
    pollfd asked = {.fd = from_, .events = POLLIN, .revents = 0};
    // More than wait_until() takes.
    if (poll(&asked, 1, static_cast<int>(2 * kPatienceMs)) <= 0) return nullptr;
    std::array<char, 65536> buffer;
    const ssize_t count = read(from_, buffer.data(), buffer.size());
    if (count <= 0) return nullptr;
    received_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

void Browser::note(const Json& event) {
  const std::string method = event.value("method", "");
  if (method == "Page.loadEventFired") is_loaded_ = true;
  if (method == "Log.entryAdded") complaints_.push_back(event["params"]["entry"].dump());
  if (method == "Runtime.exceptionThrown") complaints_.push_back(event["params"].dump());
}

Browser::Json Browser::call(const std::string& method, Json parameters) {
  const int id = ++last_id_;
  Json command = {{"id", id}, {"method", method}, {"params", std::move(parameters)}};
  if (!session_.empty()) command["sessionId"] = session_;
  const std::string text = command.dump() + '\0';
  if (write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    ADD_FAILURE() << "chromium is gone";
    return Json::object();
  }
  for (;;) {
    const Json message = receive();
    if (!message.is_object()) {
      ADD_FAILURE() << "chromium does not answer to " << method;
      return Json::object();
    }
    if (message.value("id", 0) != id) {
      note(message);
      continue;
    }
    EXPECT_FALSE(message.contains("error")) << message;
    return message.value("result", Json::object());
  }
}

void Browser::set_view(const View& view) {
  call("Emulation.setDeviceMetricsOverride", {{"width", view.width},
                                              {"height", view.height},
                                              {"deviceScaleFactor", view.is_phone ? 2 : 1},
                                              {"mobile", view.is_phone}});
  call("Emulation.setEmulatedMedia",
       {{"features",
         {{{"name", "prefers-color-scheme"}, {"value", view.is_dark ? "dark" : "light"}}}}});
}

bool Browser::open_file(const std::string& path) { return open("file://" + path); }

bool Browser::open(const std::string& url) {
  is_loaded_ = false;
  complaints_.clear();
  call("Page.navigate", {{"url", url}});
  while (!is_loaded_) {
    const Json event = receive();
    if (!event.is_object()) {
      ADD_FAILURE() << url << " is never loaded";
      return false;
    }
    note(event);
  }
  return true;
}

Browser::Json Browser::evaluate(const std::string& expression) {
  const Json answer =
      call("Runtime.evaluate",
           {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}});
  EXPECT_FALSE(answer.contains("exceptionDetails")) << answer;
  if (!answer.contains("result")) return nullptr;
  return answer["result"].value("value", Json());
}

bool Browser::wait_until(const std::string& expression) {
  // The page looks itself, so that each look is cheap and the test does not sleep.
  const Json found = evaluate(
      "new Promise((resolve) => { const end = Date.now() + " + std::to_string(kPatienceMs) +
      "; const look = () => { let is_true = false; try { is_true = " + expression +
      "; } catch {} if (is_true || Date.now() > end) resolve(!!is_true);"
      " else setTimeout(look, 20); }; look(); })");
  if (found == true) return true;
  ADD_FAILURE() << "this does not become true: " << expression << "\n"
                << evaluate("document.body.innerText");
  return false;
}

void Browser::press(const std::string& key) {
  Json pressed = {{"type", "keyDown"}, {"key", key}};
  if (key.size() == 1) pressed["text"] = key;
  if (key == "Enter") pressed["text"] = "\r";
  call("Input.dispatchKeyEvent", pressed);
  call("Input.dispatchKeyEvent", {{"type", "keyUp"}, {"key", key}});
}

void Browser::click(int x, int y) {
  for (const char* type : {"mousePressed", "mouseReleased"}) {
    call("Input.dispatchMouseEvent",
         {{"type", type}, {"x", x}, {"y", y}, {"button", "left"}, {"clickCount", 1}});
  }
}

std::string Browser::screenshot() {
  return call("Page.captureScreenshot", {{"format", "png"}}).value("data", "");
}

void Browser::save_screenshot(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << decode_base64(screenshot());
}

}  // namespace gossamer::support
