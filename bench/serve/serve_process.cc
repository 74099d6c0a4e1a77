#include "bench/serve/serve_process.h"

#include <fmt/format.h>
#include <time.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/task.h"
#include "base/check.h"
#include "bench/support/cpu.h"
#include "serve/server.h"

namespace gossamer::bench {
namespace {

constexpr double kStartNsMax = 60e9;

async::Task<int> serve(std::string archive, std::string addresses) {
  auto server = serve::Server::open({.paths = {std::move(archive)}});
  if (!server) co_return 1;
  const std::string unfinished = addresses + ".new";
  std::ofstream(unfinished) << (*server)->address() << '\n' << (*server)->replay_address() << '\n';
  std::rename(unfinished.c_str(), addresses.c_str());
  static_cast<void>(co_await (*server)->run());
  co_return 0;
}

void rest() {
  const timespec time = {.tv_sec = 0, .tv_nsec = 10'000'000};
  nanosleep(&time, nullptr);
}

}  // namespace

ServeProcess::ServeProcess(const std::string& archive, const std::string& folder) {
  const std::string addresses = folder + "/addresses";
  process_ = ChildProcess::run([&] {
    claim_core(kServerCore);
    async::Loop loop;
    return loop.run(serve(archive, addresses));
  });
  const double begin = wall_ns();
  std::string line;
  while (!std::filesystem::exists(addresses)) {
    CHECK(wall_ns() - begin < kStartNsMax, "the server does not start");
    rest();
  }
  std::ifstream file(addresses);
  std::getline(file, line);
  std::getline(file, replay_);
  constexpr std::string_view kMark = "/#token=";
  const std::size_t mark = line.find(kMark);
  CHECK(mark != std::string::npos, "an address without a token");
  origin_ = line.substr(0, mark);
  token_ = line.substr(mark + kMark.size());
}

void ServeProcess::wait_for(const std::string& url) const {
  const double begin = wall_ns();
  const std::vector<std::string> command = {
      find_program("python3"), "-c",
      "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=9)",
      replay_ + "/latest/" + url};
  while (!ChildProcess::execute(command, kClientCore).wait().well) {
    CHECK(wall_ns() - begin < kStartNsMax, "the server does not replay {}", url);
    rest();
  }
}

}  // namespace gossamer::bench
