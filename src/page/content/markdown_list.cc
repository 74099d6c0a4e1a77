#include "content/markdown_list.h"

#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "content/element_text.h"
#include "content/outline_parts.h"
#include "dom/tag_set.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

constexpr dom::TagSet kLists = {ul, ol};
constexpr dom::TagSet kNotText = {ul, ol, dl, pre, listing, xmp, table,     h1,
                                  h2, h3, h4, h5,  h6,      hr,  blockquote};

// Returns a number that Markdown can write; nothing: there is none.
std::optional<std::size_t> number_of(const dom::Node& element, std::string_view name) {
  constexpr std::size_t kDigitsMax = 6;  // Markdown has nine
  const dom::Attribute* const found = element.find(name);
  if (found == nullptr || found->value().empty() || found->value().size() > kDigitsMax) {
    return std::nullopt;
  }
  std::size_t number = 0;
  for (const char c : found->value()) {
    if (!base::is_digit(c)) return std::nullopt;
    number = number * 10 + static_cast<std::size_t>(c - '0');
  }
  return number;
}

bool has_ink(const dom::Node& text) { return text_size(text.text()).bytes > 0; }

// Returns whether an item is text or one paragraph, then lists.
bool is_close_item(const Outline& outline, std::uint32_t item) {
  std::size_t texts = 0;
  bool is_in_text = false;
  bool has_list = false;
  bool is_close = true;
  const auto add_text = [&] {
    if (!is_in_text) ++texts;
    is_in_text = true;
    if (has_list) is_close = false;
  };
  for_each_part(
      outline, {.node = outline[item].node, .at = item},
      [&](const dom::Node& text) {
        if (has_ink(text)) add_text();
      },
      [&](Part child) {
        if (!child.is_listed() || outline[child.at].all.text == 0) return;
        if (kLists.has(child.node->tag())) {
          has_list = true;
          is_in_text = false;
          return;
        }
        const std::uint32_t blocks = outline[child.at].all.blocks;
        if (blocks > 1) is_close = false;
        if (blocks > 0) is_in_text = false;
        add_text();
        if (blocks > 0) is_in_text = false;
      });
  return is_close && texts <= 1;
}

}  // namespace

bool is_tight_list(const Outline& outline, std::uint32_t at) {
  if (outline[at].all.paragraphs == 0) return true;
  bool is_tight = true;
  for_each_part(
      outline, {.node = outline[at].node, .at = at}, [](const dom::Node&) {},
      [&](Part child) {
        if (!child.is_listed() || outline[child.at].all.paragraphs == 0) return;
        is_tight = is_tight && (!child.node->is(li) || is_close_item(outline, child.at));
      });
  return is_tight;
}

bool begins_with_text(const Outline& outline, std::uint32_t at) {
  std::optional<bool> answer;
  for_each_part(
      outline, {.node = outline[at].node, .at = at},
      [&](const dom::Node& text) {
        if (!answer && has_ink(text)) answer = true;
      },
      [&](Part child) {
        if (answer || !child.is_listed() || outline[child.at].all.text == 0) return;
        const bool is_inline = outline[child.at].all.blocks == 0;
        if (is_inline) answer = true;
        if (!answer && kNotText.has(child.node->tag())) answer = false;
        if (!answer) answer = begins_with_text(outline, child.at);
      });
  return answer.value_or(false);
}

ListNumbers::ListNumbers(const Outline& outline, std::uint32_t list) {
  const dom::Node& node = *outline[list].node;
  is_reversed_ = node.is(ol) && node.find("reversed") != nullptr;
  if (is_reversed_) {
    next_ = 0;
    for_each_part(
        outline, {.node = &node, .at = list}, [](const dom::Node&) {},
        [this](Part child) { next_ += child.node->is(li) ? 1 : 0; });
  }
  next_ = number_of(node, "start").value_or(next_);
}

bool ListNumbers::begin_item(const dom::Node* item) {
  const std::size_t counted = number_ + 1;
  number_ = next_;
  if (item != nullptr && item->is(li)) number_ = number_of(*item, "value").value_or(next_);
  next_ = is_reversed_ ? (number_ == 0 ? 0 : number_ - 1) : number_ + 1;
  return !std::exchange(is_first_, false) && number_ != counted;
}

}  // namespace gossamer::content
