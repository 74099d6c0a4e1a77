#include "content/block_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
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

// Most counts are small, and logarithms take long.
float size_of(std::uint32_t count) {
  static constexpr std::size_t kSmall = 1024;
  static const std::array<float, kSmall> small_sizes = [] {
    std::array<float, kSmall> sizes = {};
    for (std::size_t i = 0; i < kSmall; ++i) {
      sizes[i] = static_cast<float>(std::log2(1 + static_cast<double>(i)));
    }
    return sizes;
  }();
  if (count < kSmall) return small_sizes[count];
  return static_cast<float>(std::log2(1 + static_cast<double>(count)));
}
float share(double part, double whole) {
  return whole <= 0 ? 0.0F : static_cast<float>(part / whole);
}

// Elements that an element may be in.
enum Around : std::uint16_t {
  kInMain = 1,
  kInArticle = 2,
  kInHeader = 4,  // of the page
  kInInnerHeader = 8,
  kInFooter = 16,
  kInAside = 32,
  kInForm = 64,
  kInTable = 128,
  kInList = 256,
  kInSection = 512,
  kInFigureOrQuote = 1024,
  kInLink = 2048,
  kInExtraRole = 4096,
};
constexpr auto kAroundOfTags = [] {
  std::array<std::uint16_t, 256> around = {};
  const auto set = [&around](html::TagId tag, Around what) {
    around[static_cast<std::size_t>(tag)] = what;
  };
  set(main, kInMain);
  set(article, kInArticle);
  set(header, kInHeader);
  set(footer, kInFooter);
  set(aside, kInAside);
  set(form, kInForm);
  set(table, kInTable);
  set(ul, kInList);
  set(ol, kInList);
  set(section, kInSection);
  set(figure, kInFigureOrQuote);
  set(blockquote, kInFigureOrQuote);
  set(a, kInLink);
  return around;
}();

// What an element inherits from those around it.
struct Surroundings {
  std::uint16_t depth = 0;
  std::uint16_t around = 0;
  std::int16_t weight = 0;
  std::uint8_t extras = 0;  // ancestors with names of each kind
  std::uint8_t contents = 0;
  std::uint8_t weaks = 0;
  std::uint8_t comments = 0;
  std::uint8_t extra_distance = 15;  // to the nearest of them

  bool in(Around what) const noexcept { return (around & what) != 0; }
};

Surroundings below(const Surroundings& parent, const OutlineItem& item) {
  Surroundings own = parent;
  ++own.depth;
  const auto bump = [](std::uint8_t& count, bool is_one) {
    count = static_cast<std::uint8_t>(count + (is_one && count < 15 ? 1 : 0));
  };
  bump(own.extra_distance, true);
  if (item.hints.is_extra) own.extra_distance = 0;
  bump(own.extras, item.hints.is_extra);
  bump(own.contents, item.hints.is_content);
  bump(own.weaks, item.hints.is_weak);
  bump(own.comments, item.hints.is_comment);
  own.weight = static_cast<std::int16_t>(own.weight + item.hints.weight / 25);
  if (item.has_extra_role) own.around |= kInExtraRole;
  if (!item.is_html) return own;
  const bool is_inner = own.in(kInMain) || own.in(kInArticle);
  const std::uint16_t around = kAroundOfTags[static_cast<std::size_t>(item.tag)];
  own.around |= around == kInHeader && is_inner ? kInInnerHeader : around;
  return own;
}

// Siblings with the same tag and class, as in lists of products or posts. Two of them say nothing.
class Repeats {
 public:
  static constexpr std::uint32_t kMin = 3;

  explicit Repeats(const Outline& outline) : outline_(outline), same_(outline.size(), 1) {
    for (std::uint32_t at = 0; at < outline.size(); ++at) add_children(at);
  }
  std::uint32_t same(std::uint32_t at) const { return same_[at]; }

 private:
  struct Child {
    std::uint32_t signature = 0;
    std::uint32_t at = 0;
    friend auto operator<=>(const Child&, const Child&) = default;
  };

  void add_children(std::uint32_t parent) {
    children_.clear();
    for (std::uint32_t at = parent + 1; at < outline_[parent].end; at = outline_[at].end) {
      if (outline_[at].all.text > 0) children_.push_back({.at = at});
    }
    if (children_.size() < kMin) return;
    for (Child& child : children_) child.signature = signature(child.at);
    std::ranges::sort(children_);
    for (std::size_t i = 0; i < children_.size();) {
      std::size_t end = i;
      while (end < children_.size() && children_[end].signature == children_[i].signature) ++end;
      const auto count = static_cast<std::uint32_t>(end - i);
      for (; i < end; ++i) same_[children_[i].at] = count < kMin ? 1 : count;
    }
  }
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
  std::vector<Child> children_;  // of one element
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
    std::ranges::copy(page_row_, row.end() - kPageFeatures);
  }

 private:
  static constexpr std::size_t kPageFeatures = 21;
  using PageRow = std::array<float, kPageFeatures>;

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
      const OutlineItem& item = outline_[block.at];
      if (item.is(h1)) {
        ++titles_;
        if (title_ == kNone) title_ = i;
      }
      headings_ += kBlockHeadings.has(item.tag) ? 1 : 0;
      paragraphs_ += item.is(p) && block.bytes >= 80 ? 1 : 0;
      if (surroundings_[block.at].comments > 0) comment_bytes_ += block.bytes;
      sizes_.push_back(size_of(block.bytes));
      link_shares_.push_back(share(block.link_bytes, block.bytes));
      repeats_of_blocks_.push_back(repeat_of(block.at));
      most_same_ = std::max(most_same_, repeats_of_blocks_.back().same);
    }
    count_copies();
    page_row_ = page_row();
  }

  void count_copies() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> hashes;  // with places of blocks
    hashes.reserve(blocks_.size());
    for (std::uint32_t i = 0; i < blocks_.size(); ++i) hashes.emplace_back(blocks_[i].hash, i);
    std::ranges::sort(hashes);
    copies_.resize(blocks_.size());
    for (std::size_t i = 0; i < hashes.size();) {
      std::size_t end = i;
      while (end < hashes.size() && hashes[end].first == hashes[i].first) ++end;
      const auto count = static_cast<std::uint32_t>(end - i);
      for (; i < end; ++i) copies_[hashes[i].second] = count;
    }
  }

  void write_text(std::size_t i, Row& out) const {
    const TextBlock& block = blocks_[i];
    const OutlineItem& item = outline_[block.at];
    const html::TagId tag = item.tag;
    out.put(sizes_[i]);
    out.put(link_shares_[i]);
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
    out.put(around.in(kInMain));
    out.put(around.in(kInArticle));
    out.put(around.in(kInHeader));
    out.put(around.in(kInInnerHeader));
    out.put(around.in(kInFooter));
    out.put(around.in(kInAside));
    out.put(around.in(kInForm));
    out.put(around.in(kInTable));
    out.put(around.in(kInList));
    out.put(around.in(kInSection));
    out.put(around.in(kInFigureOrQuote));
    out.put(around.in(kInExtraRole));
    out.put(around.in(kInLink));
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
      if (repeats_.same(at) > most.same) {
        most = {.same = repeats_.same(at), .at = at, .levels = level};
      }
      at = outline_[at].parent;
    }
    return most;
  }

  void write_containers(std::size_t i, Row& out) const {
    const Repeat& repeat = repeats_of_blocks_[i];
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
      const auto other = static_cast<std::size_t>(k);
      out.put(exists ? sizes_[other] : -1);
      out.put(exists ? link_shares_[other] : 0);
      if (step == -1 || step == 1) {
        out.put(exists && article_.in_article[blocks_[other].at]);
        out.put(exists && kBlockHeadings.has(outline_[blocks_[other].at].tag));
      }
    }
  }

  // The same for all blocks.
  PageRow page_row() const {
    return {
        size_of(total_),
        share(total_links_, total_),
        share(long_, total_),
        share(article_bytes_, total_),
        size_of(article_bytes_),
        share(article_links_, article_bytes_),
        size_of(prices_),
        size_of(headings_),
        size_of(paragraphs_),
        static_cast<float>(titles_),
        share(comment_bytes_, total_),
        size_of(most_same_),
        static_cast<float>(std::min(page_.articles, 3U)),
        size_of(page_.products),
        size_of(page_.threads),
        static_cast<float>(page_.lists > 0),
        static_cast<float>(page_.companies > 0),
        static_cast<float>(page_.og_article - 1.0 * page_.og_website + 2.0 * page_.og_product),
        size_of(page_.times),
        static_cast<float>(page_.path_segments),
        static_cast<float>(page_.path_hyphens),
    };
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
  std::vector<std::uint32_t> copies_;
  std::vector<Repeat> repeats_of_blocks_;
  std::vector<float> sizes_;        // of the blocks
  std::vector<float> link_shares_;  // of their bytes
  PageRow page_row_ = {};
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
