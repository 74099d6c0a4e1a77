// Finds the URLs in the manifest of a web application: <link rel=manifest>.
// https://www.w3.org/TR/appmanifest/
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::html {

struct ManifestUrl {
  std::string url;        // escapes replaced, not resolved
  bool is_page = false;   // the application or a part of it; else an image
  std::size_t begin = 0;  // of the string in the text, with its quotes
  std::size_t end = 0;
};

// BOUND: the URLs of one manifest.
inline constexpr std::size_t kManifestUrlsMax = 1000;

// Returns the URLs of icons, screenshots, shortcuts and the start page, in their order. Other JSON,
// which has no name and no icons, has none. Time is linear.
std::vector<ManifestUrl> manifest_urls(std::string_view json);

}  // namespace gossamer::html
