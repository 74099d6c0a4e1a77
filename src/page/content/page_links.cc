#include "content/page_links.h"

#include <utility>

#include "html/link_list.h"

namespace gossamer::content {
namespace {

std::optional<std::string> base_href(const dom::Document& document) {
  if (!document.may_have_base()) return std::nullopt;
  const dom::Node& root = document.root();
  for (const dom::Node* node = &root; node != nullptr; node = dom::next_in(root, *node)) {
    if (!node->is(html::TagId::base)) continue;
    if (const dom::Attribute* const href = node->find(html::AttributeId::href)) {
      return std::string(href->value());
    }
  }
  return std::nullopt;
}

}  // namespace

const url::Url* PageLinks::resolve(std::string_view reference) {
  if (!base_) base_ = find_base();
  const url::Url* const base = base_->empty() ? nullptr : &*base_;
  return url_.assign(reference, base, &encoder_) == url::UrlFailure::none ? &url_ : nullptr;
}

url::Url PageLinks::find_base() const {
  const auto href = base_href(document_);
  if (place_.url != nullptr) return html::document_base(*place_.url, href);
  // Each link is resolved against it, so it must not be long.
  if (!href || href->size() > html::kBaseBytesMax) return {};
  auto base = url::Url::parse(*href);
  return base ? std::move(*base) : url::Url();
}

}  // namespace gossamer::content
