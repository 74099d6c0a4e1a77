// Links of any Markdown, reStructuredText, plain text and HTML: no crash, and every position is
// within the document.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "check/document.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n')) + 1;
  for (const check::Document& document :
       {check::read_markdown(text), check::read_restructured_text(text),
        check::read_plain_text(text), check::read_html(text), check::read_xml(text)}) {
    for (const check::LinkPlace& link : document.links) {
      CHECK(link.at.line >= 1 && link.at.line <= lines && link.at.column >= 1);
      CHECK(link.at.column <= size + 1);
    }
  }
  return 0;
}
