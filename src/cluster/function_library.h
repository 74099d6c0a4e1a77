// The functions that run inside Redis (docs/decisions/0031-a-shared-frontier.md).
#pragma once

#include <string_view>

namespace gossamer::cluster {

// The version of the keys and of the functions. Libraries of several versions can be loaded at the
// same time, because every name contains the version.
inline constexpr std::string_view kLayoutVersion = "1";
inline constexpr std::string_view kLibraryName = "gossamer_1";

// The two parts of the library, in this order: the functions of a partition (hosts, queues, leases)
// and those of the crawl as a whole (nodes, limits, control, end). They are Lua for FUNCTION LOAD.
std::string_view partition_functions() noexcept;
std::string_view crawl_functions() noexcept;

}  // namespace gossamer::cluster
