// Compiled into a program with mutants. GOSSAMER_MUTANT selects one of them; 0 or nothing is the
// program as it was written. With GOSSAMER_MUTANTS_REACHED, the numbers of the mutants whose code
// ran are written to that file at the end.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <type_traits>

namespace gossamer_mutants {

class Switch {
 public:
  static constexpr int kMost = 100000;

  Switch() {
    const char* const text = getenv("GOSSAMER_MUTANT");
    if (text != nullptr) active_ = atoi(text);
  }
  ~Switch() {
    const char* const file = getenv("GOSSAMER_MUTANTS_REACHED");
    FILE* const out = file == nullptr ? nullptr : fopen(file, "a");
    if (out == nullptr) return;
    for (int i = 0; i < kMost; ++i) {
      if (reached_[i] != 0) fprintf(out, "%d\n", i);
    }
    fclose(out);
  }

  bool is(int number) {
    __atomic_store_n(&reached_[number], uint8_t{1}, __ATOMIC_RELAXED);
    return active_ == number;
  }

 private:
  int active_ = 0;
  uint8_t reached_[kMost] = {};
};

inline bool is_active(int number) {
  static Switch shared;
  return shared.is(number);
}

constexpr bool is(int number) {
  return !std::is_constant_evaluated() && is_active(number);
}

}  // namespace gossamer_mutants
