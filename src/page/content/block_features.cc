#include "content/block_features.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include "dom/tag_set.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

// BOUND: how far up the containers of a block are searched.
constexpr std::size_t kLevelsUpMax = 100;
constexpr std::uint32_t kRepeatLevelsMax = 8;
constexpr dom::TagSet kBlockHeadings = {h1, h2, h3, h4, h5, h6};

float size_of(double count) { return static_cast<float>(std::log2(1 + count)); }
float share(double part, double whole) {
  return whole <= 0 ? 0.0F : static_cast<float>(part / whole);
}

// What an element inherits from those around it.
struct Surroundings {
  std::uint16_t depth = 0;
  std::uint8_t extras = 0;  // ancestors with names of each kind
  std::uint8_t contents = 0;
  std::uint8_t weaks = 0;
  std::uint8_t comments = 0;
  std::int16_t weight = 0;
  std::uint8_t extra_distance = 15;  // to the nearest of them
  bool in_main = false;
  bool in_article = false;
  bool in_header = false;  // of the page
  bool in_inner_header = false;
  bool in_footer = false;
  bool in_aside = false;
  bool in_form = false;
  bool in_table = false;
  bool in_list = false;
  bool in_section = false;
  bool in_figure = false;
  bool in_quote = false;
  bool in_extra_role = false;
  bool in_link = false;
};

Surroundings below(const Surroundings& parent, const OutlineItem& item) {
  Surroundings own = parent;
  const dom::Node& node = *item.node;
  ++own.depth;
  const auto bump = [](std::uint8_t& count) {
    count = static_cast<std::uint8_t>(count < 15 ? count + 1 : 15);
  };
  if (own.extra_distance < 15) ++own.extra_distance;
  if (item.hints.is_extra) {
    bump(own.extras);
    own.extra_distance = 0;
  }
  if (item.hints.is_content) bump(own.contents);
  if (item.hints.is_weak) bump(own.weaks);
  if (item.hints.is_comment) bump(own.comments);
  own.weight = static_cast<std::int16_t>(own.weight + item.hints.weight / 25);
  own.in_main = own.in_main || node.is(main);
  own.in_article = own.in_article || node.is(article);
  if (node.is(header)) {
    (own.in_main || own.in_article ? own.in_inner_header : own.in_header) = true;
  }
  own.in_footer = own.in_footer || node.is(footer);
  own.in_aside = own.in_aside || node.is(aside);
  own.in_form = own.in_form || node.is(form);
  own.in_table = own.in_table || node.is(table);
  own.in_list = own.in_list || node.is(ul) || node.is(ol);
  own.in_section = own.in_section || node.is(section);
  own.in_figure = own.in_figure || node.is(figure);
  own.in_quote = own.in_quote || node.is(blockquote);
  own.in_extra_role = own.in_extra_role || item.has_extra_role;
  own.in_link = own.in_link || node.is(a);
  return own;
}

// Siblings with the same tag and class, as in lists of products or posts.
class Repeats {
 public:
  explicit Repeats(const Outline& outline) : outline_(outline), same_(outline.size(), 1) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;
    keys.reserve(outline.size());
    for (std::uint32_t at = 1; at < outline.size(); ++at) {
      if (outline[at].all.text == 0) continue;
      keys.emplace_back(std::uint64_t{outline[at].parent} << 32 | signature(at), at);
    }
    std::ranges::sort(keys);
    for (std::size_t i = 0; i < keys.size();) {
      std::size_t end = i;
      while (end < keys.size() && keys[end].first == keys[i].first) ++end;
      for (std::size_t k = i; k < end; ++k)
        same_[keys[k].second] = static_cast<std::uint32_t>(end - i);
      i = end;
    }
  }
  std::uint32_t same(std::uint32_t at) const { return same_[at]; }

 private:
  std::uint32_t signature(std::uint32_t at) const {
    const dom::Node& node = *outline_[at].node;
    std::uint32_t hash = static_cast<std::uint32_t>(node.tag()) + 0x811C9DC5;
    if (const dom::Attribute* const name = node.find("class")) {
      for (const char c :
           name->value().substr(0, std::min<std::size_t>(name->value().find(' '), 40))) {
        if (c >= '0' && c <= '9') continue;
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
      }
    }
    return hash;
  }

  const Outline& outline_;
  std::vector<std::uint32_t> same_;
};

class Row {
 public:
  explicit Row(BlockFeatures& row) : row_(row) {}
  template <class Value>
  void put(Value value) {
    row_[at_++] = static_cast<float>(value);
  }

 private:
  BlockFeatures& row_;
  std::size_t at_ = 0;
};

class FeatureWriter {
 public:
  FeatureWriter(const Outline& outline, std::span<const TextBlock> blocks,
                const ArticleNotes& article, const PageNotes& page)
      : outline_(outline), blocks_(blocks), article_(article), page_(page), repeats_(outline) {
    surroundings_.reserve(outline.size());
    distance_.reserve(outline.size());
    std::vector<std::uint32_t> inside(outline.size());
    for (std::uint32_t at = 0; at < outline.size(); ++at) {
      const bool is_root = outline[at].parent == kNoItem;
      surroundings_.push_back(
          below(is_root ? Surroundings() : surroundings_[outline[at].parent], outline[at]));
      if (article.in_article[at]) ++inside[at];
    }
    for (std::size_t at = outline.size(); at-- > 1;) inside[outline[at].parent] += inside[at];
    // How far up an element is that has a part of the article.
    for (std::uint32_t at = 0; at < outline.size(); ++at) {
      const bool is_root = outline[at].parent == kNoItem;
      distance_.push_back(is_root || inside[at] > 0 ? 0 : distance_[outline[at].parent] + 1);
    }
    count_page();
  }

  void write(std::size_t i, BlockFeatures& row) const {
    Row out(row);
    write_text(i, out);
    write_place(i, out);
    write_surroundings(i, out);
    write_containers(i, out);
    write_neighbours(i, out);
    write_page(out);
  }

 private:
  void count_page() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const TextBlock& block = blocks_[i];
      before_.push_back(total_);
      total_ += block.bytes;
      total_links_ += block.link_bytes;
      if (block.bytes >= 80 && block.link_bytes * 4 < block.bytes) long_ += block.bytes;
      prices_ += block.prices;
      if (article_.in_article[block.at]) {
        article_bytes_ += block.bytes;
        article_links_ += block.link_bytes;
        first_ = std::min(first_, i);
        last_ = i;
      }
      if (outline_[block.at].node->is(h1)) {
        ++titles_;
        if (title_ == kNone) title_ = i;
      }
      headings_ += kBlockHeadings.has(outline_[block.at].node->tag()) ? 1 : 0;
      paragraphs_ += outline_[block.at].node->is(p) && block.bytes >= 80 ? 1 : 0;
      if (surroundings_[block.at].comments > 0) comment_bytes_ += block.bytes;
      hashes_.push_back(block.hash);
      most_same_ = std::max(most_same_, repeat_of(block.at).same);
    }
    std::vector<std::uint32_t> sorted = hashes_;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const auto [begin, end] = std::ranges::equal_range(sorted, hashes_[i]);
      copies_.push_back(static_cast<std::uint32_t>(end - begin));
    }
  }

  void write_text(std::size_t i, Row& out) const {
    const TextBlock& block = blocks_[i];
    const OutlineItem& item = outline_[block.at];
    const html::TagId tag = item.node->tag();
    out.put(size_of(block.bytes));
    out.put(share(block.link_bytes, block.bytes));
    out.put(size_of(block.commas));
    out.put(size_of(block.sentences));
    out.put(block.ends_sentence);
    out.put(share(block.digits, block.bytes));
    out.put(share(block.capitals, block.bytes));
    out.put(share(block.bytes, block.words));
    out.put(block.prices > 0);
    out.put(size_of(copies_[i]));
    out.put(tag == p                 ? 1
            : tag == li              ? 2
            : tag == td || tag == th ? 3
            : tag == dt || tag == dd ? 4
                                     : 0);
    out.put(kBlockHeadings.has(tag) ? item.node->name()[1] - '0' : 7);
    out.put(tag == div || tag == section);
    out.put(tag == pre || tag == blockquote);
    out.put(tag == a || tag == span || tag == other);
    out.put(item.hints.is_extra);
    out.put(item.hints.is_weak);
    out.put(item.hints.is_content);
  }

  void write_place(std::size_t i, Row& out) const {
    const TextBlock& block = blocks_[i];
    out.put(article_.in_article[block.at]);
    out.put(article_.is_ordinary[block.at]);
    out.put(std::min<std::uint32_t>(distance_[block.at], 20));
    out.put(share(before_[i], total_));
    out.put(size_of(before_[i]));
    out.put(size_of(total_ - before_[i] - block.bytes));
    // Before the article, inside of it or after it.
    const bool is_before = article_bytes_ > 0 && i < first_;
    const bool is_after = article_bytes_ > 0 && i > last_;
    out.put(is_before  ? -size_of(before_[first_] - before_[i])
            : is_after ? size_of(before_[i] - before_[last_])
                       : 0);
    // Before or after the headline.
    out.put(title_ == kNone ? 30
            : i < title_    ? -size_of(before_[title_] - before_[i])
                            : size_of(before_[i] - before_[title_]));
  }

  void write_surroundings(std::size_t i, Row& out) const {
    const Surroundings& around = surroundings_[blocks_[i].at];
    out.put(around.depth);
    out.put(around.extras);
    out.put(around.contents);
    out.put(around.weaks);
    out.put(around.comments);
    out.put(around.weight);
    out.put(around.extra_distance);
    out.put(around.in_main);
    out.put(around.in_article);
    out.put(around.in_header);
    out.put(around.in_inner_header);
    out.put(around.in_footer);
    out.put(around.in_aside);
    out.put(around.in_form);
    out.put(around.in_table);
    out.put(around.in_list);
    out.put(around.in_section);
    out.put(around.in_figure || around.in_quote);
    out.put(around.in_extra_role);
    out.put(around.in_link);
  }

  struct Repeat {
    std::uint32_t same = 1;
    std::uint32_t at = 0;
    std::uint32_t levels = 0;
  };
  // The nearest element around it that is one of several, else the first one.
  Repeat repeat_of(std::uint32_t at) const {
    Repeat most;
    for (std::uint32_t level = 0; level < kRepeatLevelsMax && at != kNoItem && at != 0; ++level) {
      if (repeats_.same(at) >= 3 && repeats_.same(at) > most.same) {
        most = {.same = repeats_.same(at), .at = at, .levels = level};
      }
      at = outline_[at].parent;
    }
    return most;
  }

  void write_containers(std::size_t i, Row& out) const {
    const Repeat repeat = repeat_of(blocks_[i].at);
    out.put(size_of(repeat.same));
    out.put(repeat.levels);
    const OutlineItem& item = outline_[repeat.at];
    out.put(repeat.at == 0 ? 0 : size_of(item.all.text));
    const std::uint32_t list = item.parent == kNoItem ? 0 : item.parent;
    const Counts& all = outline_[list].all;
    out.put(repeat.at == 0 ? 0 : share(all.text, repeat.same));
    out.put(all.link_density());
    out.put(all.images);
    // Containers in steps of size.
    std::uint32_t at = blocks_[i].at;
    std::size_t levels_left = kLevelsUpMax;
    for (const double part : {0.02, 0.1, 0.3}) {
      const double least = part * outline_[0].all.text;
      while (outline_[at].parent != kNoItem && outline_[at].all.text < least && levels_left > 0) {
        at = outline_[at].parent;
        --levels_left;
      }
      const Counts& counts = outline_[at].all;
      out.put(share(counts.text, outline_[0].all.text));
      out.put(counts.link_density());
      out.put(share(counts.commas * 100, counts.text));
      out.put(share(counts.lists, counts.text));
    }
    const std::uint32_t parent = outline_[blocks_[i].at].parent;
    const Counts& near = outline_[parent == kNoItem ? 0 : parent].all;
    out.put(size_of(near.text));
    out.put(near.link_density());
    out.put(near.inputs);
  }

  void write_neighbours(std::size_t i, Row& out) const {
    for (const int step : {-2, -1, 1, 2}) {
      const auto k = static_cast<std::ptrdiff_t>(i) + step;
      const bool exists = k >= 0 && k < static_cast<std::ptrdiff_t>(blocks_.size());
      const TextBlock& other = exists ? blocks_[static_cast<std::size_t>(k)] : TextBlock();
      out.put(exists ? size_of(other.bytes) : -1);
      out.put(share(other.link_bytes, other.bytes));
      if (step == -1 || step == 1) {
        out.put(exists && article_.in_article[other.at]);
        out.put(exists && kBlockHeadings.has(outline_[other.at].node->tag()));
      }
    }
  }

  void write_page(Row& out) const {
    out.put(size_of(total_));
    out.put(share(total_links_, total_));
    out.put(share(long_, total_));
    out.put(share(article_bytes_, total_));
    out.put(size_of(article_bytes_));
    out.put(share(article_links_, article_bytes_));
    out.put(size_of(prices_));
    out.put(size_of(headings_));
    out.put(size_of(paragraphs_));
    out.put(titles_);
    out.put(share(comment_bytes_, total_));
    out.put(size_of(most_same_));
    out.put(std::min(page_.articles, 3U));
    out.put(size_of(page_.products));
    out.put(size_of(page_.threads));
    out.put(page_.lists > 0);
    out.put(page_.companies > 0);
    out.put(page_.og_article - 1.0 * page_.og_website + 2.0 * page_.og_product);
    out.put(size_of(page_.times));
    out.put(page_.path_segments);
    out.put(page_.path_hyphens);
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const Outline& outline_;
  const std::span<const TextBlock> blocks_;
  const ArticleNotes& article_;
  const PageNotes& page_;
  Repeats repeats_;
  std::vector<Surroundings> surroundings_;
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> hashes_;
  std::vector<std::uint32_t> copies_;
  std::uint32_t total_ = 0;
  std::uint32_t total_links_ = 0;
  std::uint32_t long_ = 0;
  std::uint32_t article_bytes_ = 0;
  std::uint32_t article_links_ = 0;
  std::uint32_t comment_bytes_ = 0;
  std::uint32_t prices_ = 0;
  std::uint32_t headings_ = 0;
  std::uint32_t paragraphs_ = 0;
  std::uint32_t titles_ = 0;
  std::uint32_t most_same_ = 1;
  std::size_t title_ = kNone;
  std::size_t first_ = kNone;
  std::size_t last_ = 0;
};

}  // namespace

std::vector<BlockFeatures> block_features(const Outline& outline, std::span<const TextBlock> blocks,
                                          const ArticleNotes& article, const PageNotes& page) {
  std::vector<BlockFeatures> rows(blocks.size());
  if (blocks.empty()) return rows;
  const FeatureWriter writer(outline, blocks, article, page);
  for (std::size_t i = 0; i < blocks.size(); ++i) writer.write(i, rows[i]);
  return rows;
}

}  // namespace gossamer::content
