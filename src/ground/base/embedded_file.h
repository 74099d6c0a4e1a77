// Files of the source tree that are compiled in (cmake/gossamer_embed.cmake).
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace gossamer::base {

struct EmbeddedFile {
  std::string_view name;  // "app.js"
  std::string_view bytes;
};

// Returns nullptr if there is none of that name.
constexpr const EmbeddedFile* find_file(std::span<const EmbeddedFile> files,
                                        std::string_view name) noexcept {
  const auto found = std::ranges::find(files, name, &EmbeddedFile::name);
  return found == files.end() ? nullptr : &*found;
}

}  // namespace gossamer::base
