#include "bench/support/memory.h"

#include <malloc.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace gossamer::bench {

namespace {

// Returns the number after `key` in a file of lines like "VmPTE:   1234 kB".
double bytes_of(const char* path, const std::string& key) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    if (word != key) continue;
    double kibibytes = 0;
    file >> kibibytes;
    return kibibytes * 1024;
  }
  return 0;
}

}  // namespace

MemoryUse memory_use() {
  // statm counts exactly; the VmRSS of status lags behind by up to a batch of pages per thread.
  std::ifstream file("/proc/self/statm");
  double size_pages = 0;
  double resident_pages = 0;
  file >> size_pages >> resident_pages;
  return {.resident = resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE)),
          .page_tables = bytes_of("/proc/self/status", "VmPTE:")};
}

double kernel_stack_bytes() { return bytes_of("/proc/meminfo", "KernelStack:"); }

double heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd);
}

}  // namespace gossamer::bench
