#include "html/resource_reader.h"

#include "html/links/manifest_urls.h"

namespace gossamer::html {

bool CssReader::read(std::string_view text, std::size_t bytes) {
  if (!urls_) {
    if (!CssUrls::may_have_urls(text)) return true;
    urls_.emplace(text);
  }
  const std::size_t begin = urls_->end();
  while (!urls_->is_over() && urls_->end() - begin < bytes) {
    if (!urls_->next(bytes)) continue;
    consumer_.link({.kind = urls_->is_import() ? LinkKind::style : LinkKind::asset,
                    .tag = TagId::style,
                    .url = urls_->url()});
  }
  if (!urls_->is_over()) return false;
  urls_.reset();
  return true;
}

bool ManifestReader::read(std::string_view text, std::size_t) {
  for (const ManifestUrl& found : manifest_urls(text)) {
    if (found.is_page) continue;
    consumer_.link({.kind = LinkKind::image,
                    .tag = TagId::link,
                    .attribute = AttributeId::src,
                    .url = found.url});
  }
  return true;
}

bool ScriptReader::read(std::string_view text, std::size_t bytes) {
  if (!urls_) urls_.emplace(text);
  const std::size_t begin = urls_->end();
  while (!urls_->is_over() && urls_->end() - begin < bytes) {
    if (!urls_->next(bytes)) continue;
    consumer_.link({.kind = LinkKind::other, .tag = TagId::script, .url = urls_->url()});
  }
  if (!urls_->is_over()) return false;
  urls_.reset();
  return true;
}

}  // namespace gossamer::html
