#include "html/link_list.h"

namespace gossamer::html {

void LinkList::link(const Link& link) {
  Stored stored = {.link = link, .url_begin = texts_.size()};
  texts_.append(link.url);
  stored.rel_begin = texts_.size();
  texts_.append(link.rel_text);
  stored.rel_end = stored.text_begin = stored.text_end = texts_.size();
  entries_.push_back(stored);
  if (link.tag == TagId::a) anchor_ = entries_.size();
}

void LinkList::anchor_text(std::string_view text) {
  if (anchor_ == 0) return;
  Stored& stored = entries_[anchor_ - 1];
  stored.text_begin = texts_.size();
  texts_.append(text);
  stored.text_end = texts_.size();
  anchor_ = 0;
}

LinkList::Entry LinkList::operator[](std::size_t index) const noexcept {
  const Stored& stored = entries_[index];
  const std::string_view all = texts_;
  Entry entry;
  entry.link = stored.link;
  entry.link.url = all.substr(stored.url_begin, stored.rel_begin - stored.url_begin);
  entry.link.rel_text = all.substr(stored.rel_begin, stored.rel_end - stored.rel_begin);
  entry.text = all.substr(stored.text_begin, stored.text_end - stored.text_begin);
  return entry;
}

void LinkList::clear() noexcept {
  entries_.clear();
  texts_.clear();
  base_.reset();
  anchor_ = 0;
}

url::Url document_base(const url::Url& document, const std::optional<std::string>& base_href) {
  url::Url base;
  if (!base_href || base.assign(*base_href, &document) != url::UrlFailure::none) return document;
  if (base.scheme() == "data" || base.scheme() == "javascript") return document;
  return base;
}

}  // namespace gossamer::html
