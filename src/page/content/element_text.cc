#include "content/element_text.h"

#include "dom/tag_set.h"
#include "html/token/ascii.h"
#include "html/token/collapse.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

constexpr dom::TagSet kBlocks = {
    address, article, aside,  blockquote, body,   br,        caption,  center, dd,
    details, dialog,  dir,    div,        dl,     dt,        fieldset, figure, figcaption,
    footer,  form,    h1,     h2,         h3,     h4,        h5,       h6,     header,
    hgroup,  hr,      html,   iframe,     legend, li,        listing,  main,   menu,
    nav,     ol,      option, optgroup,   p,      plaintext, pre,      search, section,
    select,  summary, table,  tbody,      td,     textarea,  tfoot,    th,     thead,
    tr,      ul,      xmp};
constexpr dom::TagSet kHidden = {script, style, template_, noframes};

// Appends a space if text may follow on another line.
void separate(std::string& text) {
  if (!text.empty() && text.back() != ' ') text += ' ';
}

}  // namespace

bool is_block(const dom::Node& element) noexcept {
  return element.is_element() && element.space() == dom::Space::html && kBlocks.has(element.tag());
}

bool is_empty_noscript(const dom::Node& element) noexcept {
  // A notice that the page needs scripts is shorter.
  constexpr std::size_t kTextBytesMin = 400;
  if (!element.is(noscript)) return false;
  std::size_t bytes = 0;
  const dom::Node* node = &element;
  while (node != nullptr && bytes < kTextBytesMin) {
    if (node->is_text()) bytes += html::trimmed(node->text()).size();
    const bool is_hidden = node->is_element() && kHidden.has(node->tag());
    node = is_hidden ? dom::next_after(element, *node) : dom::next_in(element, *node);
  }
  return bytes < kTextBytesMin;
}

ElementText element_text(const dom::Node& element, std::size_t bytes_max, std::size_t& work_max) {
  ElementText result;
  std::string& text = result.text;
  const dom::Node* node = &element;
  std::size_t level = 0;  // of `node` below the element
  while (node != nullptr) {
    const std::size_t work = 1 + (node->is_text() ? node->text().size() / 8 : 0);
    if (work > work_max || text.size() > bytes_max) {
      result.is_truncated = true;
      break;
    }
    work_max -= work;
    const bool is_left_out = node != &element && node->is_element() &&
                             (kHidden.has(node->tag()) || is_empty_noscript(*node));
    if (node->is_text()) html::append_collapsed(text, node->text());
    if (is_block(*node)) separate(text);
    const dom::Node* const child = is_left_out ? nullptr : node->first_child();
    if (child != nullptr && child->kind() != dom::Kind::content) {
      node = child;
      ++level;
      continue;
    }
    while (level > 0 && node->next() == nullptr) {
      node = node->parent();
      --level;
      if (is_block(*node)) separate(text);
    }
    node = level == 0 ? nullptr : node->next();
  }
  if (text.starts_with(' ')) text.erase(0, 1);
  if (text.size() > bytes_max) {
    html::cut_utf8(text, bytes_max);
    result.is_truncated = true;
  }
  if (text.ends_with(' ')) text.pop_back();
  return result;
}

}  // namespace gossamer::content
