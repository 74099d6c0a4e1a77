// The files of src/faces/serve/pages, compiled in.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/embedded_file.h"

namespace gossamer::serve {

std::span<const base::EmbeddedFile> static_files() noexcept;

// Returns the file for a path of a request: "/" is index.html, "/app.js" is app.js. nullptr if
// there is none. The path is only compared, so no spelling leads elsewhere.
const base::EmbeddedFile* find_static_file(std::string_view path) noexcept;

// By the extension: "text/html; charset=utf-8".
std::string_view type_of(const base::EmbeddedFile& file) noexcept;
// A quoted hash of the content.
std::string etag_of(const base::EmbeddedFile& file);

}  // namespace gossamer::serve
