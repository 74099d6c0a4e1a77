#include "store/rocks_start.h"

namespace gossamer::store {
namespace {

using RocksInitializer = void (*)(int argc, char** argv, char** environment);

// Where RocksDB is a part of the program, what makes its global objects stands in a section of its
// own (cmake/gossamer_archives.cmake), because few commands need them; the linker names both ends
// of it. Elsewhere there is no such section, and they were made before main() began.
extern "C" {
[[gnu::weak]] extern const RocksInitializer first_initializer[] asm("__start_rocksdb_initializers");
[[gnu::weak]] extern const RocksInitializer end_of_initializers[] asm(
    "__stop_rocksdb_initializers");
}

bool call_initializers() {
  for (const RocksInitializer* at = first_initializer; at != end_of_initializers; ++at) {
    (*at)(0, nullptr, nullptr);
  }
  return true;
}

}  // namespace

void start_rocksdb() {
  // A static is made once, whoever comes first.
  [[maybe_unused]] static const bool is_started = call_initializers();
}

}  // namespace gossamer::store
