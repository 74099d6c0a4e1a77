#pragma once

namespace gossamer::bench {

// The memory of this process, in bytes.
struct MemoryUse {
  double resident = 0;
  double page_tables = 0;

  friend MemoryUse operator-(const MemoryUse& end, const MemoryUse& begin) {
    return {end.resident - begin.resident, end.page_tables - begin.page_tables};
  }
};

MemoryUse memory_use();

// What malloc() has given out.
double heap_bytes();

// The kernel stacks of the threads of all processes.
double kernel_stack_bytes();

}  // namespace gossamer::bench
