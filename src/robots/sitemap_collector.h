// Where the entries of a sitemap pass before they go out: their URLs are checked, counted, bounded.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "robots/sitemap.h"
#include "robots/sitemap_reader.h"
#include "url/url.h"

namespace gossamer::robots {

class SitemapCollector {
 public:
  SitemapCollector(const SitemapOptions& options, SitemapSink& sink);

  // Checks the URL of the entry, which may have any spelling and white space around it, and hands
  // the entry on. An index may name sitemaps anywhere.
  void put(SitemapEntry entry, bool is_of_index);

  // The URL in our spelling; nothing if it is not absolute, or not http. Only to "www." the scheme
  // of the sitemap is added. Lasts until the next call.
  std::optional<std::string_view> spell(std::string_view text);

  bool is_full() const { return count_ >= entries_max_; }
  std::size_t count() const { return count_; }
  std::size_t rejected() const { return rejected_; }

 private:
  SitemapSink& sink_;
  std::size_t entries_max_;
  std::string scheme_;  // of the sitemap: "https:"
  std::string start_;   // what a URL has to start with
  url::Url url_;
  std::size_t count_ = 0;
  std::size_t rejected_ = 0;
};

// Without the white space around, of which Unicode has many kinds.
std::string_view trim_unicode(std::string_view text) noexcept;

}  // namespace gossamer::robots
