#include <algorithm>

#include "base/json.h"
#include "warc/wacz.h"

namespace gossamer::warc {

void ContentMeter::update(Bytes piece) {
  bytes_ += piece.size();
  crc32_ = crc32_of(piece, crc32_);
  sha256_.update(piece);
}

ContentFacts ContentMeter::facts() const {
  return {.bytes = bytes_, .crc32 = crc32_, .sha256 = sha256_.digest()};
}

ContentFacts facts_of_content(Bytes content) {
  ContentMeter meter;
  meter.update(content);
  return meter.facts();
}

std::string pages_header_line() {
  return base::JsonLine()
      .text("format", "json-pages-1.0")
      .text("id", "pages")
      .text("title", "All Pages")
      .finish();
}

std::string page_line(const WaczPage& page) {
  base::JsonLine line;
  if (!page.id.empty()) line.text("id", page.id);
  line.text("url", page.url);
  line.text("ts", base::to_rfc3339(page.date, base::SecondDigits::milli));
  if (!page.title.empty()) line.text("title", page.title);
  if (!page.text.empty()) line.text("text", page.text);
  return line.finish();
}

std::string WaczWriter::begin(std::string_view path, const ContentFacts& facts) {
  resources_.push_back(
      {.path = std::string(path), .bytes = facts.bytes, .hash = facts.sha256.to_string()});
  return zip_.begin(path, facts.bytes, facts.crc32, date_);
}

std::string WaczWriter::datapackage(const WaczFacts& about) const {
  std::string resources = "[";
  for (const Resource& resource : resources_) {
    if (resources.size() > 1) resources += ',';
    const std::string_view path = resource.path;
    resources += base::JsonLine()
                     .text("name", path.substr(path.rfind('/') + 1))
                     .text("path", path)
                     .text("hash", resource.hash)
                     .number("bytes", resource.bytes)
                     .finish();
  }
  resources += ']';
  base::JsonLine package;
  package.text("profile", "data-package").raw("resources", resources);
  if (!about.title.empty()) package.text("title", about.title);
  if (!about.description.empty()) package.text("description", about.description);
  if (!about.main_page_url.empty()) {
    package.text("mainPageUrl", about.main_page_url);
    package.text("mainPageDate", base::to_rfc3339(about.main_page_date, base::SecondDigits::milli));
  }
  package.text("created", base::to_rfc3339(about.created));
  package.text("wacz_version", "1.1.1").text("software", about.software);
  return package.finish();
}

std::string WaczWriter::finish(const WaczFacts& about) {
  const std::string package = datapackage(about);
  const ContentFacts facts = facts_of_content(as_bytes(package));
  const std::string digest = base::JsonLine()
                                 .text("path", "datapackage.json")
                                 .text("hash", facts.sha256.to_string())
                                 .finish();
  const ContentFacts digest_facts = facts_of_content(as_bytes(digest));
  std::string out = zip_.begin("datapackage.json", facts.bytes, facts.crc32, date_) + package;
  out += zip_.begin("datapackage-digest.json", digest_facts.bytes, digest_facts.crc32, date_);
  out += digest;
  return out += zip_.finish();
}

}  // namespace gossamer::warc
