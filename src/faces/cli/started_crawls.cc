#include "cli/started_crawls.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "async/sleep.h"
#include "base/check.h"
#include "base/time.h"
#include "settings/crawl_keywords.h"

namespace gossamer::cli {
namespace {

// A stopped crawl completes its requests in flight first (Settings::grace).
constexpr Duration kStopTime = 40s;
constexpr Duration kAbortTime = 10s;
constexpr Duration kReapInterval = 20ms;

Result<std::vector<std::string>> words_of(const serve::NewCrawl& crawl) {
  auto settings = settings::crawl_words(crawl.settings);
  if (!settings) return settings;
  std::vector<std::string> words = {"gossamer", "crawl", "--quiet", "--output", "/dev/null"};
  words.insert(words.end(), settings->begin(), settings->end());
  words.insert(words.end(), {"--", crawl.url});
  return words;
}

// Between fork() and exec(): only what a signal handler may do. The process blocks no signals and
// does not ignore those that stop it. It has a group of its own, so that Ctrl-C reaches it only
// through us. If we die, it stops as after Ctrl-C.
[[noreturn]] void become(char* const* arguments, pid_t parent) {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGINT);
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setpgid(0, 0);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  execve("/proc/self/exe", arguments, environ);
  _exit(127);
}

}  // namespace

Result<void> StartedCrawls::start(const serve::NewCrawl& crawl) {
  CHECK(!is_running(crawl.folder), "{} is crawled already", crawl.folder);
  auto words = words_of(crawl);
  if (!words) return fail(std::move(words).error());
  std::vector<char*> arguments;
  for (std::string& word : *words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0) become(arguments.data(), parent);
  if (process < 0) return fail(Errc::unavailable, "cannot start a process for the crawl");
  processes_[crawl.folder] = process;
  return {};
}

void StartedCrawls::reap() {
  std::erase_if(processes_,
                [](const auto& entry) { return waitpid(entry.second, nullptr, WNOHANG) != 0; });
}

bool StartedCrawls::is_running(const std::string& folder) {
  reap();
  return processes_.contains(folder);
}

std::size_t StartedCrawls::running() {
  reap();
  return processes_.size();
}

void StartedCrawls::stop(const std::string& folder) {
  reap();
  const auto found = processes_.find(folder);
  if (found != processes_.end()) ::kill(found->second, SIGINT);
}

void StartedCrawls::signal_all(int signal) const {
  for (const auto& [folder, process] : processes_) ::kill(process, signal);
}

async::Task<bool> StartedCrawls::wait_for_all(Duration time) {
  for (Duration waited = {}; running() > 0; waited += kReapInterval) {
    if (waited >= time || !co_await async::sleep(kReapInterval)) co_return false;
  }
  co_return true;
}

void StartedCrawls::kill_all() {
  reap();
  signal_all(SIGKILL);
}

async::Task<void> StartedCrawls::stop_all() {
  reap();
  signal_all(SIGINT);
  if (co_await wait_for_all(kStopTime)) co_return;
  signal_all(SIGINT);
  if (co_await wait_for_all(kAbortTime)) co_return;
  kill_all();
  static_cast<void>(co_await wait_for_all(kAbortTime));
}

}  // namespace gossamer::cli
