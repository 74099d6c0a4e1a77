#include "serve/static_files.h"

#include <fmt/format.h>

#include <algorithm>
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

const StaticFile* find_static_file(std::string_view path) noexcept {
  if (!path.starts_with('/')) return nullptr;
  const std::string_view name = path == "/" ? std::string_view("index.html") : path.substr(1);
  const auto files = static_files();
  const auto found = std::ranges::find(files, name, &StaticFile::name);
  return found == files.end() ? nullptr : &*found;
}

std::string_view type_of(const StaticFile& file) noexcept {
  for (const auto& [ending, type] : kTypes) {
    if (file.name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

std::string etag_of(const StaticFile& file) {
  return fmt::format("\"{:016x}\"", base::hash64(file.bytes));
}

}  // namespace gossamer::serve
