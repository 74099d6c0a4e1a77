#include "robots/sitemap_xml.h"

#include <utility>

namespace gossamer::robots {

void SitemapXml::choose_decoder(const std::string& encoding) {
  has_encoding_ = true;
  if (encoding.empty()) return;
  decoder_ = std::make_unique<XmlDecoder>(encoding);
  if (decoder_->is_open()) return;
  trouble().emplace(Errc::malformed, "sitemap: unknown encoding " + encoding.substr(0, 40));
}

void SitemapXml::read(std::string_view bytes, bool is_final) {
  std::string joined;
  if (!has_encoding_) {
    joined = std::exchange(start_, {}).append(bytes);
    const auto encoding = encoding_of_xml(joined, is_final);
    if (!encoding) {
      start_ = std::move(joined);
      return;
    }
    choose_decoder(*encoding);
    bytes = joined;
  }
  if (trouble()) return;
  if (!decoder_) return scanner_.feed(bytes);
  std::string decoded;
  decoder_->decode(bytes, is_final, decoded);
  scanner_.feed(decoded);
}

void SitemapXml::finish() {
  read({}, /*is_final=*/true);
  scanner_.finish();
}

}  // namespace gossamer::robots
