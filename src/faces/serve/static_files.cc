#include "serve/static_files.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/hash.h"

namespace gossamer::serve {
namespace {

constexpr auto kTypes = std::to_array<std::pair<std::string_view, std::string_view>>({
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml; charset=utf-8"},
    {".json", "application/json; charset=utf-8"},
    {".webmanifest", "application/manifest+json; charset=utf-8"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
});

}  // namespace

const base::EmbeddedFile* find_static_file(std::string_view path) noexcept {
  if (!path.starts_with('/')) return nullptr;
  return base::find_file(static_files(), path == "/" ? "index.html" : path.substr(1));
}

std::string_view type_of(const base::EmbeddedFile& file) noexcept {
  for (const auto& [ending, type] : kTypes) {
    if (file.name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

std::string etag_of(const base::EmbeddedFile& file) {
  return fmt::format("\"{:016x}\"", base::hash64(file.bytes));
}

}  // namespace gossamer::serve
