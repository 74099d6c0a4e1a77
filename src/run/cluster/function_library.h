// The functions that run inside Redis (docs/decisions/0031-a-shared-frontier.md).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/embedded_file.h"

namespace gossamer::cluster {

// The version of the keys and of the functions. Libraries of several versions can be loaded at the
// same time, because every name contains the version.
inline constexpr std::string_view kLayoutVersion = "4";
inline constexpr std::string_view kLibraryName = "gossamer_4";

// The files of src/run/cluster/functions.
std::span<const base::EmbeddedFile> function_files() noexcept;

// All functions, in Lua for FUNCTION LOAD.
std::string library_source();

}  // namespace gossamer::cluster
