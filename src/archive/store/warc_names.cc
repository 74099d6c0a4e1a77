#include "store/warc_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/hash.h"
#include "url/url.h"

namespace gossamer::store {
namespace {

constexpr std::size_t kNameBytesMax = 120;
constexpr std::size_t kExtensionBytesMax = 12;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '=' || c == ',' || c == '+';
}

// Slashes and everything that is special to a file system, a shell or a terminal.
std::string plain_name(std::string_view text) {
  std::string name;
  for (const char c : text) name.push_back(is_plain(c) ? c : '_');
  if (name.starts_with('.')) name.front() = '_';
  return name;
}

// Returns the extension with its dot; empty if there is none.
std::string_view extension_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const std::string_view extension = name.substr(dot);
  return extension.size() > 1 && extension.size() <= kExtensionBytesMax ? extension
                                                                        : std::string_view();
}

std::string_view extension_for(std::string_view mime) {
  struct Known {
    std::string_view mime;
    std::string_view extension;
  };
  constexpr Known kKnown[] = {
      {"text/html", ".html"},
      {"text/css", ".css"},
      {"text/plain", ".txt"},
      {"text/javascript", ".js"},
      {"application/javascript", ".js"},
      {"application/json", ".json"},
      {"application/pdf", ".pdf"},
      {"application/xml", ".xml"},
      {"text/xml", ".xml"},
      {"image/png", ".png"},
      {"image/jpeg", ".jpg"},
      {"image/gif", ".gif"},
      {"image/svg+xml", ".svg"},
      {"image/webp", ".webp"},
      {"font/woff2", ".woff2"},
  };
  for (const Known& known : kKnown) {
    if (base::equals_ignoring_case(known.mime, mime)) return known.extension;
  }
  return {};
}

// Shortens a name: a hash of the whole name replaces the middle.
std::string shortened(std::string stem, std::size_t bytes_max) {
  if (stem.size() <= bytes_max) return stem;
  const std::string mark = fmt::format("~{:016x}", base::hash64(stem));
  stem.resize(bytes_max - mark.size());
  return stem + mark;
}

}  // namespace

PayloadNames::Name PayloadNames::name_for(std::string_view url, std::string_view mime) {
  const auto parsed = url::Url::parse(url);
  std::string folder = parsed ? plain_name(parsed->host()) : "";
  if (folder.empty()) folder = "no-host";
  folder = shortened(folder, kNameBytesMax);
  std::string_view path = parsed ? parsed->pathname() : url;
  while (path.starts_with('/')) path.remove_prefix(1);
  std::string name = plain_name(path);
  if (name.empty() || path.ends_with('/')) name += "index";
  std::string extension(extension_of(name));
  name.resize(name.size() - extension.size());
  if (extension.empty()) extension = extension_for(mime);
  if (parsed && !parsed->search().empty()) name += plain_name(parsed->search());
  name = shortened(std::move(name), kNameBytesMax);
  std::string file = name + extension;
  const auto take = [&] { return taken_.try_emplace(base::lower_case(folder + '/' + file), 2); };
  const auto [first, is_free] = take();
  std::uint64_t& number = first->second;
  for (bool is_taken = !is_free; is_taken; is_taken = !take().second) {
    file = fmt::format("{}~{}{}", name, number++, extension);
  }
  return {.folder = std::move(folder), .file = std::move(file)};
}

}  // namespace gossamer::store
