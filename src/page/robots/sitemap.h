// Sitemaps (sitemaps.org), in all their formats.
//
//   Sitemap sitemap = read_sitemap(body, {.location = "https://example.com/sitemap.xml"});
//   for (const SitemapEntry& entry : sitemap.entries) ...
//
// For large ones, or to read while data arrives, use SitemapReader in sitemap_reader.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace gossamer::robots {

enum class SitemapKind : std::uint8_t {
  unknown,  // not a sitemap, or too little of it was read
  url_set,
  index,  // its entries are sitemaps
  rss,
  atom,
  text,  // one URL per line
};

enum class ChangeFrequency : std::uint8_t {
  none,  // not given
  always,
  hourly,
  daily,
  weekly,
  monthly,
  yearly,
  never,
};

struct SitemapImage {
  std::string loc;
  std::string title;
  std::string caption;
};

struct SitemapVideo {
  std::string content_loc;
  std::string player_loc;
  std::string thumbnail_loc;
  std::string title;
  std::string description;
  std::optional<WallTime> published;
};

struct SitemapNews {
  std::string publication_name;
  std::string language;
  std::string title;
  std::optional<WallTime> published;
};

// The same page in another language.
struct SitemapAlternate {
  std::string hreflang;
  std::string href;
};

struct SitemapExtensions {
  std::vector<SitemapImage> images;
  std::vector<SitemapVideo> videos;
  std::optional<SitemapNews> news;
  std::vector<SitemapAlternate> alternates;
};

struct SitemapEntry {
  std::string loc;  // absolute, http or https, as our URL parser spells it
  std::optional<WallTime> last_modified;
  ChangeFrequency change_frequency = ChangeFrequency::none;
  float priority = 0.5F;                          // 0 to 1
  std::unique_ptr<SitemapExtensions> extensions;  // usually null
};

// Which URLs a sitemap may list. An index may always list sitemaps anywhere.
enum class SitemapScope : std::uint8_t {
  anywhere,
  same_origin,     // scheme, host and port of the sitemap
  below_location,  // also below the sitemap's folder, as the protocol requires
};

struct SitemapOptions {
  // The sitemap's own URL. Required unless the scope is `anywhere`. It is copied.
  std::string_view location = {};
  SitemapScope scope = SitemapScope::anywhere;
  // Accept only root elements of the protocol's namespace.
  bool is_namespace_strict = false;
  // Bounds. Entries read before a bound was reached count.
  std::size_t entries_max = 50'000;          // the protocol's
  std::size_t bytes_max = 50 * 1024 * 1024;  // the protocol's; after decompression
};

struct Sitemap {
  SitemapKind kind = SitemapKind::unknown;
  std::optional<WallTime> last_modified;  // of a feed
  std::vector<SitemapEntry> entries;
  std::size_t rejected = 0;  // URLs that are invalid or out of scope
  // Why reading ended early: truncated XML, a bound was reached, or it is not a sitemap. The
  // entries read before that are kept.
  std::optional<Error> trouble;
};

// Reads a whole sitemap: XML, text, RSS or Atom, gzipped or not. The content decides, not the
// declared type. Never fails as a whole, see Sitemap::trouble.
Sitemap read_sitemap(std::string_view bytes, const SitemapOptions& options = {});

// Names for people and records: "url_set", "daily".
std::string_view name(SitemapKind kind) noexcept;
std::string_view name(ChangeFrequency frequency) noexcept;

}  // namespace gossamer::robots
