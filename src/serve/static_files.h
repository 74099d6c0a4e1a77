// The files of src/serve/pages, compiled in.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gossamer::serve {

struct StaticFile {
  std::string_view name;  // "app.js"
  std::string_view bytes;
};

// All files, in the order of their names. CMake writes the table (cmake/embed_files.cmake).
std::span<const StaticFile> static_files() noexcept;

// Returns the file for a path of a request: "/" is index.html, "/app.js" is app.js. nullptr if
// there is none. The path is only compared, so no spelling leads elsewhere.
const StaticFile* find_static_file(std::string_view path) noexcept;

// By the extension: "text/html; charset=utf-8".
std::string_view type_of(const StaticFile& file) noexcept;
// A quoted hash of the content.
std::string etag_of(const StaticFile& file);

}  // namespace gossamer::serve
