#include "tests/support/processes.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>

namespace gossamer::support {
namespace {

constexpr std::size_t kContentBytes = std::size_t{64} * 1024;  // longer ones are cut

// Empty if the process ends meanwhile: an iterator of the stream would throw.
std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text(kContentBytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// What follows the name of a process in its "stat", which may contain anything.
std::string stat_of(const std::string& process) {
  const std::string text = content_of("/proc/" + process + "/stat");
  const std::size_t end = text.rfind(") ");
  return end == std::string::npos ? std::string() : text.substr(end + 2);
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t process) {
  std::vector<pid_t> found = {process};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string number = entry.path().filename();
      if (!std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; }))
        continue;
      const std::string stat = stat_of(number);
      if (!stat.empty() && std::stoi(stat.substr(2)) == found[i])
        found.push_back(std::stoi(number));
    }
  }
  found.erase(found.begin());
  return found;
}

bool is_running(pid_t process) {
  const std::string stat = stat_of(std::to_string(process));
  return !stat.empty() && stat[0] != 'Z' && stat[0] != 'X';
}

std::string command_line_of(pid_t process) {
  std::string words = content_of("/proc/" + std::to_string(process) + "/cmdline");
  std::ranges::replace(words, '\0', ' ');
  return words;
}

OrphanKeeper::OrphanKeeper() { EXPECT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); }
OrphanKeeper::~OrphanKeeper() { prctl(PR_SET_CHILD_SUBREAPER, 0); }

}  // namespace gossamer::support
