// Compares programs that store pages: wget, wget2 and HTTrack, which write files, and Gossamer with
// an archive, and with a crawl directory and a mirror. All files are in memory; nginx has its own
// core, and its log shows the requests.
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/crawl/site_pages.h"
#include "bench/servers/servers.h"
#include "bench/store/benchmarks.h"
#include "bench/store/memory_folder.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"

namespace gossamer::bench {
namespace {

constexpr unsigned kSecondsMax = 120;

using Command = std::vector<std::string>;

// A crawler with the settings of an expert: pages only, no pauses, no robots.txt, no log. Its
// commands run one after the other.
struct Keeper {
  std::string_view name;
  std::string_view program;
  // The commands for a site and a folder.
  std::vector<Command> (*commands)(const std::string& url, const std::string& folder);
};

std::string own_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "gossamer";
}

Command own_crawl(const std::string& url, const Command& more) {
  Command command = {own_program(), "crawl",         "--no-config",   "--no-proxy",
                     "--quiet",     "--no-progress", "--concurrency", "64",
                     "--format",    "urls",          "--output",      "/dev/null"};
  command.insert(command.end(), more.begin(), more.end());
  command.push_back(url);
  return command;
}

std::vector<Command> own_archive(const std::string& url, const std::string& folder) {
  return {own_crawl(url, {"--warc-file", folder + "/archive"})};
}

std::vector<Command> own_index(const std::string& url, const std::string& folder) {
  return {own_crawl(url, {"--warc-file", folder + "/archive", "--index"})};
}

std::vector<Command> own_mirror(const std::string& url, const std::string& folder) {
  return {own_crawl(url, {"--job", folder + "/job"}),
          {own_program(), "export", folder + "/job", "--mirror", folder + "/mirror"}};
}

// One connection; it supports no more.
std::vector<Command> wget(const std::string& url, const std::string& folder) {
  return {{find_program("wget"), "--no-config", "--no-proxy", "--quiet", "--recursive",
           "--level=inf", "--execute=robots=off", "--tries=1", "--no-hsts",
           "--follow-tags=a,area,frame,iframe", "--directory-prefix=" + folder, url}};
}

// Threads with a connection each: 16 are as fast as 64, and faster than its default of 5.
std::vector<Command> wget2(const std::string& url, const std::string& folder) {
  return {{find_program("wget2"), "--no-config", "--no-proxy", "--quiet", "--recursive",
           "--level=inf", "--no-robots", "--tries=1", "--max-threads=16",
           "--follow-tags=a/href,area/href,frame/src,iframe/src", "--directory-prefix=" + folder,
           url}};
}

std::vector<Command> httrack(const std::string& url, const std::string& folder) {
  return {{find_program("httrack"), url, "--path", folder + "/mirror", "--quiet",
           "--disable-security-limits", "--max-rate=0", "--connection-per-second=10000",
           "--sockets=64", "--robots=0", "--priority=1", "--cache=0", "--do-not-log", "--index=0",
           "--retries=0", "--keep-alive", "--stay-on-same-address", "--depth=9999", "--verbose=0"}};
}

constexpr Keeper kKeepers[] = {
    {"gossamer, archive", "", own_archive},
    {"gossamer, archive and search index", "", own_index},
    {"gossamer, crawl directory and mirror", "", own_mirror},
    {"wget", "wget", wget},
    {"wget2", "wget2", wget2},
    {"HTTrack", "httrack", httrack},
};

// Runs it on any core, with a time limit.
ChildProcess::Ended run_program(const Command& command, const std::string& folder) {
  ChildProcess process = ChildProcess::run([&] {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) CPU_SET(i, &cores);
    sched_setaffinity(0, sizeof(cores), &cores);
    alarm(kSecondsMax);
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
    if (chdir(folder.c_str()) != 0) return 127;
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    return 127;
  });
  return process.wait();
}

bool is_page(std::string_view path) { return path.ends_with(".html") || path.ends_with('/'); }

// Returns the pages that were fetched successfully, each once, from lines such as
// 'a - - [...] "GET /path HTTP/1.1" 200 12 "-" "-"'
std::set<std::string> answered_paths(const std::string& log) {
  std::set<std::string> paths;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    const std::size_t method = line.find("\"GET /");
    if (method == line.npos) continue;
    const std::size_t path = method + 5;
    const std::size_t end = line.find(" HTTP/", path);
    if (end == line.npos || line.find("\" 200 ", end) == line.npos) continue;
    std::string asked = line.substr(path, std::min(end, line.find('?', path)) - path);
    if (is_page(asked)) paths.insert(std::move(asked));
  }
  return paths;
}

struct Kept {
  double wall_us = 0;
  double cpu_us = 0;
  std::set<std::string> paths;
};

Kept measure(const Keeper& keeper, const Documentation& documentation) {
  const MemoryFolder folder;
  const std::string log = folder.path() + "/access.log";
  const std::string settings = "access_log " + log + " combined;";
  const Nginx nginx(std::string(documentation.folder), settings);
  const std::string url =
      fmt::format("http://{}{}", nginx.endpoints().front().to_string(), documentation.root);
  const std::string storage = folder.path() + "/kept";
  std::filesystem::create_directory(storage);
  Kept kept;
  const double begin = wall_ns();
  for (const Command& command : keeper.commands(url, storage)) {
    kept.cpu_us += cpu_time(run_program(command, storage).usage).total_us();
  }
  kept.wall_us = (wall_ns() - begin) / 1000;
  kept.paths = answered_paths(log);
  return kept;
}

void report_keepers(const std::string& title, const std::vector<const Keeper*>& keepers,
                    const std::vector<std::vector<Kept>>& samples, Report& report) {
  // The union of the pages that any of them found.
  std::set<std::string> reachable;
  for (const std::vector<Kept>& rounds : samples) {
    for (const Kept& kept : rounds) reachable.insert(kept.paths.begin(), kept.paths.end());
  }
  const auto median_of = [&](std::size_t i, auto value) {
    std::vector<double> values;
    for (const Kept& kept : samples[i]) values.push_back(value(kept));
    return median(std::move(values));
  };
  const auto pages = [](const Kept& kept) {
    return static_cast<double>(std::max<std::size_t>(1, kept.paths.size()));
  };
  for (std::size_t i = 0; i < keepers.size(); ++i) {
    const auto add = [&](std::string_view what, auto value, std::string unit, bool is_compared) {
      Figure figure = {.name = fmt::format("{}: {}: {}", title, keepers[i]->name, what),
                       .value = median_of(i, value),
                       .unit = std::move(unit)};
      if (is_compared && i > 0) figure.floor = median_of(0, value);
      report.add(std::move(figure));
    };
    add("wall time", [&](const Kept& k) { return k.wall_us / pages(k); }, "us", true);
    add("CPU", [&](const Kept& k) { return k.cpu_us / pages(k); }, "us", true);
    add(
        "pages missed",
        [&](const Kept& k) { return static_cast<double>(reachable.size() - k.paths.size()); }, "",
        false);
  }
}

}  // namespace

void keeping_peers(const Options& options, Report& report) {
  if (!Nginx::is_installed() || access(own_program().c_str(), X_OK) != 0) {
    report.heading("peers: skipped, nginx or the program itself is not there");
    return;
  }
  std::vector<const Keeper*> keepers;
  for (const Keeper& keeper : kKeepers) {
    const bool is_there =
        keeper.program.empty() || !find_program(std::string(keeper.program)).empty();
    if (is_there) keepers.push_back(&keeper);
  }
  for (const Documentation& documentation : kDocumentations) {
    if (!documentation.is_installed()) continue;
    const std::string title = fmt::format("peers, {}", documentation.package);
    report.heading(title + ", per page; the floor is Gossamer's archive");
    const auto samples = in_turns(options.quick ? 1 : 3, keepers.size(), [&](std::size_t i) {
      return measure(*keepers[i], documentation);
    });
    report_keepers(title, keepers, samples, report);
    if (options.quick) return;
  }
}

}  // namespace gossamer::bench
