#include "content/page_shape.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/ascii.h"
#include "html/token/ascii.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

constexpr std::size_t kLongTextBytes = 120;
constexpr std::size_t kPriceBytesMax = 60;

constexpr auto kCurrencies =
    std::to_array<std::string_view>({"$", "\u20AC", "\u00A3", "\u00A5", "\u20B9", "\u20BD", "USD",
                                     "EUR", "GBP", "CHF", "kr", "z\u0142", "Rs"});

// Skips spaces, also those that do not break.
std::string_view after_spaces(std::string_view text) {
  while (!text.empty() && std::string_view(" \xC2\xA0").contains(text.front())) {
    text.remove_prefix(1);
  }
  return text;
}
std::string_view before_spaces(std::string_view text) {
  while (!text.empty() && std::string_view(" \xC2\xA0").contains(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

// "$ 12.50", "12 kr".
bool is_price(std::string_view text) {
  return std::ranges::any_of(kCurrencies, [text](std::string_view currency) {
    const std::size_t at = text.find(currency);
    if (at == std::string_view::npos) return false;
    const std::string_view after = after_spaces(text.substr(at + currency.size()));
    const std::string_view before = before_spaces(text.substr(0, at));
    return (!after.empty() && base::is_digit(after.front())) ||
           (!before.empty() && base::is_digit(before.back()));
  });
}

class ShapeWalk {
 public:
  explicit ShapeWalk(const dom::Document& document) : root_(document.root()) {}

  PageShape run() {
    for (const dom::Node* node = &root_; node != nullptr;) {
      if (node == after_link_) after_link_ = nullptr;
      if (node == after_heading_) after_heading_ = nullptr;
      if (node->is(script) || node->is(style)) {
        node = dom::next_after(root_, *node);
        continue;
      }
      if (node->is_text()) visit_text(html::trimmed(node->text()));
      if (node->is_element()) visit(*node);
      node = dom::next_in(root_, *node);
    }
    return shape_;
  }

 private:
  void visit_text(std::string_view text) {
    shape_.text += text.size();
    if (after_link_ != nullptr) shape_.link_text += text.size();
    if (text.size() < kPriceBytesMax && is_price(text)) ++shape_.prices;
    if (text.size() > kLongTextBytes && after_link_ == nullptr) ++shape_.long_texts;
  }
  void visit(const dom::Node& element) {
    if (element.is(pre)) ++shape_.code_blocks;
    if (element.is(h2) || element.is(h3) || element.is(h4)) {
      ++shape_.headings;
      after_heading_ = after(element);
      is_counted_ = after_link_ != nullptr;
      if (is_counted_) ++shape_.linked_headings;
    }
    if (!element.is(a)) return;
    if (after_link_ == nullptr) after_link_ = after(element);
    const std::string_view href = element.value(html::AttributeId::href);
    if (after_heading_ == nullptr || is_counted_ || href.empty() || href.starts_with('#')) return;
    is_counted_ = true;
    ++shape_.linked_headings;
  }
  // The first node that is not in the element; at the end of the page, one that never comes.
  const dom::Node* after(const dom::Node& element) const {
    const dom::Node* const next = dom::next_after(root_, element);
    return next == nullptr ? &root_ : next;
  }

  const dom::Node& root_;
  const dom::Node* after_link_ = nullptr;     // nullptr: not in a link
  const dom::Node* after_heading_ = nullptr;  // nullptr: not in a heading
  bool is_counted_ = false;                   // the heading is known to be a link
  PageShape shape_;
};

}  // namespace

PageShape measure_shape(const dom::Document& document) { return ShapeWalk(document).run(); }

}  // namespace gossamer::content
