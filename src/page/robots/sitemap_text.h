// A sitemap with one URL per line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "robots/sitemap_collector.h"

namespace gossamer::robots {

class SitemapText {
 public:
  // BORROWS: the collector.
  explicit SitemapText(SitemapCollector& collector) : collector_(collector) {}

  void feed(std::string_view bytes);
  void finish();

  // Any text could be a sitemap; it is one if it contains a URL.
  bool has_urls() const { return collector_.count() > 0; }
  std::optional<Error>& trouble() { return trouble_; }

 private:
  void put(std::string_view line);

  SitemapCollector& collector_;
  std::string unfinished_;  // the received part of the last line
  std::optional<Error> trouble_;
};

}  // namespace gossamer::robots
