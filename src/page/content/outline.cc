#include "content/outline.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "content/byte_tally.h"
#include "content/element_text.h"
#include "content/find_outside.h"
#include "dom/tag_set.h"
#include "html/token/ascii.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

constexpr dom::TagSet kNeverText = {
    script,   style,    template_, iframe, object, embed,  applet,     button,   select,
    input,    textarea, option,    nav,    menu,   dialog, figcaption, frameset, noembed,
    noframes, video,    audio,     head,   search, rt,     rp,         rtc};
// Their names are about letters and words: what they hold is part of a sentence.
constexpr dom::TagSet kInline = {b,     big,  code,   em,     font, i,   nobr, q, s,
                                 small, span, strike, strong, sub,  sup, tt,   u, var};
constexpr dom::TagSet kHeadings = {h1, h2, h3, h4, h5, h6};
constexpr dom::TagSet kCountedApart = {a, ul, ol, h1, h2, h3, h4, h5, h6};
constexpr dom::TagSet kInputs = {input, textarea, select, button};

constexpr auto kExtraRoles = std::to_array<std::string_view>(
    {"navigation", "complementary", "menu", "menubar", "alert", "alertdialog", "dialog", "search",
     "contentinfo", "banner", "tablist", "toolbar"});

// A property of a style attribute with a word as its value. The last declaration applies, or the
// last important one.
struct StyleWord {
  std::string_view property;
  std::string_view value = {};
  bool is_important = false;

  void read(std::string_view name, std::string_view word) {
    if (!html::equals_ignoring_case(name, property)) return;
    constexpr std::string_view kImportant = "important";
    const std::size_t mark = word.rfind('!');
    const bool has_mark =
        mark != std::string_view::npos &&
        html::equals_ignoring_case(html::trimmed(word.substr(mark + 1)), kImportant);
    if (is_important && !has_mark) return;
    is_important = has_mark;
    value = html::trimmed(word.substr(0, has_mark ? mark : word.size()));
  }
  bool is(std::string_view word) const { return html::equals_ignoring_case(value, word); }
};

std::string without_comments(std::string_view style) {
  std::string out;
  for (std::size_t at = 0; at < style.size();) {
    const std::size_t begin = std::min(style.find("/*", at), style.size());
    out.append(style.substr(at, begin - at)).append(" ");
    const std::size_t end = style.find("*/", std::min(begin + 2, style.size()));
    at = end == std::string_view::npos ? style.size() : end + 2;
  }
  return out;
}

bool is_hidden_by_style(std::string_view style) {
  std::string plain;
  if (style.contains("/*")) style = plain = without_comments(style);
  StyleWord display = {.property = "display"};
  StyleWord visibility = {.property = "visibility"};
  while (!style.empty()) {
    const std::size_t end = find_outside(style, ';');
    const std::string_view declaration = style.substr(0, end);
    style.remove_prefix(std::min(end + 1, style.size()));
    const std::size_t colon = declaration.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view name = html::trimmed(declaration.substr(0, colon));
    const std::string_view value = html::trimmed(declaration.substr(colon + 1));
    display.read(name, value);
    visibility.read(name, value);
  }
  return display.is("none") || visibility.is("hidden") || visibility.is("collapse");
}

// What the attributes of an element say about its contents.
struct AttributeNotes {
  NameHints hints;
  bool is_hidden = false;
  bool has_extra_role = false;
  bool has_property = false;
};

// Returns whether a script of React moves the element to its place and shows it: a part of the page
// that the server sent when it was ready.
bool is_streamed(const dom::Node& element) {
  constexpr std::string_view kPrefix = "S:";
  const dom::Attribute* const id = element.find("id");
  return id != nullptr && id->value().starts_with(kPrefix) &&
         std::ranges::all_of(id->value().substr(kPrefix.size()),
                             [](char c) { return base::hex_value(c) >= 0; });
}

AttributeNotes read_attributes(const dom::Node& element, NameReader& names) {
  constexpr std::size_t kStyleBytesMax = 1024;
  AttributeNotes notes;
  const bool has_hints = element.space() == dom::Space::html && !kInline.has(element.tag());
  for (const dom::Attribute& attribute : element.attributes()) {
    if (attribute.id() == html::AttributeId::style) {
      if (is_hidden_by_style(attribute.value().substr(0, kStyleBytesMax))) notes.is_hidden = true;
    }
    if (attribute.id() == html::AttributeId::itemprop) notes.has_property = true;
    if (attribute.id() != html::AttributeId::other) continue;
    const std::string_view name = attribute.name();
    if (name == "class" || name == "id") {
      if (has_hints) names.add_hints(attribute.value(), notes.hints);
    } else if (name == "hidden") {
      notes.is_hidden = notes.is_hidden || !is_streamed(element);
    } else if (name == "aria-hidden") {
      notes.is_hidden = notes.is_hidden || attribute.value() == "true";
    } else if (name == "role") {
      notes.has_extra_role = std::ranges::count(kExtraRoles, attribute.value()) > 0;
    }
  }
  return notes;
}

// Names are not believed for the elements that hold a page.
constexpr dom::TagSet kNeverExtra = {body, a, main, article, td, tr, tbody, code, h1, p};
bool may_be_extra(const OutlineItem& item) { return !item.is_html || !kNeverExtra.has(item.tag); }

Counts counts_of_element(const dom::Node& element) {
  Counts counts;
  if (element.space() != dom::Space::html) return counts;
  const html::TagId tag = element.tag();
  counts.paragraphs = tag == p ? 1 : 0;
  counts.items = tag == li ? 1 : 0;
  counts.images = tag == img ? 1 : 0;
  counts.blocks = is_block(element) && tag != br ? 1 : 0;
  return counts;
}

// Counts what a left out element tells about its surroundings.
void count_left_out(const dom::Node& element, Counts& counts) {
  if (kInputs.has(element.tag())) {
    const std::string_view type = element.value(html::AttributeId::type);
    counts.inputs += type == "hidden" ? 0 : 1;
  }
}

// Counts the commas of Arabic, Chinese and Japanese.
std::uint32_t foreign_commas(std::string_view text) noexcept {
  std::uint32_t commas = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (static_cast<unsigned char>(text[at]) < 0x80) continue;
    const std::string_view rest = text.substr(at, 3);
    if (rest.starts_with("\xD8\x8C") || rest == "\xEF\xBC\x8C" || rest == "\xE3\x80\x81") ++commas;
  }
  return commas;
}

// Links within a page count less: they are often footnotes.
std::uint32_t as_link_text(const dom::Node& link, std::uint32_t bytes) {
  const std::string_view href = link.value(html::AttributeId::href);
  return href.starts_with('#') ? bytes / 3 : bytes;
}

}  // namespace

Counts& Counts::operator+=(const Counts& other) noexcept {
  text += other.text;
  link_text += other.link_text;
  commas += other.commas;
  headings += other.headings;
  lists += other.lists;
  paragraphs += other.paragraphs;
  items += other.items;
  images += other.images;
  inputs += other.inputs;
  blocks += other.blocks;
  return *this;
}

double Counts::link_density() const noexcept {
  return text == 0 ? 0 : static_cast<double>(link_text) / text;
}

TextSize text_size(std::string_view text) noexcept {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  TextSize size;
  Bytes seen = {};
  Masks last = {};
  const std::string_view all = text;
  while (!text.empty()) {
    const std::string_view some = text.substr(0, Tally::kMax * kBytesTogether);
    text.remove_prefix(some.size());
    Tally bytes_of_text;
    Tally commas;
    for (std::size_t at = 0; at < some.size(); at += kBytesTogether) {
      // White space counts once, after ink; beyond the end, nothing does.
      const std::size_t left = some.size() - at;
      const Bytes bytes = bytes_at(some, at);
      const Masks is_ink = bytes > ' ';
      Masks is_counted = is_ink | bytes_before(last, is_ink);
      if (left < kBytesTogether) is_counted &= first_bytes(left);
      last = is_ink;
      bytes_of_text.add(is_counted);
      commas.add(bytes == ',');
      seen |= bytes;
    }
    size.bytes += bytes_of_text.take();
    size.commas += commas.take();
  }
  if (has_foreign(seen)) size.commas += foreign_commas(all);
  return size;
}

Outline::Outline(const dom::Document& document) {
  const dom::Node& root = document.root();
  const dom::Node* node = &root;
  while (node != nullptr && !node->is(body)) node = dom::next_in(root, *node);
  if (node == nullptr) return;
  // About every second node is an element.
  items_.reserve(std::min(document.node_count() / 2 + 1, kOutlineItemsMax));
  add_elements(*node);
}

Outline::Outline(const dom::Node& element) { add_elements(element); }

void Outline::add_elements(const dom::Node& top) {
  std::uint32_t open = kNoItem;  // the item whose children come next
  NameReader names;
  const dom::Node* node = &top;
  while (node != nullptr) {
    while (open != kNoItem && node->parent() != items_[open].node) {
      items_[open].end = static_cast<std::uint32_t>(items_.size());
      open = items_[open].parent;
    }
    if (node->is_text() && open != kNoItem) {
      const TextSize size = text_size(node->text());
      items_[open].own.text += size.bytes;
      items_[open].own.commas += size.commas;
    }
    if (!node->is_element()) {
      node = dom::next_in(top, *node);
      continue;
    }
    if (items_.size() == kOutlineItemsMax) {
      is_truncated_ = true;
      break;
    }
    const bool is_never_text =
        node != &top && (node->space() == dom::Space::svg || kNeverText.has(node->tag()) ||
                         is_empty_noscript(*node));
    const AttributeNotes notes = is_never_text ? AttributeNotes() : read_attributes(*node, names);
    if (is_never_text || (node != &top && notes.is_hidden)) {
      if (open != kNoItem) count_left_out(*node, items_[open].own);
      node = dom::next_after(top, *node);
      continue;
    }
    const std::uint32_t parent = std::exchange(open, static_cast<std::uint32_t>(items_.size()));
    items_.push_back({.node = node,
                      .parent = parent,
                      .own = counts_of_element(*node),
                      .hints = notes.hints,
                      .tag = node->tag(),
                      .is_html = node->space() == dom::Space::html,
                      .has_extra_role = notes.has_extra_role,
                      .has_property = notes.has_property});
    node = dom::next_in(top, *node);
  }
  for (; open != kNoItem; open = items_[open].parent) {
    items_[open].end = static_cast<std::uint32_t>(items_.size());
  }
  count_all();
}

void Outline::drop_extras() {
  if (items_.empty()) return;
  const std::uint32_t text = items_[0].all.text;
  prune(0, [this, text](std::uint32_t at) {
    const OutlineItem& item = items_[at];
    const bool is_extra = (item.hints.is_extra && !item.hints.is_content) || item.has_extra_role ||
                          item.is(aside) || item.is(footer);
    if (!is_extra || !may_be_extra(item)) return false;
    return item.hints.is_comment || item.all.text * 2 < text;
  });
}

void Outline::restore() {
  for (std::uint32_t at = static_cast<std::uint32_t>(items_.size()); at-- > 0;) {
    OutlineItem& item = items_[at];
    item.is_kept = true;
    item.is_stale = false;
    if (!item.is_changed) continue;
    count_again(at);
    item.is_changed = false;
  }
}

void Outline::keep_text_of(const std::vector<bool>& is_chosen) {
  std::vector<bool> has_text(items_.size());  // of its own or below
  for (std::size_t at = items_.size(); at-- > 0;) {
    OutlineItem& item = items_[at];
    const bool is_inline = item.all.blocks == 0;
    if (is_chosen[at]) has_text[at] = true;
    if (!is_inline && !is_chosen[at]) {
      item.drops_text = true;
      item.own.text = 0;
      item.own.commas = 0;
    }
    if (has_text[at] && item.parent != kNoItem) has_text[item.parent] = true;
  }
  for (std::size_t at = 1; at < items_.size(); ++at) {
    OutlineItem& item = items_[at];
    const OutlineItem& around = items_[item.parent];
    if (!around.is_kept) {
      item.is_kept = false;
    } else if (item.all.blocks == 0) {
      item.is_kept = !around.drops_text || item.all.text == 0;
    } else {
      const bool is_cell = item.is(td) || item.is(th);
      item.is_kept = has_text[at] || item.all.text == 0 || is_cell;
    }
  }
  count_all();
}

void Outline::count_all() noexcept {
  for (OutlineItem& item : items_) item.all = item.own;
  for (std::uint32_t at = static_cast<std::uint32_t>(items_.size()); at-- > 1;) {
    if (items_[at].is_kept) add_to_parent(at);
  }
}

void Outline::count_again(std::uint32_t at) noexcept {
  OutlineItem& item = items_[at];
  item.is_stale = false;
  item.is_changed = true;
  item.all = item.own;
  for (std::uint32_t child = at + 1; child < item.end; child = items_[child].end) {
    if (items_[child].is_kept) add_to_parent(child);
  }
}

void Outline::add_to_parent(std::uint32_t at) noexcept {
  const OutlineItem& item = items_[at];
  const Counts& all = item.all;
  Counts& parent = items_[item.parent].all;
  parent += all;
  if (!item.is_html || !kCountedApart.has(item.tag)) return;
  if (item.tag == a) parent.link_text += as_link_text(*item.node, all.text) - all.link_text;
  if (kHeadings.has(item.tag)) parent.headings += all.text - all.headings;
  if (item.tag == ul || item.tag == ol) parent.lists += all.text - all.lists;
}

// What is below an element that was left out is left out, too.
void Outline::drop_below(std::uint32_t root) noexcept {
  for (std::uint32_t at = root + 1; at < items_[root].end; ++at) {
    if (!items_[items_[at].parent].is_kept) items_[at].is_kept = false;
  }
}

}  // namespace gossamer::content
