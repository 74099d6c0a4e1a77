#include "render/process_memory.h"

#include <gtest/gtest.h>
#include <tests/support/temporary_folder.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace gossamer::render {
namespace {

class ProcessMemoryTest : public testing::Test {
 protected:
  std::string path(int process, const std::string& name) const {
    return folder_.path() + "/" + std::to_string(process) + "/" + name;
  }
  void add_process(int process, const std::string& memory, const std::string& children) const {
    const std::string task = path(process, "task/1");
    std::filesystem::create_directories(task);
    std::ofstream(path(process, "statm")) << memory;
    std::ofstream(task + "/children") << children;
  }
  // Its files can be opened, and reading them fails.
  void add_ended_process(int process) const {
    std::filesystem::create_directories(path(process, "statm"));
    std::filesystem::create_directories(path(process, "task/1/children"));
  }
  std::uint64_t pages() const {
    return memory_of_processes(1, folder_.path()) /
           static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }

  tests::TemporaryFolder folder_;
};

TEST_F(ProcessMemoryTest, IsThatOfAllDescendants) {
  add_process(1, "900 100 40 1 0 5 0", "2 3 ");
  add_process(2, "900 10 20 1 0 5 0", "");
  add_process(3, "900 7 0 1 0 5 0", "4 ");
  add_process(4, "900 1 0 1 0 5 0", "");
  EXPECT_EQ(pages(), 60U + 0U + 7U + 1U);
}

TEST_F(ProcessMemoryTest, ProcessesMayEndMeanwhile) {
  add_process(1, "900 5 0 1 0 5 0", "2 3 4 ");
  add_ended_process(2);
  add_process(4, "900 1 0 1 0 5 0", "");
  EXPECT_EQ(pages(), 6U);
}

}  // namespace
}  // namespace gossamer::render
