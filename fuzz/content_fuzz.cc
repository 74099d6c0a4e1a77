// The main content of any page is found, and its text and its Markdown are written within bounds.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "content/content_text.h"
#include "content/main_content.h"
#include "content/markdown.h"
#include "dom/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::string_view page(reinterpret_cast<const char*>(data), size);
  const dom::Document document = dom::parse(page);
  const content::MainContent main = content::find_main_content(document);
  const content::MainContent whole = {.outline = content::Outline(document),
                                      .roots = {std::uint32_t{0}}};
  const auto url = url::Url::parse("http://a.example/b/c?d");
  for (const content::MainContent* const part : {&main, &whole}) {
    if (part->outline.size() == 0) continue;
    const std::string text = content::to_text(*part, page.size());
    // A byte that stands for no character becomes the three bytes of U+FFFD. Nothing grows more.
    CHECK(text.size() <= 3 * page.size());
    const std::string markdown =
        content::to_markdown(*part, document, {.place = {.url = &*url}, .images = true});
    CHECK(markdown.empty() || markdown.ends_with('\n'));
  }
  return 0;
}
