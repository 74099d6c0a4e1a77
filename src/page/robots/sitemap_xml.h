// Reads the XML of a sitemap, in any encoding.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "robots/sitemap.h"
#include "robots/sitemap_collector.h"
#include "robots/sitemap_elements.h"
#include "robots/xml_decoder.h"
#include "robots/xml_scanner.h"

namespace gossamer::robots {

class SitemapXml {
 public:
  // BORROWS: the collector.
  SitemapXml(const SitemapOptions& options, SitemapCollector& collector)
      : elements_(options, collector), scanner_(elements_) {}

  void feed(std::string_view bytes) { read(bytes, /*is_final=*/false); }
  // Ends the document, which may be truncated.
  void finish();

  SitemapKind kind() const { return elements_.kind(); }
  std::optional<WallTime> last_modified() const { return elements_.last_modified(); }
  std::optional<Error>& trouble() { return scanner_.trouble(); }

 private:
  void read(std::string_view bytes, bool is_final);
  void choose_decoder(const std::string& encoding);

  SitemapElements elements_;
  XmlScanner scanner_;
  bool has_encoding_ = false;            // it is known
  std::string start_;                    // held until then
  std::unique_ptr<XmlDecoder> decoder_;  // nullptr: it is UTF-8
};

}  // namespace gossamer::robots
