#include "bench/servers/wrk.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "bench/async/clients.h"

namespace gossamer::bench {

FetchCost fetch_with_wrk(const FetchLoad& load, int seconds) {
  std::vector<std::string> arguments = {
      fmt::format("-c{}", load.connections),
      fmt::format("http://{}/page.html", load.servers.front().to_string())};
  if (!load.keep_alive) arguments.insert(arguments.end(), {"-H", "Connection: close"});
  return run_wrk(std::move(arguments), seconds);
}

}  // namespace gossamer::bench
