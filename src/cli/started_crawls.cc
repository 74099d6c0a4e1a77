#include "cli/started_crawls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "async/sleep.h"
#include "base/check.h"
#include "base/time.h"

namespace gossamer::cli {
namespace {

// A stopped crawl completes its requests in flight first (Settings::grace).
constexpr Duration kStopTime = 40s;
constexpr Duration kAbortTime = 10s;
constexpr Duration kReapInterval = 20ms;

std::vector<std::string> words_of(const serve::NewCrawl& crawl) {
  std::vector<std::string> words = {"gossamer",  "crawl",      "--quiet", "--job",    crawl.folder,
                                    "--control", crawl.socket, "--index", "--output", "/dev/null"};
  if (crawl.depth) words.insert(words.end(), {"--depth", fmt::format("{}", *crawl.depth)});
  if (crawl.limit) words.insert(words.end(), {"--limit", fmt::format("{}", *crawl.limit)});
  if (crawl.has_assets) words.emplace_back("--assets");
  words.insert(words.end(), {"--", crawl.url});
  return words;
}

// The attributes of a new process: no blocked signals, and a group of its own, so that Ctrl-C
// reaches it only through us.
class SpawnSetup {
 public:
  SpawnSetup() {
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_init(&files_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }

  const posix_spawnattr_t* attributes() const { return &attributes_; }
  const posix_spawn_file_actions_t* files() const { return &files_; }

 private:
  posix_spawnattr_t attributes_;
  posix_spawn_file_actions_t files_;
};

}  // namespace

Result<void> StartedCrawls::start(const serve::NewCrawl& crawl) {
  CHECK(!is_running(crawl.folder), "{} is crawled already", crawl.folder);
  std::vector<std::string> words = words_of(crawl);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const SpawnSetup setup;
  pid_t process = 0;
  const int failure = posix_spawn(&process, "/proc/self/exe", setup.files(), setup.attributes(),
                                  arguments.data(), environ);
  if (failure != 0) return fail(Errc::unavailable, "cannot start a process for the crawl");
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

void StartedCrawls::signal_all(int signal) const {
  for (const auto& [folder, process] : processes_) kill(process, signal);
}

async::Task<bool> StartedCrawls::wait_for_all(Duration time) {
  for (Duration waited = {}; running() > 0; waited += kReapInterval) {
    if (waited >= time || !co_await async::sleep(kReapInterval)) co_return false;
  }
  co_return true;
}

async::Task<void> StartedCrawls::stop() {
  signal_all(SIGINT);
  if (co_await wait_for_all(kStopTime)) co_return;
  signal_all(SIGINT);
  if (co_await wait_for_all(kAbortTime)) co_return;
  signal_all(SIGKILL);  // a killed crawl can be resumed, too
  static_cast<void>(co_await wait_for_all(kAbortTime));
}

}  // namespace gossamer::cli
