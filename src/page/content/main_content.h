// Finds the part of a page that a reader came for: the text of an article, without navigation,
// advertisements, comments and footers.
//
// First it finds an article as the reader views of browsers do, by scores of elements: much text
// with commas and few links is content. Names of classes help, languages do not matter. Then a
// model, for which the article is one hint of many, decides about each block of text. So lists,
// threads and products keep all of their parts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "content/block_features.h"
#include "content/outline.h"
#include "content/text_blocks.h"
#include "dom/document.h"

namespace gossamer::content {

// Text that the page has only as data (content/data_island.h). BORROWS: the HTML, so it stays.
struct IslandPage {
  explicit IslandPage(std::string text);
  IslandPage(const IslandPage&) = delete;
  IslandPage& operator=(const IslandPage&) = delete;

  const std::string html;
  const dom::Document document;
};

// The elements of the outline that are kept are the content. BORROWS: the document.
struct MainContent {
  Outline outline;
  std::vector<std::uint32_t> roots;  // places in the outline, in document order, side by side
  std::shared_ptr<const IslandPage> island = nullptr;  // the outline is of it; nullptr: of the page
};

// Time is linear in the size of the document.
MainContent find_main_content(const dom::Document& document);

// The same in several steps, for callers that must not block.
class MainContentSearch {
 public:
  // BORROWS: the document.
  explicit MainContentSearch(const dom::Document& document) : document_(document) {}

  // Does a part of the work. Returns true at the end. REQUIRES: it did not return true.
  bool find_some();
  // REQUIRES: find_some() returned true. Call it once.
  MainContent take() { return std::move(*best_); }
  // What the model reads, for the program that trains it; nothing if the page is too short for it.
  std::vector<TextBlock>& blocks() noexcept { return blocks_; }
  std::vector<BlockGroup>& features() noexcept { return features_; }
  void keep_features() noexcept { keeps_features_ = true; }

 private:
  enum class Step : std::uint8_t {
    outline,
    extras,
    score,
    clean,
    score_again,
    clean_again,
    features,
    choice
  };

  bool use_island();
  void count_features();
  void choose_blocks();

  const dom::Document& document_;
  Step next_ = Step::outline;
  std::string title_;
  std::optional<MainContent> best_;
  std::optional<MainContent> lenient_;  // with everything that is hardly ever content
  ArticleNotes article_;
  std::vector<TextBlock> blocks_;
  std::vector<double> probabilities_;  // of the blocks
  std::vector<BlockGroup> features_;
  bool keeps_features_ = false;
};

}  // namespace gossamer::content
