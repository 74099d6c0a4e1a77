// Any page has metadata within its bounds, and its JSON-LD and microdata are JSON again. The first
// line is also read as JSON-LD alone.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/json_value.h"
#include "content/language.h"
#include "content/metadata.h"
#include "content/structured_data.h"
#include "dom/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view line = input.substr(0, std::min(input.find('\n'), size));
  if (const auto value = content::parse_json_ld(line)) {
    content::StructuredFacts facts;
    facts.add(*value);
    CHECK(facts.published.size() <= 256 && facts.modified.size() <= 256);
  }
  const auto url = url::Url::parse("http://a.example/b/c?d");
  const std::string page(input);
  const content::Metadata found = content::read_metadata(dom::parse(page), {.url = &*url});
  for (const std::string* const list : {&found.json_ld, &found.microdata}) {
    if (list->empty()) continue;
    const auto again = base::parse_json(*list);
    // The list around the values is one level more.
    CHECK(again.has_value() || again.error() == Errc::over_limit);
  }
  for (const std::string* const text :
       {&found.language, &found.canonical, &found.description, &found.author, &found.published}) {
    CHECK(text->size() <= 8192);
  }
  CHECK(found.headings.size() <= content::kMetadataEntriesMax);
  CHECK(found.images_without_alt <= found.images);
  CHECK(content::detect_language(input).size() <= 2);
  CHECK(!content::to_json(found.open_graph).empty());
  return 0;
}
