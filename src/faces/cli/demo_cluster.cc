#include "cli/demo_cluster.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/signals.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "base/figures.h"
#include "cli/commands.h"
#include "cli/crawl_exit_code.h"
#include "site/comparison.h"
#include "site/demo_server.h"
#include "site/site.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr const char* kRedisServer = "/usr/bin/redis-server";
constexpr const char* kRedisTool = "/usr/bin/redis-cli";
constexpr std::size_t kServers = 6;
constexpr std::size_t kNodes = 3;
constexpr std::uint8_t kHosts = 6;
// Between the port of a server and that for other servers.
constexpr std::uint16_t kBusOffset = 10'000;
constexpr Duration kLook = 50ms;
constexpr Duration kPatience = 5min;
// Longer than it takes to replace a master. Nodes wait for a second copy of what they write, so the
// killed server must come back.
constexpr Duration kOutage = 6s;

// A program that ends with this object, or with this process.
class Child {
 public:
  Child(std::vector<std::string> words, const std::string& log) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ != 0) return;
    // Only calls that are safe after fork().
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (getppid() != parent || in < 0 || out < 0) _exit(126);
    dup2(in, 0);
    dup2(out, 1);
    dup2(out, 2);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { kill(); }

  void kill() {
    if (pid_ <= 0 || exit_code_) return;
    ::kill(pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    exit_code_ = -1;
  }
  // Empty: it runs. -1: it was killed, or did not start.
  std::optional<int> exit_code() {
    if (pid_ <= 0) return -1;
    int status = 0;
    if (!exit_code_ && waitpid(pid_, &status, WNOHANG) == pid_) {
      exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    return exit_code_;
  }
  // Waits for its end. BORROWS: this.
  async::Task<Result<int>> wait(Instant deadline) {
    for (;;) {
      if (const auto code = exit_code()) co_return *code;
      if (async::Loop::current().now() >= deadline) co_return fail(Errc::timed_out, "a process");
      if (auto slept = co_await async::sleep(kLook); !slept) co_return fail(Errc::cancelled);
    }
  }

 private:
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
};

// A folder that is deleted with this object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gossamer-demo-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  bool is_made() const { return !path_.empty(); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// A port that is free, as is that of the other servers of the cluster.
Result<std::uint16_t> free_port() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    auto first = async::Listener::bind(async::Endpoint::loopback(0));
    if (!first) return fail(std::move(first).error());
    const std::uint16_t port = first->endpoint().port;
    if (port > 65'535 - kBusOffset) {
      // Most systems give such ports, so the one below is tried.
      const auto lower = static_cast<std::uint16_t>(port - 2 * kBusOffset);
      auto second = async::Listener::bind(async::Endpoint::loopback(lower));
      auto bus = async::Listener::bind(
          async::Endpoint::loopback(static_cast<std::uint16_t>(lower + kBusOffset)));
      if (second && bus) return lower;
      continue;
    }
    auto bus = async::Listener::bind(
        async::Endpoint::loopback(static_cast<std::uint16_t>(port + kBusOffset)));
    if (bus) return port;
  }
  return fail(Errc::unavailable, "no port is free");
}

site::Truth truth_of(const site::Site& site) {
  site::TruthOptions options;
  options.roots.clear();
  for (std::uint32_t i = 0; i < kHosts; ++i) options.roots.push_back(i);
  return site.truth(options);
}

class ClusterDemo {
 public:
  ClusterDemo(site::SiteOptions options, bool is_quiet)
      : options_(std::move(options)), is_quiet_(is_quiet) {}

  // BORROWS: this.
  async::Task<Result<int>> run() {
    if (!folder_.is_made()) co_return fail(Errc::io_failed, "cannot make a temporary folder");
    if (auto bound = bind(); !bound) co_return fail(std::move(bound).error());
    const site::Site site(options_);
    site::DemoServer server(site);
    async::Scope serving(async::OnFailure::keep_going);
    for (async::Listener& listener : listeners_) serving.spawn(server.run(std::move(listener)));
    auto crawled = co_await crawl(site, server);
    serving.cancel();
    static_cast<void>(co_await serving.join());
    if (!crawled) co_return fail(std::move(crawled).error());
    co_return judge(site, server);
  }

 private:
  // Every host has an address of its own, and all have the same port.
  Result<void> bind() {
    std::uint16_t port = 0;
    options_.hosts.clear();
    for (std::uint8_t i = 1; i <= kHosts; ++i) {
      auto listener = async::Listener::bind(async::Endpoint::v4(127, 0, 0, i, port));
      if (!listener) return fail(std::move(listener).error());
      port = listener->endpoint().port;
      options_.hosts.push_back(listener->endpoint().to_string());
      listeners_.push_back(std::move(*listener));
    }
    return {};
  }

  void say(const std::string& text) const {
    if (!is_quiet_) terminal::print_err("{}\n", text);
  }

  static std::string server_name(std::size_t number) { return "redis" + std::to_string(number); }

  std::unique_ptr<Child> start_server(std::size_t number) const {
    const std::string name = server_name(number);
    std::vector<std::string> words = {kRedisServer,
                                      "--port",
                                      std::to_string(ports_[number]),
                                      "--bind",
                                      "127.0.0.1",
                                      "--dir",
                                      folder_.file(name),
                                      "--save",
                                      "",
                                      "--appendonly",
                                      "yes",
                                      "--cluster-enabled",
                                      "yes",
                                      "--cluster-config-file",
                                      "nodes.conf",
                                      "--cluster-node-timeout",
                                      "2000",
                                      "--cluster-require-full-coverage",
                                      "no",
                                      "--repl-diskless-sync-delay",
                                      "0"};
    return std::make_unique<Child>(std::move(words), folder_.file(name + ".log"));
  }

  // BORROWS: this.
  async::Task<Result<void>> start_redis(Instant deadline) {
    std::vector<std::string> create = {kRedisTool, "--cluster", "create"};
    for (std::size_t i = 0; i < kServers; ++i) {
      auto port = free_port();
      if (!port) co_return fail(std::move(port).error());
      std::filesystem::create_directory(folder_.file(server_name(i)));
      ports_.push_back(*port);
      servers_.push_back(start_server(i));
      addresses_.push_back("127.0.0.1:" + std::to_string(*port));
      create.push_back(addresses_.back());
    }
    create.insert(create.end(), {"--cluster-replicas", "1", "--cluster-yes"});
    // A server that has just started might not listen yet.
    for (;;) {
      Child tool(create, folder_.file("create.log"));
      auto code = co_await tool.wait(deadline);
      if (!code) co_return fail(Errc::timed_out, "Redis does not form a cluster in time");
      if (*code == 0) break;
      if (auto slept = co_await async::sleep(500ms); !slept) co_return slept;
      if (async::Loop::current().now() >= deadline) {
        co_return fail(Errc::timed_out, "Redis does not form a cluster in time");
      }
    }
    co_return {};
  }

  void start_node(std::size_t number) {
    // Not the first one, which will be killed.
    std::vector<std::string> words = {
        "/proc/self/exe",
        "crawl",
        "--no-config",
        "--cluster",
        fmt::format("redis://{},{}/demo", addresses_[1], addresses_[2]),
        "--cluster-lease",
        "5s",
        "--host-concurrency",
        "2",
        "-q",
        "--no-progress",
        "-o",
        "/dev/null",
        "-j",
        folder_.file("node" + std::to_string(number))};
    for (const std::string& host : options_.hosts) words.push_back("http://" + host + "/");
    nodes_.push_back(std::make_unique<Child>(std::move(words), folder_.file("nodes.log")));
  }

  // BORROWS: this, the site and the server.
  async::Task<Result<void>> crawl(const site::Site& site, const site::DemoServer& server) {
    const Instant deadline = base::add_saturating(async::Loop::current().now(), kPatience);
    if (auto started = co_await start_redis(deadline); !started) co_return started;
    say(fmt::format("{} servers of Redis are a cluster: 3 masters, each with a replica", kServers));
    for (std::size_t i = 0; i < kNodes; ++i) start_node(i);
    const std::uint64_t pages = truth_of(site).must_fetch().size();
    say(fmt::format("{} nodes crawl a site of {} hosts", kNodes, kHosts));
    std::optional<Instant> restart_at;
    for (bool is_node_killed = false, is_master_killed = false;;) {
      const std::uint64_t requests = server.requests();
      if (!is_node_killed && requests >= pages / 4) {
        nodes_[0]->kill();
        is_node_killed = true;
        say(fmt::format("after {} requests: a node is killed", base::grouped(requests)));
      }
      if (!is_master_killed && requests >= pages / 2) {
        servers_[0]->kill();
        is_master_killed = true;
        restart_at = base::add_saturating(async::Loop::current().now(), kOutage);
        say(fmt::format("after {} requests: a master is killed; its replica replaces it",
                        base::grouped(requests)));
      }
      if (restart_at && async::Loop::current().now() >= *restart_at) {
        restart_at.reset();
        servers_[0] = start_server(0);
        say("the killed server is started again, as a replica");
      }
      bool is_over = true;
      for (const auto& node : nodes_) is_over = node->exit_code().has_value() && is_over;
      if (is_over && is_master_killed) co_return {};
      if (is_over) {
        co_return fail(Errc::unavailable, "the nodes ended before the faults: " + last_words());
      }
      if (async::Loop::current().now() >= deadline) {
        co_return fail(Errc::timed_out, "the nodes do not end in time");
      }
      if (auto slept = co_await async::sleep(kLook); !slept) co_return slept;
    }
  }

  // What the nodes said last.
  std::string last_words() const {
    std::string last;
    std::ifstream log(folder_.file("nodes.log"));
    for (std::string line; std::getline(log, line);) last = std::move(line);
    return last;
  }

  // Compares the log of the server with the pages of the site.
  int judge(const site::Site& site, const site::DemoServer& server) {
    for (std::size_t i = 1; i < kNodes; ++i) {
      if (const auto code = nodes_[i]->exit_code(); code != 0) {
        terminal::print_err("gossamer demo: a node ended with exit code {}\n", code.value_or(-1));
        return kFailed;
      }
    }
    std::vector<site::CrawledUrl> asked;
    for (const auto& [url, times] : server.asked()) asked.push_back({.url = url, .status = 200});
    const site::Comparison comparison = site::compare(site.layout(), truth_of(site), asked);
    if (!comparison.missing.empty()) {
      terminal::print_err("gossamer demo: {} were lost: {}\n",
                          base::counted(comparison.missing.size(), "page"),
                          comparison.missing.front());
      return kFailed;
    }
    terminal::print_err("nothing is lost: {} pages were fetched, {} again\n",
                        base::grouped(asked.size()),
                        base::grouped(server.requests() - asked.size()));
    return kOk;
  }

  site::SiteOptions options_;
  const bool is_quiet_;
  const Folder folder_;  // outlives the processes
  std::vector<async::Listener> listeners_;
  std::vector<std::uint16_t> ports_;    // of the servers
  std::vector<std::string> addresses_;  // of the servers
  std::vector<std::unique_ptr<Child>> servers_;
  std::vector<std::unique_ptr<Child>> nodes_;
};

}  // namespace

async::Task<Result<int>> show_cluster(site::SiteOptions options, bool is_quiet) {
  for (const char* const program : {kRedisServer, kRedisTool}) {
    if (access(program, X_OK) != 0) {
      co_return fail(Errc::unsupported,
                     std::string(program) + " is missing; install the package redis-server");
    }
  }
  ClusterDemo demo(std::move(options), is_quiet);
  async::Scope tasks(async::OnFailure::keep_going);
  bool is_interrupted = false;
  // A signal must not leave the processes and the folder of the demonstration behind.
  const auto interrupt = [&](int) {
    is_interrupted = true;
    tasks.cancel();
  };
  const auto watch = async::SignalWatch::make(async::Loop::current(), {SIGINT, SIGTERM}, interrupt);
  if (!watch) co_return fail(watch.error().copy());
  auto shown = tasks.spawn(demo.run());
  static_cast<void>(co_await tasks.join());
  if (is_interrupted) co_return int{kInterrupted};
  co_return shown.take();
}

}  // namespace gossamer::cli
