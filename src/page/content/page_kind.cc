#include "content/page_kind.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <vector>

#include "content/page_shape.h"
#include "html/token/ascii.h"
#include "url/url.h"

namespace gossamer::content {
namespace {

using Words = std::initializer_list<std::string_view>;

constexpr std::size_t kKinds = 8;
// Points that a kind needs, and how many more than the next one. The best of these on pages that
// people marked (docs/extract.md#metadata).
constexpr std::array<int, kKinds> kPointsMin = {0, 6, 6, 5, 4, 6, 8, 8};
constexpr int kLeadMin = 2;

bool is_any_of(std::string_view word, Words words) { return std::ranges::count(words, word) > 0; }

// Splits a text at any of the marks. BORROWS: the text.
std::vector<std::string_view> split(std::string_view text, std::string_view marks) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(marks), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

class KindPoints {
 public:
  KindPoints(const PageShape& shape, const PageKindClaims& claims)
      : shape_(shape), claims_(claims), generator_(html::lower_case(claims.generator)) {
    const auto url = url::Url::parse(claims.url);
    if (!url) return;
    host_ = url->hostname();
    path_ = html::lower_case(url->pathname());
    labels_ = split(host_, ".");
    labels_.resize(labels_.size() - std::min<std::size_t>(2, labels_.size()));
    folders_ = split(path_, "/");
    has_long_name_ = !folders_.empty() && std::ranges::count_if(folders_.back(), [](char c) {
                                            return c == '-' || c == '_';
                                          }) >= 4;
  }

  PageKind best() {
    add_forum();
    add_documentation();
    add_product();
    add_collection();
    add_article();
    add_listing();
    add_service();
    weigh();
    std::size_t first = 0;
    int next = 0;
    for (std::size_t kind = 1; kind < kKinds; ++kind) {
      if (first == 0 || points_[kind] > points_[first]) {
        next = first == 0 ? 0 : std::max(next, points_[first]);
        first = kind;
      } else {
        next = std::max(next, points_[kind]);
      }
    }
    const bool is_sure = points_[first] >= kPointsMin[first] && points_[first] - next >= kLeadMin;
    return is_sure ? static_cast<PageKind>(first) : PageKind::unsure;
  }

 private:
  int& of(PageKind kind) { return points_[static_cast<std::size_t>(kind)]; }
  int points(PageKind kind) const { return points_[static_cast<std::size_t>(kind)]; }

  bool has_type(Words types) const {
    return std::ranges::any_of(claims_.types,
                               [&](const std::string& type) { return is_any_of(type, types); });
  }
  bool is_made_by(Words programs) const {
    return std::ranges::any_of(
        programs, [this](std::string_view program) { return generator_.contains(program); });
  }
  bool has_label(Words labels) const {
    return std::ranges::any_of(labels_,
                               [&](std::string_view label) { return is_any_of(label, labels); });
  }
  bool has_folder(Words names) const {
    return std::ranges::any_of(folders_,
                               [&](std::string_view folder) { return is_any_of(folder, names); });
  }
  // The last part of a path is the page itself.
  bool is_below(Words names) const {
    return !folders_.empty() &&
           std::any_of(folders_.begin(), folders_.end() - 1,
                       [&](std::string_view folder) { return is_any_of(folder, names); });
  }
  bool has_word(Words words) const {
    return std::ranges::any_of(split(path_, "/_-."),
                               [&](std::string_view word) { return is_any_of(word, words); });
  }

  void add_forum() {
    int& sum = of(PageKind::forum);
    if (has_type({"DiscussionForumPosting", "QAPage"})) sum += 10;
    if (is_made_by({"discourse", "phpbb", "vbulletin", "xenforo", "flarum", "mybb", "invision"})) {
      sum += 8;
    }
    if (is_below({"thread", "threads", "forum", "forums", "t", "topic", "topics", "question",
                  "questions", "discussion", "discussions", "board", "boards", "talk"}) ||
        path_.contains("viewtopic") || path_.contains("showthread")) {
      sum += 4;
    }
    if (has_label({"forum", "forums", "community", "discuss", "discourse", "talk", "users"})) {
      sum += 4;
    }
  }
  void add_documentation() {
    int& sum = of(PageKind::documentation);
    if (is_made_by({"docusaurus", "sphinx", "docutils", "mkdocs", "rustdoc", "javadoc", "doxygen",
                    "gitbook", "vuepress", "vitepress", "dokuwiki", "starlight", "jsdoc",
                    "typedoc"})) {
      sum += 8;
    }
    if (has_label({"docs", "doc", "developer", "developers", "devdocs", "dev", "man", "api",
                   "documentation", "readthedocs"}) ||
        host_.contains("readthedocs")) {
      sum += 6;
    }
    if (has_folder({"docs", "doc", "reference", "manual", "documentation", "api", "apidocs",
                    "manpages", "man", "library", "stdlib", "guide"})) {
      sum += 4;
    }
    if (has_type({"TechArticle", "APIReference"})) sum += 4;
    if (shape_.code_blocks >= 4) sum += 2;
    if (shape_.code_blocks >= 10) sum += 2;
  }
  void add_product() {
    int& sum = of(PageKind::product);
    if (products() > 0) sum += products() > 3 ? 2 : 6;
    const std::string_view type = claims_.open_graph;
    if (type == "product" || type == "og:product" || type.ends_with(":item")) sum += 6;
    if (is_below({"product", "products", "p", "dp", "itm", "item", "pd", "prod"})) sum += 4;
  }
  void add_collection() {
    int& sum = of(PageKind::collection);
    if (claims_.open_graph == "product.group" || claims_.open_graph == "product:group") sum += 8;
    if (shape_.prices >= 8 && shape_.link_text * 10 > shape_.text * 3) sum += 2;
    if (shape_.prices >= 12) sum += 2;
    if (shape_.prices >= 20) sum += 2;
    if (shape_.prices >= 5 && shape_.has_titles_of_others()) sum += 2;
    if (shape_.prices >= 3 && has_type({"CollectionPage", "ItemList"})) sum += 4;
    if (products() > 3) sum += 4;
    if (is_shop_folder()) sum += 2;
  }
  void add_article() {
    int& sum = of(PageKind::article);
    if (claims_.has_date) sum += 4;
    if (claims_.has_author) sum += 2;
    if (claims_.open_graph == "article") sum += 2;
    if (has_article_type()) sum += 4;
    if (is_below({"blog", "blogs", "news", "newsroom", "article", "articles", "post", "posts",
                  "story", "stories", "insights"})) {
      sum += 2;
    }
    if (has_long_name_) sum += 2;
    if (shape_.long_texts >= 9) sum += 2;
    if (shape_.is_mostly_links()) sum -= 2;
  }
  void add_listing() {
    int& sum = of(PageKind::listing);
    if (shape_.is_mostly_links()) sum += 2;
    if (shape_.link_text * 2 > shape_.text) sum += 2;
    if (shape_.prices < 5 && shape_.has_titles_of_others()) sum += 4;
    if (shape_.prices < 3 &&
        has_type({"CollectionPage", "ItemList", "Blog", "SearchResultsPage"})) {
      sum += 4;
    }
    if (shape_.long_texts < 3) sum += 2;
    if (shape_.long_texts >= 9) sum -= 2;
    if (shape_.prices >= 8) sum -= 2;
    if (has_long_name_ || has_article_type()) sum -= 4;
    if (is_shop_folder()) sum -= 2;
    if (has_word({"services", "service", "solutions"})) sum -= 4;
  }
  void add_service() {
    int& sum = of(PageKind::service);
    if (has_type({"Service", "LocalBusiness", "ProfessionalService", "SoftwareApplication",
                  "WebApplication", "FinancialProduct", "Dentist"})) {
      sum += 4;
    }
    if (has_word({"services", "service", "solutions", "solution", "consulting", "pricing"})) {
      sum += 4;
    }
    if (folders_.size() <= 1 && !has_long_name_) sum += 2;
    if (claims_.open_graph == "website" && !claims_.has_date && !claims_.has_author) sum += 2;
    if (shape_.long_texts >= 3 && !shape_.is_mostly_links()) sum += 1;
    if (has_long_name_ || shape_.has_titles_of_others()) sum -= 2;
  }
  // A thread has dates and authors, too, and a front page of documents is a list.
  void weigh() {
    if (points(PageKind::forum) >= 4) of(PageKind::article) -= 4;
    if (points(PageKind::forum) >= 4 || points(PageKind::documentation) >= 6)
      of(PageKind::listing) -= 4;
    if (points(PageKind::product) >= 6) of(PageKind::article) -= 2;
  }

  bool has_article_type() const {
    return std::ranges::any_of(claims_.types, [](const std::string& type) {
      return (type.ends_with("Article") && type != "TechArticle") || type == "BlogPosting" ||
             type == "Review" || type == "Recipe";
    });
  }
  std::ptrdiff_t products() const {
    return std::ranges::count(claims_.types, "Product") +
           std::ranges::count(claims_.types, "ProductGroup");
  }
  bool is_shop_folder() const {
    return has_folder({"c", "s", "b", "collections", "collection", "category", "categories", "cat",
                       "shop", "browse", "product-category"});
  }

  const PageShape& shape_;
  const PageKindClaims& claims_;
  const std::string generator_;
  std::string host_;
  std::string path_;
  std::vector<std::string_view> labels_;   // of the host, without its last two
  std::vector<std::string_view> folders_;  // of the path, and the page itself
  bool has_long_name_ = false;             // a title in the URL
  std::array<int, kKinds> points_ = {};
};

}  // namespace

std::string_view name(PageKind kind) noexcept {
  constexpr std::array<std::string_view, kKinds> kNames = {
      "", "article", "documentation", "service", "forum", "product", "collection", "listing"};
  return kNames[static_cast<std::size_t>(kind)];
}

PageKind find_page_kind(const dom::Document& document, const PageKindClaims& claims) {
  const PageShape shape = measure_shape(document);
  return KindPoints(shape, claims).best();
}

}  // namespace gossamer::content
