// Any page or style sheet, rewritten for a copy: no crash, and as many links as before.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "html/encoding/stream.h"
#include "html/link_list.h"
#include "html/page_reader.h"
#include "mirror/names.h"
#include "mirror/rewrite.h"

namespace {

using namespace gossamer;

std::size_t links_in(std::string_view page) {
  html::LinkList links;
  html::PageReader reader({}, links);
  html::DecodingStream stream({});
  std::string scratch;
  reader.feed(stream.decode(page, scratch));
  reader.feed(stream.finish(scratch));
  reader.finish();
  return links.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const url::Url kUrl = *url::Url::parse("https://a.example/b/c");
  static const mirror::Pages kPages = [] {
    mirror::Pages pages;
    mirror::Names names;
    for (const char* path : {"/", "/b/c", "/a", "/x?y", "/s.css"}) {
      const url::Url url = *kUrl.resolve(path);
      pages.add_copy(url, names.name_for(url, "text/html"));
    }
    return pages;
  }();
  const mirror::Document document = {.url = kUrl, .name = "a.example/b/c.html"};
  CHECK(links_in(mirror::rewrite_html(text, document, kPages)) == links_in(text));
  static_cast<void>(mirror::rewrite_css(text, document, kPages));
  return 0;
}
