#include "bench/render/tree_memory.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace gossamer::bench {
namespace {

constexpr std::chrono::milliseconds kBetween{500};

void add_children(const std::string& process, std::vector<std::string>& found) {
  std::error_code ended;
  for (const auto& thread :
       std::filesystem::directory_iterator("/proc/" + process + "/task", ended)) {
    std::ifstream children(thread.path() / "children");
    for (std::string child; children >> child;) found.push_back(child);
  }
}

double pss_mib(const std::string& process) {
  std::ifstream file("/proc/" + process + "/smaps_rollup");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Pss:")) return std::stod(line.substr(4)) / 1024;
  }
  return 0;
}

}  // namespace

TreeMemory::TreeMemory() : thread_([this](const std::stop_token& stop) { sample(stop); }) {}

TreeMemory::~TreeMemory() = default;

void TreeMemory::sample(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::vector<std::string> processes;
    add_children(std::to_string(getpid()), processes);
    double sum = 0;
    for (std::size_t i = 0; i < processes.size(); ++i) {
      const std::string process = processes[i];  // the list grows
      sum += pss_mib(process);
      add_children(process, processes);
    }
    peak_mib_ = std::max<double>(peak_mib_, sum);
    std::this_thread::sleep_for(kBetween);
  }
}

}  // namespace gossamer::bench
