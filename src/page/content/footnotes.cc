#include "content/footnotes.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "content/element_text.h"
#include "content/markdown_elements.h"
#include "dom/tag_set.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

// BOUND: a larger element is no note.
constexpr std::uint32_t kNoteBytesMax = 4096;
constexpr std::uint32_t kNoteItemsMax = 256;
constexpr std::size_t kLabelBytesMax = 12;

constexpr dom::TagSet kNotInNotes = {pre, table, ul, ol, dl, blockquote, h1,
                                     h2,  h3,    h4, h5, h6, hr};
// Their texts are written in one line.
constexpr dom::TagSet kLines = {td, th, pre, p, a, dt, caption, h1, h2, h3, h4, h5, h6};

std::string_view value_of(const dom::Node& node, std::string_view name) {
  const dom::Attribute* const attribute = node.find(name);
  return attribute == nullptr ? std::string_view() : attribute->value();
}

// Returns the fragment of a link within its page; empty: it is none.
std::string_view fragment_of(const dom::Node& link) {
  const std::string_view href = link.value(html::AttributeId::href);
  return href.starts_with('#') ? href.substr(1) : std::string_view();
}

bool is_noted_name(std::string_view names) {
  if (names.contains("back") || names.contains("return")) return false;
  return names.starts_with("footnote") || names.contains(" footnote") || names.contains("fnref") ||
         names.contains("noteref") || names.contains("footref") ||
         names == "reference";  // MediaWiki
}

bool says_note(const dom::Node& element) {
  return value_of(element, "role") == "doc-noteref" ||
         value_of(element, "epub:type").contains("noteref") ||
         is_noted_name(value_of(element, "class"));
}

bool is_parent_sup(const dom::Node& link) {
  return link.parent() != nullptr && link.parent()->is(sup);
}

// Returns the text of a link without brackets.
std::string note_label_of(const dom::Node& link) {
  std::size_t work = 64;
  const std::string text = element_text(link, 32, work).text;
  std::string label;
  for (const char c : text) {
    if (!std::string_view("[]()^ ").contains(c)) label += c;
  }
  return label;
}

void add_names(const dom::Node& element, std::vector<std::string_view>& names) {
  for (const std::string_view name : {"id", "name"}) {
    if (const std::string_view value = value_of(element, name); !value.empty()) {
      names.push_back(value);
    }
  }
}

// The names under which a note can link back.
std::vector<std::string_view> names_of_link(const dom::Node& link) {
  std::vector<std::string_view> names;
  add_names(link, names);
  if (is_parent_sup(link)) add_names(*link.parent(), names);
  return names;
}

}  // namespace

bool is_note_label(const dom::Node& element) {
  return has_class(element, "mw-cite-backlink") || has_class(element, "fn-bracket") ||
         has_class(element, "label") || has_class(element, "footnote-backref") ||
         value_of(element, "role") == "doc-backlink";
}

Footnotes::Footnotes(const MainContent& content)
    : outline_(content.outline), roots_(content.roots) {
  const std::vector<Link> links = find_links();
  if (links.empty()) return;
  const Places targets = find_targets(links);
  for (const Link& link : links) {
    const auto target = targets.find(link.target);
    if (target != targets.end()) add(link, target->second);
  }
}

std::vector<Footnotes::Link> Footnotes::find_links() const {
  std::vector<Link> links;
  for (const std::uint32_t root : roots_) {
    for (std::uint32_t at = root; at < outline_[root].end; ++at) {
      const OutlineItem& item = outline_[at];
      if (!item.node->is(a) || !item.is_kept || item.all.text > 32) continue;
      const std::string_view target = fragment_of(*item.node);
      if (target.empty()) continue;
      const bool is_noted =
          says_note(*item.node) || (is_parent_sup(*item.node) && says_note(*item.node->parent()));
      if (is_noted) links.push_back({at, target});
    }
  }
  return links;
}

Footnotes::Places Footnotes::find_targets(const std::vector<Link>& links) const {
  std::unordered_set<std::string_view> wanted;
  for (const Link& link : links) wanted.insert(link.target);
  Places targets;
  for (std::uint32_t at = 0; at < outline_.size(); ++at) {
    const OutlineItem& item = outline_[at];
    if (!item.is_kept) continue;
    std::string_view name = value_of(*item.node, "id");
    if (name.empty() && item.node->is(a)) name = value_of(*item.node, "name");
    if (!name.empty() && wanted.contains(name)) targets.emplace(name, at);
  }
  return targets;
}

// Returns the block that an element is or begins.
std::uint32_t Footnotes::block_of(std::uint32_t at) const {
  constexpr int kLevelsMax = 4;
  for (int i = 0; i < kLevelsMax && at != kNoItem; ++i, at = outline_[at].parent) {
    const dom::Node& node = *outline_[at].node;
    if (node.is(body)) return kNoItem;
    if (is_block(node)) return at;
  }
  return kNoItem;
}

// The text of a term is in what follows it.
std::uint32_t Footnotes::body_of(std::uint32_t block) const {
  if (!outline_[block].node->is(dt)) return block;
  const std::uint32_t next = outline_[block].end;
  const bool is_text = next < outline_.size() && outline_[next].node->is(dd) &&
                       outline_[next].is_kept && outline_[next].parent == outline_[block].parent;
  return is_text ? next : kNoItem;
}

// Returns whether the element is written as a block of its own.
bool Footnotes::is_written(std::uint32_t block) const {
  const auto next = std::ranges::upper_bound(roots_, block);
  if (next == roots_.begin() || block >= outline_[*std::prev(next)].end) return false;
  if (block == *std::prev(next)) return false;
  for (std::uint32_t at = outline_[block].parent; at != kNoItem; at = outline_[at].parent) {
    if (kLines.has(outline_[at].node->tag()) || references_.contains(at)) return false;
    if (definitions_.contains(at)) return false;
  }
  return true;
}

bool Footnotes::is_simple(std::uint32_t body) const {
  const OutlineItem& item = outline_[body];
  if (item.all.text == 0 || item.all.text > kNoteBytesMax) return false;
  if (item.end - body > kNoteItemsMax) return false;
  for (std::uint32_t at = body + 1; at < item.end; ++at) {
    if (outline_[at].is_kept && kNotInNotes.has(outline_[at].node->tag())) return false;
    if (definitions_.contains(at)) return false;
  }
  return true;
}

std::string Footnotes::label_for(std::uint32_t link) {
  std::string label = note_label_of(*outline_[link].node);
  const bool is_good =
      !label.empty() && label.size() <= kLabelBytesMax &&
      std::ranges::all_of(label, [](char c) { return base::is_letter(c) || base::is_digit(c); });
  if (!is_good) label = std::to_string(notes_.size() + 1);
  while (!labels_.insert(label).second) label += "-" + std::to_string(notes_.size() + 1);
  return label;
}

void Footnotes::add(const Link& link, std::uint32_t target) {
  const std::uint32_t block = block_of(target);
  if (block == kNoItem || block < link.at) return;
  auto known = definitions_.find(block);
  if (known == definitions_.end()) {
    const std::uint32_t body = body_of(block);
    if (rejected_.contains(block)) return;
    if (body == kNoItem || !is_simple(body) || !is_written(block)) {
      rejected_.insert(block);
      return;
    }
    known = definitions_.emplace(block, notes_.size()).first;
    notes_.push_back({.label = label_for(link.at), .body = body});
  }
  references_.emplace(link.at, known->second);
  const std::vector<std::string_view> names = names_of_link(*outline_[link.at].node);
  notes_[known->second].backs.insert(names.begin(), names.end());
}

}  // namespace gossamer::content
