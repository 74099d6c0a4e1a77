#include "html/resource_reader.h"

#include "html/css_urls.h"
#include "html/script_urls.h"

namespace gossamer::html {

void CssReader::read(std::string_view text) {
  if (!CssUrls::may_have_urls(text)) return;
  CssUrls urls(text);
  while (urls.next()) {
    consumer_.link({.kind = urls.is_import() ? LinkKind::style : LinkKind::asset,
                    .tag = TagId::style,
                    .url = urls.url()});
  }
}

void ScriptReader::read(std::string_view text) {
  ScriptUrls urls(text);
  while (urls.next()) {
    consumer_.link({.kind = LinkKind::other, .tag = TagId::script, .url = urls.url()});
  }
}

}  // namespace gossamer::html
