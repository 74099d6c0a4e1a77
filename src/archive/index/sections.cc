#include "index/sections.h"

#include <algorithm>
#include <charconv>
#include <compare>
#include <cstdint>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"
#include "content/element_text.h"
#include "dom/tag_set.h"
#include "url/code_points.h"
#include "url/percent.h"

namespace gossamer::index {
namespace {

using enum html::TagId;

constexpr dom::TagSet kSectionHeadings = {h1, h2, h3, h4, h5, h6, dt};
// The heading may be in some boxes of its section.
constexpr int kSectionLevelsMax = 5;
// BOUND: nodes of a heading that are searched for an id.
constexpr int kHeadingNodesMax = 32;
// BOUND: of the nodes and texts of all headings.
constexpr std::size_t kHeadingWork = 256 * 1024;

std::string_view own_anchor(const dom::Node& node) {
  if (!node.is_element()) return {};
  const dom::Attribute* anchor = node.find("id");
  if (anchor == nullptr && node.is(a)) anchor = node.find("name");
  return anchor == nullptr ? std::string_view() : anchor->value();
}

constexpr std::string_view kSectionBlanks = " \t\r\n\f\v";

bool is_blank(const dom::Node& node) {
  return node.is_text() && node.text().find_first_not_of(" \t\r\n\f") == std::string_view::npos;
}

bool is_heading(const dom::Node& node) {
  return node.is_element() && node.space() == dom::Space::html && kSectionHeadings.has(node.tag());
}

// A line of the main text.
struct MainLine {
  std::uint64_t hash = 0;
  std::size_t begin = 0;

  friend auto operator<=>(const MainLine&, const MainLine&) = default;
};

class SectionFinder {
 public:
  SectionFinder(const dom::Document& document, std::string_view main)
      : document_(document), lines_(lines_of(main)) {}

  std::vector<Section> find() {
    const dom::Node* const root = &document_.root();
    for (const dom::Node* node = root; node != nullptr; node = dom::next_in(*root, *node)) {
      if (!is_heading(*node)) continue;
      if (sections_.size() >= kSectionsMax) break;
      const std::string_view anchor = anchor_of(*node);
      if (!anchor.empty()) add(*node, anchor);
    }
    return std::move(sections_);
  }

 private:
  // An id of the heading, in it, just before it, or of a box that begins with
  // it.
  std::string_view anchor_of(const dom::Node& heading) {
    int nodes = 0;
    for (const dom::Node* in = &heading; in != nullptr && ++nodes <= kHeadingNodesMax;
         in = dom::next_in(heading, *in)) {
      if (const std::string_view anchor = own_anchor(*in); !anchor.empty()) return anchor;
    }
    const dom::Node* before = heading.previous();
    while (before != nullptr && is_blank(*before)) before = before->previous();
    if (before != nullptr && before->is_element() && before->first_child() == nullptr) {
      if (const std::string_view anchor = own_anchor(*before); !anchor.empty()) return anchor;
    }
    if (heading.is(dt)) return {};
    const dom::Node* box = heading.parent();
    for (int level = 0; level < kSectionLevelsMax && box != nullptr; ++level) {
      if (!used_.insert(box).second) return {};  // another heading is in it, before this one
      if (const std::string_view anchor = own_anchor(*box); !anchor.empty()) return anchor;
      box = box->parent();
    }
    return {};
  }

  void add(const dom::Node& heading, std::string_view anchor) {
    content::ElementText text = content::element_text(heading, kHeadingBytesMax, work_left_);
    if (text.is_truncated || text.text.empty()) return;
    const std::size_t begin = place_of(text.text);
    if (begin == std::string_view::npos) return;
    main_at_ = begin + 1;
    if (begin == 0) return;
    Section section = {.begin = begin};
    url::percent_encode(anchor.substr(0, kAnchorBytesMax), url::kFragmentSet, section.anchor);
    if (section.anchor.size() < kAnchorBytesMax) sections_.push_back(std::move(section));
  }

  // Signs that link to the heading are not in the main text.
  std::size_t place_of(std::string_view heading) const {
    for (const std::string_view sign : {"\u00B6", "#", "\uF0C1"}) {
      if (heading.ends_with(sign)) heading.remove_suffix(sign.size());
    }
    const MainLine wanted = {base::hash64(base::trimmed(heading, kSectionBlanks)), main_at_};
    const auto found = std::ranges::lower_bound(lines_, wanted);
    if (found == lines_.end() || found->hash != wanted.hash) return std::string_view::npos;
    return found->begin;
  }

  static std::vector<MainLine> lines_of(std::string_view main) {
    std::vector<MainLine> lines;
    for (std::size_t at = 0; at < main.size();) {
      const std::string_view line = main.substr(at, main.find('\n', at) - at);
      lines.push_back({base::hash64(base::trimmed(line, kSectionBlanks)), at});
      at += line.size() + 1;
    }
    std::ranges::sort(lines);
    return lines;
  }

  const dom::Document& document_;
  const std::vector<MainLine> lines_;
  std::size_t main_at_ = 0;
  std::size_t work_left_ = kHeadingWork;
  std::set<const dom::Node*> used_;
  std::vector<Section> sections_;
};

}  // namespace

std::vector<Section> find_sections(const dom::Document& document, std::string_view main) {
  return SectionFinder(document, main).find();
}

std::string sections_text(const std::vector<Section>& sections) {
  std::string text;
  std::size_t before = 0;
  for (const Section& section : sections) {
    text.append(std::to_string(section.begin - before)).append(" ");
    text.append(section.anchor).append("\n");
    before = section.begin;
  }
  return text;
}

std::vector<Section> parse_sections(std::string_view text, std::size_t main_bytes) {
  std::vector<Section> sections;
  std::size_t begin = 0;
  while (!text.empty() && sections.size() < kSectionsMax) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::size_t step = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), step);
    const std::size_t digits = static_cast<std::size_t>(end - line.data());
    if (error != std::errc() || digits >= line.size() || step > main_bytes - begin) break;
    begin += step;
    if (begin >= main_bytes) break;
    sections.push_back({begin, std::string(line.substr(digits + 1))});
  }
  return sections;
}

std::string_view heading_of(const Section& section, std::string_view main) {
  const std::string_view line = main.substr(section.begin);
  return line.substr(0, std::min(line.find('\n'), kHeadingBytesMax));
}

}  // namespace gossamer::index
