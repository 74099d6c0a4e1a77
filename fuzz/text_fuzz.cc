// The visible text of any page: it does not depend on how the page is divided, and never begins or
// ends with space.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "html/page_reader.h"

namespace gossamer {
namespace {

class TextCollector final : public html::PageConsumer {
 public:
  void text(std::string_view piece) override { all += piece; }
  std::string all;
};

std::string text_of(std::string_view page, std::size_t piece_bytes) {
  TextCollector collector;
  html::PageReader reader({.links = false, .facts = true, .text = true}, collector);
  while (!page.empty()) {
    const std::string piece(page.substr(0, piece_bytes));
    reader.feed(piece);
    page.remove_prefix(piece.size());
  }
  reader.finish();
  for (const std::string& heading : reader.facts().headings) collector.all += "\x01" + heading;
  return collector.all;
}

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size == 0) return 0;
  const std::string_view page(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string whole = text_of(page, std::size_t{1} << 30);
  CHECK(text_of(page, 1) == whole);
  CHECK(text_of(page, 1 + data[0] % 64) == whole);
  CHECK(whole.empty() || whole.front() != '\n');
  return 0;
}
