#include "bench/profile/perf.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <utility>

#include "bench/support/child_process.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {
namespace {

// A prime, so that none of our timers is in step with it.
constexpr int kSamplesPerSecond = 9973;

// "    1234|libc.so.6|[.] memcpy", blanks around each.
std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

bool perf_is_installed() { return !find_program("perf").empty(); }

void sample_this_process(const std::string& file, std::move_only_function<void()> body) {
  // cpu-clock also works on machines without hardware counters.
  auto perf = ChildProcess::execute(
      {find_program("perf"), "record", "-q", "-e", "cpu-clock", "-F",
       std::to_string(kSamplesPerSecond), "-o", file, "-p", std::to_string(getpid())},
      kServerCore, file + ".log");
  body();
  perf.signal(SIGINT);  // it writes its samples and ends with the same signal
  static_cast<void>(perf.wait());
}

Result<std::vector<SampledFunction>> sampled_functions(const std::string& file) {
  const std::string table = file + ".txt";
  auto perf = ChildProcess::execute({find_program("perf"), "report", "-i", file, "--stdio", "-q",
                                     "-F", "sample,dso,symbol", "-t", "|", "--percent-limit", "0"},
                                    kServerCore, table);
  if (!perf.wait().well) return std::unexpected(Error(Errc::denied, "perf took no samples"));
  std::vector<SampledFunction> functions;
  std::ifstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const auto object_at = line.find('|');
    const auto name_at = line.find('|', object_at + 1);
    if (name_at == std::string::npos) continue;
    std::string name = trimmed(line.substr(name_at + 1));
    if (name.starts_with('[')) name = trimmed(name.substr(3));  // "[.]", "[k]"
    functions.push_back({.samples = std::strtoull(line.c_str(), nullptr, 10),
                         .object = trimmed(line.substr(object_at + 1, name_at - object_at - 1)),
                         .name = std::move(name)});
  }
  if (functions.empty()) return std::unexpected(Error(Errc::denied, "perf took no samples"));
  return functions;
}

}  // namespace gossamer::bench
