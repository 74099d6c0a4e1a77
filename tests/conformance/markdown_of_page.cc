// Writes a page as Markdown, for the judge in the test data, which calls it like the program:
//
//   markdown_of_page inspect text (--markdown --images --base URL | --main) FILE
//
// With WHOLE_PAGE in the environment everything is content, so nothing depends on the main text.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "content/content_text.h"
#include "content/main_content.h"
#include "content/markdown.h"
#include "dom/parse.h"

namespace {

using namespace gossamer;

content::MainContent content_of(const dom::Document& document) {
  if (std::getenv("WHOLE_PAGE") == nullptr) return content::find_main_content(document);
  return {.outline = content::Outline(document), .roots = {0}};
}

}  // namespace

int main(int count, char** words) {
  bool is_markdown = false;
  bool has_images = false;
  std::string base = "https://base.example/";
  for (int i = 1; i + 1 < count; ++i) {
    const std::string_view word = words[i];
    is_markdown = is_markdown || word == "--markdown";
    has_images = has_images || word == "--images";
    if (word == "--base") base = words[i + 1];
  }
  std::ifstream file(words[count - 1], std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const dom::Document document = dom::parse(page);
  const content::MainContent main = content_of(document);
  const auto url = url::Url::parse(base);
  if (!file || !url) return 1;
  const std::string text =
      is_markdown
          ? content::to_markdown(main, document, {.place = {.url = &*url}, .images = has_images})
          : content::to_text(main, page.size());
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}
