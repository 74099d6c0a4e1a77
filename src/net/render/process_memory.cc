#include "render/process_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

namespace gossamer::render {
namespace {

constexpr std::size_t kProcessesMax = 1000;
constexpr std::size_t kTextBytes = std::size_t{16} * 1024;  // the rest is cut

// Empty if the process ends meanwhile. An iterator of the stream would throw then.
std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::string text(kTextBytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// The resident memory without that of files and of shared memory.
std::uint64_t own_memory_of(const std::string& process) {
  std::istringstream numbers(text_of(process + "/statm"));
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;
  if (!(numbers >> size >> resident >> shared)) return 0;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return (resident - std::min(shared, resident)) * page;
}

void add_children_of(const std::string& process, std::vector<pid_t>& processes) {
  std::error_code ended;
  const std::filesystem::directory_iterator none;
  for (std::filesystem::directory_iterator task(process + "/task", ended); !ended && task != none;
       task.increment(ended)) {
    std::istringstream numbers(text_of(task->path() / "children"));
    for (pid_t child = 0; numbers >> child;) processes.push_back(child);
  }
}

}  // namespace

std::uint64_t memory_of_processes(pid_t process, const std::string& proc) {
  std::vector<pid_t> processes = {process};
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < processes.size() && i < kProcessesMax; ++i) {
    const std::string folder = proc + "/" + std::to_string(processes[i]);
    bytes += own_memory_of(folder);
    add_children_of(folder, processes);
  }
  return bytes;
}

}  // namespace gossamer::render
