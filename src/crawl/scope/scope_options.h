#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::crawler {

// Each kind holds everything that the one before it holds.
enum class ScopeKind : std::uint8_t {
  page,    // the roots and nothing else
  prefix,  // the host of a root, from the folder of the root's path on: /docs/ of /docs/index.html
  host,    // the host of a root: the same name but for a leading "www.", and the same port
  domain,  // every host and port of a root's registrable domain (example.co.uk)
  any,     // all that is http or https
};

// What belongs to a crawl. A URL does if it passes all of: it is http or https, it is not too long,
// it is of the kind, no exclude matches, there are no includes or one matches, its extension is
// wanted, it is not too deep.
//
// Exclude wins over include, and include only narrows the kind. Roots (and where their redirects
// lead) are asked for by name, so neither kind nor include nor extension refuses them; exclude
// does.
struct ScopeOptions {
  ScopeKind kind = ScopeKind::host;

  // RE2 patterns, searched for anywhere in the URL as it is spelled in records, without fragment.
  std::vector<std::string> include;
  std::vector<std::string> exclude;

  // Links to follow from a root to a page; 0: the roots only. None: without bound.
  std::optional<std::uint32_t> depth_max;

  // Images, styles, scripts, media and icons of the crawled pages, from whatever host. They are
  // exempt from kind, include and depth. Without this they are judged as any other link is.
  bool assets = false;

  // Browsers and servers cope with about 2,000 to 8,000 bytes. A shorter bound loses pages whose
  // names are escaped: one Chinese character is nine bytes.
  std::uint32_t url_bytes_max = 4096;

  // Without the dot, lower case: "zip". What ends so is not asked for. Empty: all is.
  std::vector<std::string> skipped_extensions;

  // What a page may bring; the rest of its links is dropped. Only pages made by machines have so
  // many, but dropping links of a real one loses pages.
  std::uint32_t links_per_page_max = 50'000;
};

// Fails with Errc::invalid_argument and says which pattern or number is wrong, and why.
Result<void> validate(const ScopeOptions& options);

// For those who want text only (--skip-extensions default): archives, pictures, sound, films,
// fonts, programs. None of them holds links that we read.
inline constexpr auto kUsualSkippedExtensions = std::to_array<std::string_view>({
    "7z",   "aac", "apk",  "appimage", "avi",  "avif", "bin",  "bmp",  "bz2", "cab",
    "deb",  "dmg", "eot",  "epub",     "exe",  "flac", "flv",  "gif",  "gz",  "heic",
    "ico",  "img", "iso",  "jar",      "jpeg", "jpg",  "m4a",  "m4v",  "mkv", "mov",
    "mp3",  "mp4", "mpeg", "mpg",      "msi",  "ogg",  "ogv",  "opus", "otf", "pkg",
    "png",  "rar", "rpm",  "tar",      "tgz",  "tif",  "tiff", "ttf",  "wav", "webm",
    "webp", "wmv", "woff", "woff2",    "xz",   "zip",  "zst",
});

// How many URLs are asked for; 0: as many as there are.
struct BudgetOptions {
  // Of one host (and port).
  std::uint32_t urls_per_host_max = 0;
  // Of one path, that is, variants of its query. Bounds filters and sort orders of shops.
  std::uint32_t urls_per_path_max = 0;
};

}  // namespace gossamer::crawler
