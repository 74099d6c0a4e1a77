// For tests: the folders of the source tree and of the build.
#pragma once

#include <string>
#include <string_view>

namespace gossamer::support {

// The path of a file of the source tree: source_path("docs/crawl.md").
std::string source_path(std::string_view relative);

// The path of a file that the build makes: build_path("gossamer").
std::string build_path(std::string_view relative);

inline std::string gossamer_program() { return build_path("gossamer"); }
inline std::string site_server_program() { return build_path("site_server"); }

}  // namespace gossamer::support
