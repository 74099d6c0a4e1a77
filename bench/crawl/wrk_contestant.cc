#include <fmt/format.h>

#include <string>

#include "bench/crawl/contestants.h"
#include "bench/servers/wrk.h"
#include "bench/support/temporary_folder.h"

namespace gossamer::bench {
namespace {

// Requests are prepared before the run, so that the next one costs almost nothing.
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

}  // namespace

FetchCost get_with_wrk(const PageLoad& load, int seconds) {
  const TemporaryFolder folder;
  std::string paths;
  for (const SitePage& page : load.pages) paths += page.path + "\n";
  folder.write("paths", paths);
  folder.write("script.lua", fmt::format(kScript, folder.path() + "/paths"));
  return run_wrk(
      {fmt::format("-c{}", PageLoad::kAtOnce), "-s", folder.path() + "/script.lua", load.site()},
      seconds);
}

}  // namespace gossamer::bench
