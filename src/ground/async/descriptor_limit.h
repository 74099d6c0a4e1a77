#pragma once

#include <cstdint>
#include <string>

#include "async/driver.h"

namespace gossamer::async {

struct DescriptorLimit {
  std::uint64_t now = 0;   // RLIMIT_NOFILE, after raising
  std::uint64_t most = 0;  // the hard limit, which only the administrator can raise
};

// Raises this process's limit on open files as far as possible. Call it before making the first
// Loop, because io_uring's tables are as large as the limit at that time.
DescriptorLimit raise_descriptor_limit() noexcept;

// Returns how many connections this driver can have in flight. If `wanted` is larger, the second
// function returns one line that says so and what to raise; otherwise an empty text.
std::uint64_t connections_possible(const DescriptorLimit& limit, const Driver& driver) noexcept;
std::string advice_for_connections(std::uint64_t wanted, const DescriptorLimit& limit,
                                   const Driver& driver);

}  // namespace gossamer::async
