// The tree of any page is sound: its links agree in both directions, its depth is bounded, and its
// text points to memory that is there. It is also the same for a page that is read twice.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "dom/parse.h"
#include "tests/support/tree_text.h"

namespace gossamer {
namespace {

void check_children(const dom::Node& parent) {
  const dom::Node* before = nullptr;
  for (const dom::Node* node = parent.first_child(); node != nullptr; node = node->next()) {
    CHECK(node->parent() == &parent);
    CHECK(node->previous() == before);
    before = node;
  }
  CHECK(parent.last_child() == before);
}

// Walks over everything, also over the content of templates.
void check_tree(const dom::Document& document) {
  const dom::Node& root = document.root();
  std::size_t depth = 0;
  const dom::Node* node = &root;
  while (true) {
    check_children(*node);
    CHECK(depth <= dom::kLevelsMax);
    if (node->first_child() != nullptr) {
      node = node->first_child();
      ++depth;
      continue;
    }
    for (; node != &root && node->next() == nullptr; --depth) node = node->parent();
    if (node == &root) return;
    node = node->next();
  }
}

// A page in a block of exactly its size, so that AddressSanitizer sees a one-byte overread.
class Page {
 public:
  Page(const std::uint8_t* data, std::size_t size)
      : size_(size), bytes_(std::make_unique_for_overwrite<char[]>(size)) {
    for (std::size_t i = 0; i < size; ++i) bytes_[i] = static_cast<char>(data[i]);
  }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<char[]> bytes_;
};

constexpr dom::Context kContexts[] = {
    {.name = "body"},
    {.name = "template"},
    {.name = "table"},
    {.name = "td"},
    {.name = "select"},
    {.name = "colgroup"},
    {.name = "frameset"},
    {.name = "html"},
    {.space = dom::Space::svg, .name = "foreignObject"},
    {.space = dom::Space::math, .name = "mi"},
    {.space = dom::Space::math, .name = "annotation-xml", .encoding = "text/html"},
};

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size == 0) return 0;
  const std::uint8_t choice = data[0];
  const Page page(data + 1, size - 1);
  const dom::ParseOptions options = {.scripting = (choice & 1) != 0, .nodes_max = 100'000};
  const dom::Document document = dom::parse(page.view(), options);
  check_tree(document);
  const Page again(data + 1, size - 1);
  CHECK(dom::tree_text(dom::parse(again.view(), options)) == dom::tree_text(document));
  const dom::Context& context = kContexts[(choice >> 1) % std::size(kContexts)];
  check_tree(dom::parse_fragment(page.view(), context, options));
  return 0;
}
