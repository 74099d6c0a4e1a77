#include "bench/servers/wrk.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "bench/support/child_process.h"
#include "bench/support/temporary_folder.h"

namespace gossamer::bench {
namespace {

// From the line "  123456 requests in 2.00s, 1.23GB read".
double answers_told_in(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.find(" requests in ") != std::string::npos) return std::stod(line);
  }
  return 0;
}

}  // namespace

bool wrk_is_installed() { return !find_program("wrk").empty(); }

FetchCost run_wrk(std::vector<std::string> arguments, int seconds) {
  const TemporaryFolder folder;
  const std::string output = folder.path() + "/output";
  std::vector<std::string> command = {find_program("wrk"), "-t1", fmt::format("-d{}s", seconds)};
  command.insert(command.end(), std::make_move_iterator(arguments.begin()),
                 std::make_move_iterator(arguments.end()));
  auto wrk = ChildProcess::execute(std::move(command), kClientCore, output);
  const auto ended = wrk.wait();
  const double answers = answers_told_in(output);
  CHECK(ended.well && answers > 0, "wrk failed");
  return {.answers = answers, .cpu = cpu_time(ended.usage), .wall_us = seconds * 1e6};
}

}  // namespace gossamer::bench
