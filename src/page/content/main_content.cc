#include "content/main_content.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "content/block_model.h"
#include "content/candidates.h"
#include "content/data_island.h"
#include "content/element_text.h"
#include "content/page_notes.h"
#include "dom/parse.h"
#include "dom/tag_set.h"
#include "html/token/ascii.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

// Less text than this may be a mistake.
constexpr std::uint32_t kTextBytesMin = 250;
// The model knows no pages with less text.
constexpr std::uint32_t kModelBytesMin = 1500;
// Less text than this is a notice that the page needs scripts, or that it loads.
constexpr std::uint32_t kShownBytesMin = 100;
constexpr std::size_t kTitleBytesMax = 1024;
// BOUND: work to compare headings with the title; nested headings repeat their text.
constexpr std::size_t kTitleWorkMax = 256 * 1024;

std::string title_of(const dom::Document& document) {
  const dom::Node& root = document.root();
  for (const dom::Node* node = &root; node != nullptr; node = dom::next_in(root, *node)) {
    if (node->is(body)) break;
    std::size_t work = kTitleBytesMax;
    if (node->is(title)) return element_text(*node, kTitleBytesMax, work).text;
  }
  return {};
}

// Takes away what is not text from the elements that hold it.
class Cleaner {
 public:
  Cleaner(Outline& outline, std::string title) : outline_(outline), title_(std::move(title)) {}

  void clean(std::uint32_t root) {
    text_ = outline_[root].all.text;
    outline_.prune(root, [this](std::uint32_t at) { return is_unwanted(at); });
    outline_.prune(root, [this](std::uint32_t at) { return is_poor(at); });
  }

 private:
  // Elements whose tag or name says that they are not part of the text.
  bool is_unwanted(std::uint32_t at) {
    const OutlineItem& item = outline_[at];
    if (item.is(footer) || item.is(aside) || item.is(address)) return item.all.text * 2 < text_;
    if (item.is(h1) || item.is(h2)) return is_title(item);
    if (item.hints.is_extra && !item.is(p)) return item.all.text * 5 < text_ * 2;
    if (item.hints.is_weak && !item.is(p) && !item.hints.is_content) {
      return item.all.text < std::max<std::uint32_t>(200, text_ / 10) && item.all.text * 3 < text_;
    }
    if (!item.has_property) return false;
    const std::string_view property = item.node->value(html::AttributeId::itemprop);
    if (property == "author" || property.starts_with("date")) return item.all.text < 200;
    return false;
  }

  bool is_title(const OutlineItem& item) {
    if (title_.empty() || item.all.text == 0 || item.all.text > kTitleBytesMax) return false;
    const std::string text = element_text(*item.node, kTitleBytesMax, work_).text;
    if (text.empty()) return false;
    if (text == title_) return true;
    // A search takes the product of the lengths at worst.
    const std::size_t work = text.size() * title_.size() / 64;
    if (work > work_) return false;
    work_ -= work;
    return text.size() >= 10 && (title_.contains(text) || text.contains(title_));
  }

  // Containers that hold links, pictures or fields rather than text.
  bool is_poor(std::uint32_t at) const {
    const OutlineItem& item = outline_[at];
    constexpr dom::TagSet kContainers = {div, ul, ol, section, form, fieldset, table, dl, header};
    if (!item.is_html || !kContainers.has(item.tag)) return false;
    const Counts& all = item.all;
    if (item.hints.weight < 0 && all.text * 2 < text_) return true;
    if (all.commas >= 10) return false;
    const bool is_list =
        item.is(ul) || item.is(ol) || (all.text > 0 && all.lists * 10 > all.text * 9);
    const double density = all.link_density();
    if (all.images > 1 && all.paragraphs * 2 < all.images && all.text < 200) return true;
    if (!is_list && all.items > all.paragraphs + 100) return true;
    if (all.inputs > all.paragraphs / 3 && all.text < 500) return true;
    const bool is_heading = all.headings * 10 >= all.text * 9;
    if (!is_list && !is_heading && all.text < 25 && density > 0) return true;
    if (is_list && density > 0.5) return true;
    if (!is_list && item.hints.weight < 25 && density > 0.2 + (all.text > 300 ? 0.1 : 0)) {
      return true;
    }
    return item.hints.weight >= 25 && density > 0.5;
  }

  Outline& outline_;
  const std::string title_;
  std::uint32_t text_ = 0;
  std::size_t work_ = kTitleWorkMax;
};

std::uint32_t text_of(const MainContent& content) {
  std::uint32_t bytes = 0;
  for (const std::uint32_t root : content.roots) bytes += content.outline[root].all.text;
  return bytes;
}

void score(MainContent& content) { content.roots = Candidates(content.outline).best(); }

void clean(MainContent& content, const std::string& title) {
  Cleaner cleaner(content.outline, title);
  for (const std::uint32_t root : content.roots) cleaner.clean(root);
}

// Returns the innermost element that has all of the text.
std::uint32_t around_text(const Outline& outline) {
  std::uint32_t root = 0;
  while (true) {
    std::uint32_t inner = kNoItem;
    for (std::uint32_t at = root + 1; at < outline[root].end; at = outline[at].end) {
      if (outline[at].is_kept && outline[at].all.text == outline[root].all.text) inner = at;
    }
    if (inner == kNoItem || outline[inner].all.blocks == 0) return root;
    root = inner;
  }
}

std::vector<std::uint8_t> kept_elements(const Outline& outline) {
  std::vector<std::uint8_t> kept(outline.size());
  for (std::uint32_t at = 0; at < outline.size(); ++at) kept[at] = outline[at].is_kept ? 1 : 0;
  return kept;
}

// Returns the bytes that the page shows.
std::uint32_t all_text(const Outline& outline) {
  std::uint32_t bytes = 0;
  for (std::uint32_t at = 0; at < outline.size(); ++at) bytes += outline[at].own.text;
  return bytes;
}

}  // namespace

IslandPage::IslandPage(std::string text)
    : html(std::move(text)), document(dom::parse(html, {.nodes_max = 128 * 1024})) {}

bool MainContentSearch::find_some() {
  switch (next_) {
    case Step::outline:
      title_ = title_of(document_);
      best_.emplace(Outline(document_), std::vector<std::uint32_t>());
      next_ = Step::extras;
      return use_island();
    case Step::extras:
      best_->outline.drop_extras();
      article_.is_ordinary = kept_elements(best_->outline);
      next_ = Step::score;
      return false;
    case Step::score:
      score(*best_);
      next_ = Step::clean;
      return false;
    case Step::clean:
      clean(*best_, title_);
      if (text_of(*best_) >= kTextBytesMin) {
        next_ = Step::features;
        return false;
      }
      lenient_.emplace(best_->outline, std::vector<std::uint32_t>());
      next_ = Step::score_again;
      return false;
    case Step::score_again:
      lenient_->outline.restore();
      score(*lenient_);
      next_ = Step::clean_again;
      return false;
    case Step::clean_again:
      clean(*lenient_, title_);
      if (text_of(*lenient_) > text_of(*best_)) best_ = std::move(lenient_);
      next_ = Step::features;
      return false;
    case Step::features:
      count_features();
      next_ = Step::choice;
      return false;
    case Step::choice: choose_blocks(); return true;
  }
  return true;
}

// A page that shows next to nothing may have its text as data. Returns whether that is the content.
bool MainContentSearch::use_island() {
  if (all_text(best_->outline) >= kShownBytesMin) return false;
  std::string html = data_island(document_);
  if (html.empty()) return false;
  auto island = std::make_shared<const IslandPage>(std::move(html));
  Outline outline(island->document);
  best_.emplace(std::move(outline), std::vector<std::uint32_t>{0}, std::move(island));
  return true;
}

void MainContentSearch::count_features() {
  Outline& outline = best_->outline;
  const std::uint32_t bytes = all_text(outline);
  if (bytes < kModelBytesMin) return;
  article_.in_article.resize(outline.size());
  for (const std::uint32_t root : best_->roots) {
    for (std::uint32_t at = root; at < outline[root].end; ++at) {
      article_.in_article[at] = outline[at].is_kept ? 1 : 0;
    }
  }
  outline.restore();
  blocks_ = text_blocks(outline);
  probabilities_.reserve(blocks_.size());
  block_features(outline, blocks_, article_, page_notes(document_),
                 [this](const BlockGroup& group, std::size_t count) {
                   add_probabilities(group, count, probabilities_);
                   if (keeps_features_) features_.push_back(group);
                 });
}

void MainContentSearch::choose_blocks() {
  if (blocks_.empty()) return;
  const std::vector<bool> is_best = best_blocks(blocks_, probabilities_);
  std::vector<bool> is_chosen(best_->outline.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) is_chosen[blocks_[i].at] = is_best[i];
  best_->outline.keep_text_of(is_chosen);
  best_->roots = {around_text(best_->outline)};
}

MainContent find_main_content(const dom::Document& document) {
  MainContentSearch search(document);
  while (!search.find_some()) {
  }
  return search.take();
}

}  // namespace gossamer::content
