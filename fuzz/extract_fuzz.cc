// Any text is a list of rules or an error, and the values that rules find are within their bounds.
// The first line has the rules, and a selector of items after a tab; the rest is the page.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "content/extractor.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = std::min(input.find('\n'), size);
  const std::size_t tab = std::min(input.substr(0, line_end).find('\t'), line_end);
  const std::string rules(input.substr(0, tab));
  const std::string_view items = input.substr(0, line_end).substr(std::min(tab + 1, line_end));
  const auto extractor = content::Extractor::compile(std::vector<std::string>{rules}, items);
  if (!extractor) return 0;
  CHECK(extractor->rules().size() <= content::kExtractRulesMax);
  const auto url = url::Url::parse("http://a.example/b/c?d");
  const auto found = extractor->extract(input.substr(std::min(line_end + 1, size)), {.url = &*url});
  const std::size_t rows = extractor->has_items() ? content::kExtractItemsMax : 1;
  CHECK(found.fields.size() <= rows * extractor->rules().size());
  std::size_t bytes = 0;
  for (const content::ExtractedField& field : found.fields) {
    CHECK(field.values.size() <= (field.is_list ? content::kExtractValuesMax : 1));
    for (const std::string& value : field.values) bytes += value.size();
  }
  CHECK(bytes <= content::kExtractBytesMax);
  CHECK(!content::to_json(found.fields).empty());
  return 0;
}
