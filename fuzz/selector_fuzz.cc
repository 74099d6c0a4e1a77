// Any text is a selector or an error, and a search with it ends. The first byte tells how
// far, the rest of the first line is the selector, and the rest is the page.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "dom/parse.h"
#include "dom/selector.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  constexpr std::uint64_t kStepsMax = 1'000'000;
  constexpr std::uint8_t kLetter = 32;  // searches with it or a larger byte are long
  if (size == 0) return 0;
  const std::uint64_t steps_max = data[0] < kLetter ? 1 + 7 * std::uint64_t{data[0]} : kStepsMax;
  ++data;
  --size;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = std::min(input.find('\n'), size);
  const auto selector = dom::Selector::compile(input.substr(0, line_end));
  if (!selector) return 0;
  const dom::Document document = dom::parse(input.substr(std::min(line_end + 1, size)));
  const auto found = selector->find_all(document, document.root(), steps_max);
  if (!found.is_complete) return 0;
  // Every element that was found matches by itself, and the first one is the first.
  for (const dom::Node* const element : found.elements) {
    CHECK(selector->matches(document, *element).is_match);
  }
  const dom::Node* const first = selector->find_first(document).element;
  CHECK(first == (found.elements.empty() ? nullptr : found.elements.front()));
  return 0;
}
