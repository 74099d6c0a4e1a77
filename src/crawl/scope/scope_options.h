#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::crawler {

// Each kind includes the one before it.
enum class ScopeKind : std::uint8_t {
  page,    // only the roots
  prefix,  // the folder of a root: /docs/ for /docs/index.html
  host,    // the host of a root: the same name, except for a leading "www.", and the same port
  domain,  // every host and port of a root's registrable domain (example.co.uk)
  any,     // every http or https URL
};

// The scope of a crawl. A URL is in scope if it is http or https, is not too long, is of the kind,
// matches no exclude, matches an include if there are any, has no skipped extension, and is not too
// deep.
//
// Exclude overrides include, and include only narrows the kind. The user named the roots, so kind,
// include and extension do not apply to them and their redirect targets; exclude does.
struct ScopeOptions {
  ScopeKind kind = ScopeKind::host;

  // RE2 patterns that match anywhere in the URL as records contain it, without fragment.
  std::vector<std::string> include;
  std::vector<std::string> exclude;

  // Links to follow from a root; 0: only the roots. Empty: no limit.
  std::optional<std::uint32_t> depth_max;

  // Also fetches images, styles, scripts, media and icons of the crawled pages, from any host.
  // Kind, include and depth do not apply to them. Without this, they are treated like other links.
  bool assets = false;

  // Browsers and servers support about 2,000 to 8,000 bytes. A lower bound loses pages with escaped
  // names: one Chinese character takes nine bytes.
  std::uint32_t url_bytes_max = 4096;

  // Extensions to skip, without the dot, in lower case: "zip". Empty: none.
  std::vector<std::string> skipped_extensions;

  // The limit of links per page; further ones are dropped. Only generated pages have so many, but
  // dropping links of a real page loses pages.
  std::uint32_t links_per_page_max = 50'000;
};

// Fails with Errc::invalid_argument and names the wrong pattern or number.
Result<void> validate(const ScopeOptions& options);

// The extensions of `--skip-extensions usual`: archives, images, audio, video, fonts, programs. We
// read no links from any of them.
inline constexpr auto kUsualSkippedExtensions = std::to_array<std::string_view>({
    "7z",   "aac", "apk",  "appimage", "avi",  "avif", "bin",  "bmp",  "bz2", "cab",
    "deb",  "dmg", "eot",  "epub",     "exe",  "flac", "flv",  "gif",  "gz",  "heic",
    "ico",  "img", "iso",  "jar",      "jpeg", "jpg",  "m4a",  "m4v",  "mkv", "mov",
    "mp3",  "mp4", "mpeg", "mpg",      "msi",  "ogg",  "ogv",  "opus", "otf", "pkg",
    "png",  "rar", "rpm",  "tar",      "tgz",  "tif",  "tiff", "ttf",  "wav", "webm",
    "webp", "wmv", "woff", "woff2",    "xz",   "zip",  "zst",
});

// Limits of fetched URLs; 0: no limit.
struct BudgetOptions {
  // URLs of one host and port.
  std::uint32_t urls_per_host_max = 0;
  // URLs of one path that differ in the query. Limits filters and sort orders of shops.
  std::uint32_t urls_per_path_max = 0;
};

}  // namespace gossamer::crawler
