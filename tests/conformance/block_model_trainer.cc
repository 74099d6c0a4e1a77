// Learns the model of content/block_model.h from marked pages of the test data:
//
//   block_model_trainer > src/page/content/block_model.inc
//
// First it learns three times from two thirds of the pages and tries the other third, and prints
// the mean F1 over words of each kind of page to standard error: what to expect of unseen pages.
// Then it learns from all pages. docs/decisions/0039-main-text-by-a-learned-model.md says why and
// what.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <future>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/hash.h"
#include "boosted_trees.h"
#include "content/block_model.h"
#include "content/content_text.h"
#include "content/main_content.h"
#include "dom/parse.h"
#include "support/gunzip.h"
#include "support/json.h"
#include "support/testdata.h"

namespace gossamer::conformance {
namespace {

constexpr std::size_t kFolds = 3;
using WordCounts = std::unordered_map<std::string, int>;

struct TrainingPage {
  std::string file;
  std::string kind;
  std::size_t fold = 0;
  std::vector<content::TextBlock> blocks;
  std::vector<Example> examples;                // one per block; none: the model is not used
  std::vector<std::vector<std::string>> words;  // of each block
  WordCounts truth;
  double plain_f1 = 0;  // without the model
};

// Letters and digits of ASCII in lower case, and everything beyond ASCII.
std::vector<std::string> training_words(std::string_view text) {
  std::vector<std::string> words;
  bool is_inside = false;
  for (const char c : text) {
    const bool is_word = base::is_letter(c) || base::is_digit(c) || static_cast<signed char>(c) < 0;
    if (is_word && !is_inside) words.emplace_back();
    if (is_word) words.back() += base::to_lower(c);
    is_inside = is_word;
  }
  return words;
}

double f1_of_counts(const WordCounts& truth, const WordCounts& found) {
  int both = 0;
  int all = 0;
  for (const auto& [word, count] : truth) {
    all += count;
    if (const auto same = found.find(word); same != found.end()) {
      both += std::min(count, same->second);
    }
  }
  for (const auto& [word, count] : found) all += count;
  return all == 0 ? 1 : 2.0 * both / all;
}

// Knows which groups of words are in the marked text.
class MarkedText {
 public:
  explicit MarkedText(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::size_t count = 1; count <= kTogether && i + count <= words.size(); ++count) {
        groups_.insert(group(std::span(words).subspan(i, count)));
      }
    }
  }
  // Returns the share of the words that are in groups of three of the marked text.
  double share_of(const std::vector<std::string>& words) const {
    if (words.empty()) return 0;
    const std::size_t together = std::min(words.size(), kTogether);
    std::vector<bool> is_marked(words.size());
    for (std::size_t i = 0; i + together <= words.size(); ++i) {
      if (!groups_.contains(group(std::span(words).subspan(i, together)))) continue;
      std::fill_n(is_marked.begin() + static_cast<std::ptrdiff_t>(i), together, true);
    }
    return static_cast<double>(std::ranges::count(is_marked, true)) /
           static_cast<double>(words.size());
  }

 private:
  static constexpr std::size_t kTogether = 3;
  static std::string group(std::span<const std::string> words) {
    return fmt::format("{}", fmt::join(words, " "));
  }
  std::unordered_set<std::string> groups_;
};

// One or two words may be in the marked text by chance, so they count as much as their neighbours.
std::vector<double> targets_of(const TrainingPage& page, const MarkedText& marked) {
  std::vector<double> shares;
  for (const auto& words : page.words) shares.push_back(marked.share_of(words));
  std::vector<double> targets = shares;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (page.words[i].size() > 2) continue;
    const double before = i > 0 ? shares[i - 1] : 0;
    const double after = i + 1 < shares.size() ? shares[i + 1] : 0;
    targets[i] = shares[i] * (0.3 + 0.7 * std::max(before, after));
  }
  return targets;
}

// All pages weigh about the same, and blocks as much as they change the F1.
void make_examples(TrainingPage& page, const std::vector<content::BlockGroup>& groups,
                   const std::vector<std::string>& truth) {
  const std::vector<double> targets = targets_of(page, MarkedText(truth));
  const double size = std::max<double>(50, static_cast<double>(truth.size()));
  double total = 0;
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    const double weight = 100 * static_cast<double>(page.words[i].size()) / size + 0.05;
    total += weight;
    page.examples.push_back({.target = targets[i], .weight = weight});
    const content::BlockGroup& group = groups[i / content::BlockGroup::kBlocks];
    for (std::size_t feature = 0; feature < content::kBlockFeatures; ++feature) {
      page.examples.back().features[feature] =
          group.columns[feature][i % content::BlockGroup::kBlocks];
    }
  }
  const double most = 300;
  for (Example& one : page.examples) {
    one.weight *= std::min(1.0, most / total);
  }
}

TrainingPage read_page(const std::string& file, std::string_view truth) {
  TrainingPage page = {.file = file, .fold = base::hash64(file) % kFolds};
  const std::vector<std::string> words = training_words(truth);
  for (const std::string& word : words) ++page.truth[word];
  const std::string html = gunzip(read_testdata(file));
  const dom::Document document = dom::parse(html);
  content::MainContentSearch search(document);
  search.keep_features();
  while (!search.find_some()) {
  }
  page.blocks = std::move(search.blocks());
  if (page.blocks.empty()) {
    const content::MainContent content = search.take();
    WordCounts found;
    for (const std::string& word : training_words(content::to_text(content, html.size()))) {
      ++found[word];
    }
    page.plain_f1 = f1_of_counts(page.truth, found);
    return page;
  }
  // The same places, with all texts.
  const content::Outline outline(document);
  for (const content::TextBlock& block : page.blocks) {
    std::string text;
    content::for_each_text(outline, block.at, false,
                           [&](std::string_view part, bool) { text += part; });
    page.words.push_back(training_words(text));
  }
  make_examples(page, search.features(), words);
  return page;
}

std::vector<TrainingPage> read_pages() {
  std::vector<TrainingPage> pages;
  for (const auto& entry : std::filesystem::directory_iterator(testdata_path("wcxb/truth"))) {
    const std::string id = entry.path().stem().string();
    const Json file = read_json("wcxb/truth/" + id + ".json");
    pages.push_back(
        read_page("wcxb/html/" + id + ".html.gz", file["ground_truth"].value("main_content", "")));
    pages.back().kind = file["_internal"]["page_type"]["primary"].get<std::string>();
  }
  const Json articles = read_json("content/article-extraction/ground-truth.json");
  for (const auto& [id, entry] : articles.items()) {
    pages.push_back(read_page("content/article-extraction/html/" + id + ".html.gz",
                              entry["articleBody"].get<std::string>()));
    pages.back().kind = "article-extraction";
  }
  std::ranges::sort(pages, {}, &TrainingPage::file);
  return pages;
}

std::vector<Example> examples_of(const std::vector<TrainingPage>& pages, std::size_t left_out) {
  std::vector<Example> all;
  for (const TrainingPage& page : pages) {
    if (page.fold == left_out) continue;
    all.insert(all.end(), page.examples.begin(), page.examples.end());
  }
  return all;
}

template <class Probability>
double page_f1(const TrainingPage& page, Probability probability_of) {
  if (page.blocks.empty()) return page.plain_f1;
  std::vector<double> probabilities;
  for (const Example& one : page.examples) probabilities.push_back(probability_of(one.features));
  const std::vector<bool> kept = content::best_blocks(page.blocks, probabilities);
  WordCounts found;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    for (const std::string& word : page.words[i]) ++found[word];
  }
  return f1_of_counts(page.truth, found);
}

using KindMeans = std::map<std::string, std::pair<double, int>>;

void add_f1(KindMeans& means, const TrainingPage& page, double f1) {
  for (const std::string& kind : {page.kind, std::string("wcxb")}) {
    if (kind == "wcxb" && page.kind == "article-extraction") continue;
    means[kind].first += f1;
    ++means[kind].second;
  }
}

void print_means(std::string_view what, const KindMeans& means) {
  fmt::print(stderr, "{}:", what);
  for (const auto& [kind, mean] : means) {
    fmt::print(stderr, " {} {:.3f}", kind, mean.first / mean.second);
  }
  fmt::print(stderr, "\n");
}

void print_model(const BoostedTrees& model) {
  const auto floats = [](const auto& values) {
    std::string list;
    for (const auto value : values) {
      std::string number = fmt::format("{:.6g}", static_cast<double>(value));
      if (number.find_first_of(".e") == std::string::npos) number += ".0";
      list += (list.empty() ? "" : ", ") + number + "F";
    }
    return list;
  };
  fmt::print("// Learned by gradient boosting: features, thresholds and leaves of each tree.\n");
  fmt::print("{{{:.4g}F,\n {{{{\n", model.base);
  for (const TrainedTree& tree : model.trees) {
    fmt::print("   {{{{{}}},\n    {{{}}},\n    {{{}}}}},\n", fmt::join(tree.features, ", "),
               floats(tree.thresholds), floats(tree.leaves));
  }
  fmt::print(" }}}}}}\n");
}

double probability_in_tree(const BlockFeatures& row) {
  content::BlockGroup group;
  for (std::size_t feature = 0; feature < row.size(); ++feature) {
    group.columns[feature][0] = row[feature];
  }
  std::vector<double> probabilities;
  content::add_probabilities(group, 1, probabilities);
  return probabilities.front();
}

void run_trainer() {
  const std::vector<TrainingPage> pages = read_pages();
  KindMeans current;
  for (const TrainingPage& page : pages) {
    add_f1(current, page, page_f1(page, probability_in_tree));
  }
  print_means("the model in the tree", current);
  // The last one is learned from all pages.
  std::vector<std::future<BoostedTrees>> models;
  for (std::size_t left_out = 0; left_out <= kFolds; ++left_out) {
    models.push_back(std::async(std::launch::async, [&pages, left_out] {
      return train(examples_of(pages, left_out), {});
    }));
  }
  KindMeans unseen;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    const BoostedTrees model = models[fold].get();
    for (const TrainingPage& page : pages) {
      if (page.fold != fold) continue;
      add_f1(unseen, page, page_f1(page, [&](const auto& row) { return model.probability(row); }));
    }
  }
  print_means("unseen", unseen);
  const BoostedTrees model = models[kFolds].get();
  KindMeans seen;
  for (const TrainingPage& page : pages) {
    add_f1(seen, page, page_f1(page, [&](const auto& row) { return model.probability(row); }));
  }
  print_means("seen", seen);
  print_model(model);
}

}  // namespace
}  // namespace gossamer::conformance

int main() { gossamer::conformance::run_trainer(); }
