#include "robots/sitemap_xml.h"

#include <utility>

namespace gossamer::robots {
namespace {

// A longer start without a root element is read by expat.
constexpr std::size_t kStartBytesMax = 64 * 1024;

}  // namespace

bool SitemapXml::choose(std::string_view start, bool is_whole) {
  const bool is_final = is_whole || start.size() >= kStartBytesMax;
  const std::optional<bool> is_plain = XmlScanner::can_read(start, is_final);
  if (!is_plain) return false;
  if (*is_plain) {
    scanner_ = std::make_unique<XmlScanner>(elements_);
  } else {
    expat_ = std::make_unique<ExpatReader>(elements_, is_utf8_);
  }
  return true;
}

void SitemapXml::feed(std::string_view bytes) {
  if (trouble_ || bytes.empty()) return;
  std::string joined;
  if (!scanner_ && !expat_) {
    joined = std::exchange(start_, {});
    if (!joined.empty()) bytes = joined.append(bytes);
    if (!choose(bytes, /*is_whole=*/false)) {
      start_ = bytes;
      return;
    }
  }
  if (scanner_) {
    scanner_->feed(bytes);
    if (scanner_->trouble()) trouble_ = std::move(scanner_->trouble());
  } else {
    expat_->feed(bytes);
    if (expat_->trouble()) trouble_ = std::move(expat_->trouble());
  }
}

void SitemapXml::finish() {
  if (trouble_) return;
  if (!scanner_ && !expat_) {
    choose(start_, /*is_whole=*/true);
    feed(std::exchange(start_, {}));
  }
  if (trouble_) return;
  if (scanner_) {
    scanner_->finish();
    if (scanner_->trouble()) trouble_ = std::move(scanner_->trouble());
  } else {
    expat_->finish();
    if (expat_->trouble()) trouble_ = std::move(expat_->trouble());
  }
}

}  // namespace gossamer::robots
