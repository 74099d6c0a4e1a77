// Compiled into a program with mutants. GOSSAMER_MUTANT selects one of them; 0 or nothing is the
// program as it was written. With GOSSAMER_MUTANTS_REACHED, that file gets a byte per mutant, which
// is 1 if its code ran, even in a process that aborted.
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <type_traits>

namespace gossamer_mutants {

class Switch {
 public:
  static constexpr int kMost = 100000;

  Switch() {
    const char* const text = getenv("GOSSAMER_MUTANT");
    if (text != nullptr) active_ = atoi(text);
    const char* const file = getenv("GOSSAMER_MUTANTS_REACHED");
    const int opened = file == nullptr ? -1 : open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (opened < 0 || ftruncate(opened, kMost) != 0) return;
    void* const shared = mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
    if (shared != MAP_FAILED) reached_ = static_cast<uint8_t*>(shared);
    close(opened);
  }

  bool is(int number) {
    if (reached_ != nullptr) __atomic_store_n(&reached_[number], uint8_t{1}, __ATOMIC_RELAXED);
    return active_ == number;
  }

 private:
  int active_ = 0;
  uint8_t* reached_ = nullptr;
};

inline bool is_active(int number) {
  // Never destroyed: other destructors run mutants too.
  static Switch& shared = *new Switch;
  return shared.is(number);
}

constexpr bool is(int number) { return !std::is_constant_evaluated() && is_active(number); }

}  // namespace gossamer_mutants
