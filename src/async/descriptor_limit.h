#pragma once

#include <cstdint>
#include <string>

#include "async/driver.h"

namespace gossamer::async {

struct DescriptorLimit {
  std::uint64_t now = 0;   // RLIMIT_NOFILE, after raising
  std::uint64_t most = 0;  // the hard limit, which only the administrator can raise
};

// Raises this process's limit on open files as far as it may. Before the first Loop: io_uring's
// tables are as large as the limit was when they were made.
DescriptorLimit raise_descriptor_limit() noexcept;

// How many connections can be in flight with this driver, and, when `wanted` is more, one line
// that says so and what to raise; empty when all is well.
std::uint64_t connections_possible(const DescriptorLimit& limit, const Driver& driver) noexcept;
std::string advice_for_connections(std::uint64_t wanted, const DescriptorLimit& limit,
                                   const Driver& driver);

}  // namespace gossamer::async
