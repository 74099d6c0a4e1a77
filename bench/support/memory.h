#pragma once

namespace gossamer::bench {

// What this process occupies, in bytes.
struct MemoryUse {
  double resident = 0;
  double page_tables = 0;

  friend MemoryUse operator-(const MemoryUse& end, const MemoryUse& begin) {
    return {end.resident - begin.resident, end.page_tables - begin.page_tables};
  }
};

MemoryUse memory_use();

// The stacks that the kernel keeps for the threads of all processes.
double kernel_stack_bytes();

}  // namespace gossamer::bench
