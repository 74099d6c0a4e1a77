#include "content/candidates.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "content/element_text.h"
#include "dom/tag_set.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

constexpr std::uint32_t kParagraphBytesMin = 25;
constexpr std::uint32_t kDeclaredBytesMin = 250;
constexpr int kAncestorsScored = 5;
constexpr dom::TagSet kScored = {p, td, pre, section, h2, h3, h4, h5, h6};

double first_score(const OutlineItem& item) {
  constexpr dom::TagSet kGood = {pre, td, blockquote};
  constexpr dom::TagSet kBad = {address, ol, ul, dl, dd, dt, li, form};
  constexpr dom::TagSet kWorse = {h1, h2, h3, h4, h5, h6, th};
  const html::TagId tag = item.tag;
  double score = item.hints.weight;
  if (tag == div || tag == article || tag == main) score += 5;
  if (kGood.has(tag)) score += 3;
  if (kBad.has(tag)) score -= 3;
  if (kWorse.has(tag)) score -= 5;
  return score;
}

}  // namespace

Candidates::Candidates(const Outline& outline)
    : outline_(outline), scores_(outline.size()), is_scored_(outline.size()) {
  for (std::uint32_t at = 0; at < outline_.size(); ++at) {
    if (outline_[at].is_kept) score_element(at);
  }
  for (std::uint32_t at = 0; at < outline_.size(); ++at) {
    if (is_scored_[at]) scores_[at] *= 1 - std::min(outline_[at].all.link_density(), 1.0);
  }
}

void Candidates::score_element(std::uint32_t at) {
  const OutlineItem& item = outline_[at];
  if (item.parent == kNoItem) return score_runs(at);
  const html::TagId tag = item.tag;
  if (kScored.has(tag)) add_paragraph(item.parent, item.all.text, item.all.commas);
  const bool is_container = tag == div || tag == article || tag == main || tag == section;
  if (!is_container) return;
  const bool is_paragraph = item.all.blocks == 1 && tag == div;
  if (is_paragraph && item.all.link_density() < 0.25) {
    add_paragraph(item.parent, item.all.text, item.all.commas);
  } else {
    score_runs(at);
  }
}

// Text and inline elements between two blocks are a paragraph, too.
void Candidates::score_runs(std::uint32_t at) {
  TextSize run;
  const auto end_run = [&] {
    add_paragraph(at, run.bytes, run.commas);
    run = {};
  };
  outline_.for_each_child(
      at,
      [&](const dom::Node& text) {
        const TextSize size = text_size(text.text());
        run.bytes += size.bytes;
        run.commas += size.commas;
      },
      [&](std::uint32_t child) {
        const Counts& all = outline_[child].all;
        if (all.blocks > 0) return end_run();
        run.bytes += all.text;
        run.commas += all.commas;
      });
  end_run();
}

void Candidates::add_paragraph(std::uint32_t container, std::uint32_t bytes, std::uint32_t commas) {
  if (bytes < kParagraphBytesMin) return;
  const double worth = 2 + commas + std::min(bytes / 100, 3U);
  std::uint32_t at = container;
  for (int level = 0; level < kAncestorsScored && at != kNoItem; ++level) {
    if (!is_scored_[at]) {
      is_scored_[at] = true;
      scores_[at] = first_score(outline_[at]);
    }
    scores_[at] += worth / (level == 0 ? 1 : level == 1 ? 2 : level * 3);
    at = outline_[at].parent;
  }
}

// Returns the element that its author declared to be the text of an article.
std::uint32_t Candidates::declared() const {
  std::uint32_t found = kNoItem;
  for (std::uint32_t at = 0; at < outline_.size(); ++at) {
    const OutlineItem& item = outline_[at];
    if (!item.is_kept || !item.has_property) continue;
    if (item.node->value(html::AttributeId::itemprop).find("articleBody") ==
        std::string_view::npos) {
      continue;
    }
    if (item.all.text < kDeclaredBytesMin || item.all.link_density() > 0.5) continue;
    if (found != kNoItem) return kNoItem;  // several articles
    found = at;
    at = item.end - 1;
  }
  return found;
}

std::uint32_t Candidates::top() const {
  std::uint32_t top = 0;
  for (std::uint32_t at = 1; at < outline_.size(); ++at) {
    if (is_scored_[at] && (score(at) > score(top) || top == 0)) top = at;
  }
  return top;
}

// Returns the ancestor of several good candidates, if there is one: the text is in its parts.
std::uint32_t Candidates::shared_ancestor(std::uint32_t best) const {
  constexpr std::size_t kGoodMax = 5;
  constexpr std::size_t kSharedMin = 3;
  std::array<std::uint32_t, kGoodMax> good = {};
  std::size_t count = 0;
  for (std::uint32_t at = 1; at < outline_.size(); ++at) {
    if (!is_scored_[at] || score(at) < 0.75 * score(best)) continue;
    if (count < kGoodMax) {
      good[count++] = at;
      continue;
    }
    const auto least = std::ranges::min_element(good, {}, [this](auto i) { return score(i); });
    if (score(at) > score(*least)) *least = at;
  }
  for (std::uint32_t at = outline_[best].parent; at != kNoItem && at != 0;
       at = outline_[at].parent) {
    std::size_t inside = 0;
    for (std::size_t i = 0; i < count; ++i) {
      inside += good[i] != best && good[i] > at && good[i] < outline_[at].end ? 1 : 0;
    }
    if (inside >= kSharedMin) return at;
  }
  return best;
}

// Returns an ancestor that seems to hold more of the text.
std::uint32_t Candidates::widened(std::uint32_t at) const {
  double last = score(at);
  const double threshold = last / 3;
  for (std::uint32_t parent = outline_[at].parent; parent != kNoItem && parent != 0;
       parent = outline_[parent].parent) {
    if (!is_scored_[parent]) continue;
    if (score(parent) < threshold) break;
    if (score(parent) > last) {
      at = parent;
      break;
    }
    last = score(parent);
  }
  // The siblings of an only child are those of its parent.
  for (std::uint32_t parent = outline_[at].parent; parent != kNoItem && parent != 0;
       parent = outline_[parent].parent) {
    if (at != parent + 1 || outline_[at].end != outline_[parent].end) break;
    at = parent;
  }
  return at;
}

bool Candidates::is_like(std::uint32_t sibling, std::uint32_t best, double threshold) const {
  const OutlineItem& item = outline_[sibling];
  const dom::Attribute* const name = item.node->find("class");
  const dom::Attribute* const best_name = outline_[best].node->find("class");
  const bool is_same = name != nullptr && best_name != nullptr && !name->value().empty() &&
                       name->value() == best_name->value();
  const double bonus = is_same ? 0.2 * score(best) : 0;
  if (is_scored_[sibling] && score(sibling) + bonus >= threshold) return true;
  if (!item.is(p)) return false;
  const double density = item.all.link_density();
  return item.all.text > 80 ? density < 0.25 : density == 0 && item.all.text > 0;
}

std::vector<std::uint32_t> Candidates::best() const {
  if (outline_.size() == 0) return {};
  if (const std::uint32_t at = declared(); at != kNoItem) return {at};
  std::uint32_t best = top();
  if (best == 0) return {0};
  best = widened(shared_ancestor(best));
  const double threshold = std::max(10.0, score(best) * 0.2);
  const std::uint32_t parent = outline_[best].parent;
  if (parent == kNoItem) return {best};
  std::vector<std::uint32_t> found;
  for (std::uint32_t at = parent + 1; at < outline_[parent].end; at = outline_[at].end) {
    if (!outline_[at].is_kept) continue;
    if (at == best || is_like(at, best, threshold)) found.push_back(at);
  }
  return found;
}

}  // namespace gossamer::content
