// Tokens and links of any page do not depend on how it is divided, which also compares the fast tag
// reader (one piece) with the state machine (pieces of one byte).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "html/link_list.h"
#include "html/page_reader.h"
#include "html/token/tag_index.h"
#include "html/xml_reader.h"
#include "tests/support/token_list.h"

namespace gossamer {
namespace {

constexpr std::size_t kWhole = std::size_t{1} << 30;

// The first piece is preceded by this many spaces.
template <class Reader>
void feed(Reader& reader, std::string_view page, std::size_t piece_bytes, std::size_t spaces = 0) {
  while (!page.empty()) {
    const std::size_t size = std::min(piece_bytes, page.size());
    std::string piece(spaces + size, ' ');
    page.copy(piece.data() + spaces, size);
    reader.feed(piece);
    page.remove_prefix(size);
    spaces = 0;
  }
  reader.finish();
}

std::string written(const html::LinkList& links) {
  std::string out = links.base().value_or("no base") + "\n";
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto [link, text] = links[i];
    out.append(html::name(link.kind)).append(" ").append(html::name(link.tag)).append(".");
    out.append(html::name(link.attribute)).append(" ").append(link.url).append(" ");
    out.append(link.rel_text).append(" ").append(text).append(link.is_foreign ? " f\n" : "\n");
  }
  return out;
}

std::string links_of_page(std::string_view page, std::size_t piece_bytes, bool anchor_text,
                          std::size_t spaces = 0) {
  html::LinkList links;
  html::PageReader reader(
      {.facts = true, .link_options = {.anchor_text = anchor_text, .scripts = true}}, links);
  feed(reader, page, piece_bytes, spaces);
  return written(links) + reader.facts().title + reader.facts().canonical;
}

std::string links_of_xml(std::string_view page, std::size_t piece_bytes) {
  html::LinkList links;
  html::XmlReader reader(links);
  feed(reader, page, piece_bytes);
  return written(links);
}

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0] % 40;
  const std::string_view page(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = html::tokenize(page, kWhole);
  CHECK(html::tokenize(page, 1) == whole);
  CHECK(html::tokenize(page, piece) == whole);
  const bool anchor_text = (data[0] & 0x80) != 0;
  const std::string links = links_of_page(page, kWhole, anchor_text);
  CHECK(links_of_page(page, 1, anchor_text) == links);
  CHECK(links_of_page(page, piece, anchor_text) == links);
  // Also with the end of the indexed block in the middle of the page.
  const std::size_t spaces = html::TagIndex::kBytesMax - data[0];
  CHECK(links_of_page(page, 1, anchor_text, spaces) ==
        links_of_page(page, kWhole, anchor_text, spaces));
  CHECK(links_of_xml(page, piece) == links_of_xml(page, kWhole));
  return 0;
}
