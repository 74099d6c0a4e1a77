#include <fmt/format.h>

#include <fstream>
#include <string>

#include "base/check.h"
#include "bench/crawl/contestants.h"
#include "bench/support/child_process.h"
#include "bench/support/temporary_folder.h"

namespace gossamer::bench {
namespace {

// Requests are prepared beforehand, so that asking for the next costs next to nothing.
constexpr std::string_view kScript = R"(
local requests = {{}}
local at = 0
function init(args)
  for path in io.lines("{}") do requests[#requests + 1] = wrk.format("GET", path) end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
)";

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

FetchCost get_with_wrk(const PageLoad& load, int seconds) {
  const TemporaryFolder folder;
  std::string paths;
  for (const SitePage& page : load.pages) paths += page.path + "\n";
  folder.write("paths", paths);
  folder.write("script.lua", fmt::format(kScript, folder.path() + "/paths"));
  const std::string output = folder.path() + "/output";
  auto wrk = ChildProcess::execute(
      {find_program("wrk"), "-t1", fmt::format("-c{}", PageLoad::kAtOnce),
       fmt::format("-d{}s", seconds), "-s", folder.path() + "/script.lua", load.site()},
      kClientCore, output);
  const auto ended = wrk.wait();
  const double answers = answers_told_in(output);
  CHECK(ended.well && answers > 0, "wrk failed");
  return {.answers = answers, .cpu = cpu_time(ended.usage), .wall_us = seconds * 1e6};
}

}  // namespace gossamer::bench
