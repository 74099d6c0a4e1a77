// Sitemaps of any bytes: the result does not depend on how they are divided, and plain XML is read
// as expat does.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "robots/date.h"
#include "robots/sitemap.h"
#include "robots/sitemap_collector.h"
#include "robots/sitemap_elements.h"
#include "robots/sitemap_reader.h"
#include "robots/xml_scanner.h"
#include "tests/support/xml_expat.h"

namespace gossamer {
namespace {

class Collection final : public robots::SitemapSink {
 public:
  void put(robots::SitemapEntry entry) override { locs += entry.loc + "\n"; }
  std::string locs;
};

struct Reading {
  std::string locs;
  bool has_trouble = false;
};

Reading read(std::string_view bytes, std::size_t piece) {
  Collection collection;
  robots::SitemapReader reader({.bytes_max = 1 << 20}, collection);
  for (std::size_t at = 0; at < bytes.size(); at += piece) reader.feed(bytes.substr(at, piece));
  reader.finish();
  return {collection.locs, reader.trouble().has_value()};
}

template <class Reader, class... Arguments>
Reading read_xml(std::string_view text, Arguments... arguments) {
  Collection collection;
  robots::SitemapCollector collector({}, collection);
  robots::SitemapElements elements({}, collector);
  Reader reader(elements, arguments...);
  reader.feed(text);
  reader.finish();
  return {collection.locs, reader.trouble().has_value()};
}

// The scanner reads every document without a DTD that expat finds well-formed in the same way.
void compare_with_expat(std::string_view text) {
  if (text.contains("<!DOCTYPE") || text.contains("encoding")) return;
  const Reading expected = read_xml<robots::ExpatReader>(text, /*is_utf8=*/true);
  if (expected.has_trouble) return;
  const Reading got = read_xml<robots::XmlScanner>(text);
  CHECK(!got.has_trouble);
  CHECK(got.locs == expected.locs);
}

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Reading whole = read(bytes, size);
  const Reading cut = read(bytes, 1 + data[0] % 32);
  CHECK(whole.locs == cut.locs);
  CHECK_EQ(whole.has_trouble, cut.has_trouble);
  compare_with_expat(bytes);
  robots::parse_date(bytes);
  return 0;
}
