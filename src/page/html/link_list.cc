#include "html/link_list.h"

namespace gossamer::html {

void LinkList::link(const Link& link) {
  entries_.push_back({.kind = link.kind,
                      .tag = link.tag,
                      .attribute = link.attribute,
                      .is_foreign = link.is_foreign,
                      .rel = link.rel,
                      .url_begin = texts_.size(),
                      .url_bytes = static_cast<std::uint32_t>(link.url.size()),
                      .rel_bytes = static_cast<std::uint32_t>(link.rel_text.size()),
                      .text_begin = 0,
                      .text_bytes = 0});
  texts_.append(link.url);
  if (!link.rel_text.empty()) texts_.append(link.rel_text);
  if (link.tag == TagId::a) anchor_ = entries_.size();
}

void LinkList::anchor_text(std::string_view text) {
  if (anchor_ == 0) return;
  Stored& stored = entries_[anchor_ - 1];
  stored.text_begin = texts_.size();
  stored.text_bytes = static_cast<std::uint32_t>(text.size());
  texts_.append(text);
  anchor_ = 0;
}

void LinkList::clear() noexcept {
  entries_.clear();
  texts_.clear();
  base_.reset();
  anchor_ = 0;
}

url::Url document_base(const url::Url& document, const std::optional<std::string>& base_href,
                       std::size_t bytes_max) {
  url::Url base;
  if (!base_href || base.assign(*base_href, &document) != url::UrlFailure::none) return document;
  if (base.scheme() == "data" || base.scheme() == "javascript") return document;
  return base.href().size() > bytes_max ? document : base;
}

}  // namespace gossamer::html
