#include "html/resolved_links.h"

namespace gossamer::html {

ResolvedLinks::ResolvedLinks(const LinkList& links, const url::Url& document,
                             std::optional<Encoding> encoding, std::size_t base_bytes_max)
    : links_(links), base_(document_base(document, links.base(), base_bytes_max)) {
  if (encoding) encoder_.emplace(*encoding);
}

bool ResolvedLinks::next() {
  if (next_ == links_.size()) return false;
  entry_ = links_[next_++];
  Encoder* const encoder = encoder_ ? &*encoder_ : nullptr;
  is_url_ = url_.assign(entry_.link.url, &base_, encoder) == url::UrlFailure::none;
  return true;
}

}  // namespace gossamer::html
