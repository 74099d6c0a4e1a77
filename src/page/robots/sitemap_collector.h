// Receives the entries of a sitemap before they are passed on: checks and counts their URLs, and
// applies the bounds.
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

  // Checks the URL of the entry, which may have any spelling and white space around it, and passes
  // the entry on. An index may list sitemaps anywhere.
  void put(SitemapEntry entry, bool is_of_index);

  // Returns the URL as our parser spells it; nothing if it is not absolute, or not http or https. A
  // URL that begins with "www." gets the scheme of the sitemap. Valid until the next call.
  std::optional<std::string_view> spell(std::string_view text);

  // Returns whether there were more entries than the bound allows.
  bool is_over() const { return is_over_; }
  std::size_t count() const { return count_; }
  std::size_t rejected() const { return rejected_; }

 private:
  SitemapSink& sink_;
  std::size_t entries_max_;
  std::string scheme_;  // of the sitemap: "https:"
  std::string start_;   // the required beginning of URLs
  url::Url url_;
  std::size_t count_ = 0;
  std::size_t rejected_ = 0;
  bool is_over_ = false;
};

// Removes white space at both ends, including the many kinds of Unicode.
std::string_view trim_unicode(std::string_view text) noexcept;

}  // namespace gossamer::robots
