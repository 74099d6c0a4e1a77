#include "content/block_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "content/repeats.h"
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

class FeatureWriter {
 public:
  FeatureWriter(const Outline& outline, std::span<const TextBlock> blocks,
                const ArticleNotes& article, const PageNotes& page)
      : outline_(outline), blocks_(blocks), article_(article), page_(page), repeats_(outline) {
    surroundings_.resize(outline.size());
    distance_.resize(outline.size());
    std::vector<std::uint8_t> has_article = article.in_article;  // of its own or below
    for (std::size_t at = outline.size(); at-- > 1;) {
      has_article[outline[at].parent] |= has_article[at];
    }
    for (std::uint32_t at = 0; at < outline.size(); ++at) {
      const OutlineItem& item = outline[at];
      if (item.all.blocks == 0) continue;
      const bool is_root = item.parent == kNoItem;
      surroundings_[at] = below(is_root ? Surroundings() : surroundings_[item.parent], item);
      // How far up an element is that has a part of the article.
      distance_[at] = is_root || has_article[at] != 0 ? 0 : distance_[item.parent] + 1;
    }
    count_page();
  }

  // `first`: the block that comes first in the group. REQUIRES: the same group each time.
  void write(std::size_t first, BlockGroup& group) {
    group_ = &group;
    first_of_group_ = first;
    next_ = 0;
    for (std::size_t i = 0; i < BlockGroup::kBlocks; ++i) {
      const TextBlock& block = blocks_[std::min(first + i, blocks_.size() - 1)];
      texts_[i] = &block;
      elements_[i] = &outline_[block.at];
      around_[i] = &surroundings_[block.at];
    }
    write_text();
    write_place();
    write_surroundings();
    write_containers();
    write_neighbours();
    // The same for all groups.
    if (first > 0) return;
    for (const float value : page_row()) put([value](std::size_t) { return value; });
  }

 private:
  static constexpr std::size_t kPageFeatures = 21;
  using PageRow = std::array<float, kPageFeatures>;

  // Writes the next feature of all blocks of the group: `value_of(place)`.
  template <class ValueOf>
  void put(ValueOf value_of) {
    auto& column = group_->columns[next_++];
    for (std::size_t i = 0; i < BlockGroup::kBlocks; ++i) {
      column[i] = static_cast<float>(value_of(i));
    }
  }

  void count_page() {
    const std::size_t room = blocks_.size() + 2 * kNear + BlockGroup::kBlocks;
    before_.resize(room);
    repeats_of_blocks_.reserve(blocks_.size());
    sizes_.resize(room, -1);
    link_shares_.resize(room);
    are_article_.resize(room);
    are_headings_.resize(room);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const TextBlock& block = blocks_[i];
      before_[i] = total_;
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
      const std::size_t place = i + kNear;
      sizes_[place] = size_of(block.bytes);
      link_shares_[place] = share(block.link_bytes, block.bytes);
      are_article_[place] = article_.in_article[block.at];
      are_headings_[place] = kBlockHeadings.has(item.tag) ? 1 : 0;
      repeats_of_blocks_.push_back(repeat_of(block.at));
      most_same_ = std::max(most_same_, repeats_of_blocks_.back().same);
    }
  }

  static float kind_of(html::TagId tag) {
    if (tag == p) return 1;
    if (tag == li) return 2;
    if (tag == td || tag == th) return 3;
    return tag == dt || tag == dd ? 4 : 0;
  }

  void write_text() {
    const auto put_text = [this](auto value_of) {
      put([this, value_of](std::size_t i) { return value_of(*texts_[i]); });
    };
    const auto put_item = [this](auto value_of) {
      put([this, value_of](std::size_t i) { return value_of(*elements_[i]); });
    };
    put_list(sizes_, kNear);
    put_list(link_shares_, kNear);
    put_text([](const TextBlock& block) { return size_of(block.commas); });
    put_text([](const TextBlock& block) { return size_of(block.sentences); });
    put_text([](const TextBlock& block) { return block.ends_sentence; });
    put_text([](const TextBlock& block) { return share(block.digits, block.bytes); });
    put_text([](const TextBlock& block) { return share(block.capitals, block.bytes); });
    put_text([](const TextBlock& block) { return share(block.bytes, block.words); });
    put_text([](const TextBlock& block) { return block.prices > 0; });
    put_text([](const TextBlock& block) { return size_of(block.copies); });
    put_item([](const OutlineItem& item) { return kind_of(item.tag); });
    put_item([](const OutlineItem& item) {
      return kBlockHeadings.has(item.tag) ? item.node->name()[1] - '0' : 7;
    });
    put_item([](const OutlineItem& item) { return item.tag == div || item.tag == section; });
    put_item([](const OutlineItem& item) { return item.tag == pre || item.tag == blockquote; });
    put_item([](const OutlineItem& item) {
      return item.tag == a || item.tag == span || item.tag == other;
    });
    put_item([](const OutlineItem& item) { return item.hints.is_extra; });
    put_item([](const OutlineItem& item) { return item.hints.is_weak; });
    put_item([](const OutlineItem& item) { return item.hints.is_content; });
  }

  void write_place() {
    put_list(are_article_, kNear);
    put([this](std::size_t i) { return article_.is_ordinary[texts_[i]->at]; });
    put([this](std::size_t i) { return std::min<std::uint32_t>(distance_[texts_[i]->at], 20); });
    const std::uint32_t* const before = &before_[first_of_group_];
    put([this, before](std::size_t i) { return share(before[i], total_); });
    put([before](std::size_t i) { return size_of(before[i]); });
    put([this, before](std::size_t i) { return size_of(total_ - before[i] - texts_[i]->bytes); });
    // Before the article, inside of it or after it.
    put([this, before](std::size_t i) {
      const bool is_before = article_bytes_ > 0 && first_of_group_ + i < first_;
      const bool is_after = article_bytes_ > 0 && first_of_group_ + i > last_;
      if (is_before) return -size_of(before_[first_] - before[i]);
      return is_after ? size_of(before[i] - before_[last_]) : 0;
    });
    // Before or after the headline.
    put([this, before](std::size_t i) {
      if (title_ == kNone) return 30.0F;
      return first_of_group_ + i < title_ ? -size_of(before_[title_] - before[i])
                                          : size_of(before[i] - before_[title_]);
    });
  }

  void write_surroundings() {
    const auto put_around = [this](auto value_of) {
      put([this, value_of](std::size_t i) { return value_of(*around_[i]); });
    };
    put_around([](const Surroundings& around) { return around.depth; });
    put_around([](const Surroundings& around) { return around.extras; });
    put_around([](const Surroundings& around) { return around.contents; });
    put_around([](const Surroundings& around) { return around.weaks; });
    put_around([](const Surroundings& around) { return around.comments; });
    put_around([](const Surroundings& around) { return around.weight; });
    put_around([](const Surroundings& around) { return around.extra_distance; });
    for (const Around what :
         {kInMain, kInArticle, kInHeader, kInInnerHeader, kInFooter, kInAside, kInForm, kInTable,
          kInList, kInSection, kInFigureOrQuote, kInExtraRole, kInLink}) {
      put_around([what](const Surroundings& around) { return around.in(what); });
    }
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

  void write_containers() {
    for (std::size_t i = 0; i < BlockGroup::kBlocks; ++i) {
      read_containers(std::min(first_of_group_ + i, blocks_.size() - 1));
      for (std::size_t k = 0; k < kContainerFeatures; ++k) {
        group_->columns[next_ + k][i] = containers_[k];
      }
    }
    next_ += kContainerFeatures;
  }
  // Blocks side by side have much in common: what did not change is not counted again.
  void read_containers(std::size_t i) {
    const Repeat& repeat = repeats_of_blocks_[i];
    containers_[1] = static_cast<float>(repeat.levels);
    if (repeat.at != repeat_ || i == 0) read_repeat(repeat);
    // Containers in steps of size.
    std::uint32_t at = blocks_[i].at;
    std::size_t levels_left = kLevelsUpMax;
    for (std::size_t step = 0; step < kSteps.size(); ++step) {
      const double least = kSteps[step] * outline_[0].all.text;
      while (outline_[at].parent != kNoItem && outline_[at].all.text < least && levels_left > 0) {
        at = outline_[at].parent;
        --levels_left;
      }
      if (at != containers_at_[step]) read_container(step, at);
    }
    const std::uint32_t parent = outline_[blocks_[i].at].parent;
    if (parent == parent_ && i > 0) return;
    parent_ = parent;
    const Counts& near = outline_[parent == kNoItem ? 0 : parent].all;
    containers_[18] = size_of(near.text);
    containers_[19] = static_cast<float>(near.link_density());
    containers_[20] = static_cast<float>(near.inputs);
  }
  void read_repeat(const Repeat& repeat) {
    repeat_ = repeat.at;
    const OutlineItem& item = outline_[repeat.at];
    const std::uint32_t list = item.parent == kNoItem ? 0 : item.parent;
    const Counts& all = outline_[list].all;
    containers_[0] = size_of(repeat.same);
    containers_[2] = repeat.at == 0 ? 0 : size_of(item.all.text);
    containers_[3] = repeat.at == 0 ? 0 : share(all.text, repeat.same);
    containers_[4] = static_cast<float>(all.link_density());
    containers_[5] = static_cast<float>(all.images);
  }
  void read_container(std::size_t step, std::uint32_t at) {
    containers_at_[step] = at;
    const Counts& counts = outline_[at].all;
    float* const values = &containers_[6 + 4 * step];
    values[0] = share(counts.text, outline_[0].all.text);
    values[1] = static_cast<float>(counts.link_density());
    values[2] = share(counts.commas * 100, counts.text);
    values[3] = share(counts.lists, counts.text);
  }

  void write_neighbours() {
    for (const std::size_t place : {kNear - 2, kNear - 1, kNear + 1, kNear + 2}) {
      put_list(sizes_, place);
      put_list(link_shares_, place);
      if (place != kNear - 1 && place != kNear + 1) continue;
      put_list(are_article_, place);
      put_list(are_headings_, place);
    }
  }
  // `place`: of the first block of the group, in a list with room for neighbours.
  void put_list(const std::vector<float>& list, std::size_t place) {
    const float* const values = &list[first_of_group_ + place];
    put([values](std::size_t i) { return values[i]; });
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
  // Neighbours of a block, on each side.
  static constexpr std::size_t kNear = 2;
  static constexpr std::array<double, 3> kSteps = {0.02, 0.1, 0.3};
  static constexpr std::size_t kContainerFeatures = 21;

  const Outline& outline_;
  const std::span<const TextBlock> blocks_;
  const ArticleNotes& article_;
  const PageNotes& page_;
  Repeats repeats_;
  std::vector<Surroundings> surroundings_;
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint32_t> before_;
  std::vector<Repeat> repeats_of_blocks_;
  // Of the blocks, with room for neighbours that do not exist and for the last group.
  std::vector<float> sizes_;
  std::vector<float> link_shares_;
  std::vector<float> are_article_;
  std::vector<float> are_headings_;
  // The group that is being written, and where.
  BlockGroup* group_ = nullptr;
  std::size_t first_of_group_ = 0;
  std::size_t next_ = 0;
  std::array<const TextBlock*, BlockGroup::kBlocks> texts_ = {};
  std::array<const OutlineItem*, BlockGroup::kBlocks> elements_ = {};
  std::array<const Surroundings*, BlockGroup::kBlocks> around_ = {};
  // The features of the containers of the last block.
  std::array<float, kContainerFeatures> containers_ = {};
  std::array<std::uint32_t, 3> containers_at_ = {kNoItem, kNoItem, kNoItem};
  std::uint32_t repeat_ = 0;
  std::uint32_t parent_ = 0;
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

void block_features(const Outline& outline, std::span<const TextBlock> blocks,
                    const ArticleNotes& article, const PageNotes& page,
                    std::move_only_function<void(const BlockGroup&, std::size_t)> use) {
  if (blocks.empty()) return;
  FeatureWriter writer(outline, blocks, article, page);
  BlockGroup group;
  for (std::size_t first = 0; first < blocks.size(); first += BlockGroup::kBlocks) {
    writer.write(first, group);
    use(group, std::min(blocks.size() - first, BlockGroup::kBlocks));
  }
}

}  // namespace gossamer::content
