// Reads the XML of a sitemap with the parser that suits it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "robots/sitemap.h"
#include "robots/sitemap_collector.h"
#include "robots/sitemap_elements.h"
#include "robots/xml_expat.h"
#include "robots/xml_scanner.h"

namespace gossamer::robots {

class SitemapXml {
 public:
  // BORROWS: the collector.
  SitemapXml(const SitemapOptions& options, SitemapCollector& collector)
      : elements_(options, collector), is_utf8_(options.is_utf8) {}

  void feed(std::string_view bytes);
  // Ends the document, which may be truncated.
  void finish();

  SitemapKind kind() const { return elements_.kind(); }
  std::optional<WallTime> last_modified() const { return elements_.last_modified(); }
  std::optional<Error>& trouble() { return trouble_; }

 private:
  bool choose(std::string_view start, bool is_whole);

  SitemapElements elements_;
  bool is_utf8_;
  std::optional<Error> trouble_;
  std::string start_;  // held until the parser is chosen
  std::unique_ptr<XmlScanner> scanner_;
  std::unique_ptr<ExpatReader> expat_;
};

}  // namespace gossamer::robots
