#include "async/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

namespace gossamer::async {

namespace {

// Descriptors that a process needs besides its connections: standard streams, logs, tables, those
// of the driver.
constexpr std::uint64_t kReserved = 64;

// With few descriptors both get half: a fetch without a descriptor waits, which is better than not
// starting.
std::uint64_t connections_with(std::uint64_t descriptors) {
  return descriptors - std::min(kReserved, (descriptors + 1) / 2);
}

}  // namespace

DescriptorLimit raise_descriptor_limit() noexcept {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < limit.rlim_max) {
    const rlim_t before = std::exchange(limit.rlim_cur, limit.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  }
  return {.now = limit.rlim_cur, .most = limit.rlim_max};
}

std::uint64_t connections_possible(const DescriptorLimit& limit, const Driver& driver) noexcept {
  return driver.connections_max().value_or(connections_with(limit.now));
}

std::string advice_for_connections(std::uint64_t wanted, const DescriptorLimit& limit,
                                   const Driver& driver) {
  const std::uint64_t possible = connections_possible(limit, driver);
  if (wanted <= possible) return {};
  return std::to_string(wanted) + " concurrent connections were requested, " +
         std::to_string(possible) + " are possible on " + std::string(driver.name()) + " with " +
         std::to_string(limit.now) +
         " open files; raise the hard limit (ulimit -Hn, or LimitNOFILE= of the service) to " +
         std::to_string(wanted + std::min(kReserved, wanted));
}

}  // namespace gossamer::async
