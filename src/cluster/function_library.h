// The functions that run inside Redis (docs/decisions/0031-a-shared-frontier.md).
#pragma once

#include <string>
#include <string_view>

namespace gossamer::cluster {

// The version of the keys and of the functions. Libraries of several versions can be loaded at the
// same time, because every name contains the version.
inline constexpr std::string_view kLayoutVersion = "4";
inline constexpr std::string_view kLibraryName = "gossamer_4";

// The parts of the library, in this order: the functions that add URLs to a partition, those that
// lease its hosts, those for crawls that go level by level, and those of the crawl as a whole
// (nodes, limits, control, end). They are Lua for FUNCTION LOAD.
std::string_view partition_functions() noexcept;
std::string_view lease_functions() noexcept;
std::string_view level_functions() noexcept;
std::string_view crawl_functions() noexcept;

inline std::string library_source() {
  std::string source(partition_functions());
  source += lease_functions();
  source += level_functions();
  source += crawl_functions();
  return source;
}

}  // namespace gossamer::cluster
