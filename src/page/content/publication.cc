#include "content/publication.h"

#include <algorithm>
#include <array>

#include "base/number.h"
#include "content/person_name.h"
#include "html/token/ascii.h"
#include "url/url.h"

namespace gossamer::content {
namespace {

// Parts of paths that have articles and posts below them.
constexpr auto kArticleFolders = std::to_array<std::string_view>(
    {"blog",  "blogs",     "news",   "newsroom", "article",  "articles",   "post",     "posts",
     "story", "stories",   "thread", "threads",  "forum",    "forums",     "topic",    "topics",
     "t",     "questions", "press",  "insight",  "insights", "showthread", "viewtopic"});

bool is_number_between(std::string_view text, int least, int most) {
  int number = 0;
  return base::parse_number(text, number) && number >= least && number <= most;
}

// Returns whether the path of a URL has a folder of articles, or one for a month.
bool is_article_path(std::string_view path) {
  constexpr std::string_view kSeparators = "/_-.";
  bool was_year = false;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find_first_of(kSeparators, at), path.size());
    const std::string_view word = path.substr(at, end - at);
    const bool is_last = end + 1 >= path.size();
    if (!is_last && std::ranges::count(kArticleFolders, html::lower_case(word)) > 0) return true;
    if (was_year && is_number_between(word, 1, 12)) return true;
    was_year = end < path.size() && path[end] == '/' && is_number_between(word, 1990, 2040);
    at = end + 1;
  }
  return false;
}

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    const bool is_other = static_cast<signed char>(c) < 0;
    if (is_other || html::is_ascii_letter(c) || html::is_ascii_digit(c)) {
      letters += html::to_lower(c);
    }
  }
  return letters;
}

bool is_front_page(const url::Url& url) {
  return url.pathname().size() <= 1 && url.search().empty();
}

class PublicationChoice {
 public:
  explicit PublicationChoice(const PublicationClaims& claims) : claims_(claims) {
    const auto page = url::Url::parse(claims.url);
    auto url = url::Url::parse(claims.canonical.empty() ? claims.url : claims.canonical,
                               page ? &*page : nullptr);
    if (!url) url = url::Url::parse(claims.url);
    // Some sites name their front page as the canonical URL of everything.
    const bool is_elsewhere = url && page && is_front_page(*url) && page->pathname().size() > 1;
    if (is_elsewhere && claims.kind == "article") url = url::Url::parse(claims.url);
    if (url) {
      path_ = url->pathname();
      is_front_page_ = !claims.canonical.empty() && is_front_page(*url);
      host_ = url->hostname();
      if (host_.starts_with("www.")) host_.erase(0, 4);
    }
  }

  Publication choose() {
    if (is_front_page_) return {};
    const Byline& byline = claims_.byline;
    const bool is_list = byline.has_falling_days && claims_.structured.published.empty();
    if (!is_list) day_ = byline.day;
    Publication found = {.author = stated_author(false)};
    if (found.author.empty() && !is_list) found.author = byline.author;
    const bool is_article_url = is_article_path(path_);
    if (found.author.empty() && (!day_.empty() || is_article_url)) {
      found.author = stated_author(true);
    }
    const bool is_article =
        !claims_.structured.published.empty() || !day_.empty() || is_article_url;
    if (is_article || (!found.author.empty() && !is_list)) found.published = stated_day();
    const bool is_offer = claims_.structured.is_offer || claims_.kind.contains("product");
    if (is_offer && claims_.structured.published.empty()) found.author.clear();
    return found;
  }

 private:
  // Many sites name themselves as the author of everything.
  bool is_site(std::string_view name) const {
    const std::string letters = letters_of(name);
    if (letters == letters_of(claims_.site) || letters == letters_of(host_)) return true;
    const std::string_view host = host_;
    const std::size_t dot = host.rfind('.');
    const std::string_view name_of_host = host.substr(0, dot);
    const std::size_t previous = name_of_host.rfind('.');
    return letters == letters_of(previous == std::string_view::npos
                                     ? name_of_host
                                     : name_of_host.substr(previous + 1));
  }
  std::string stated_author(bool may_be_site) const {
    for (const std::string_view claim :
         {std::string_view(claims_.structured.author), claims_.author, claims_.author_link}) {
      std::string name = author_name(claim);
      if (is_author_name(name) && (may_be_site || !is_site(name))) return name;
    }
    return {};
  }
  std::string stated_day() const {
    for (const std::string_view claim :
         {claims_.published, std::string_view(claims_.structured.published), std::string_view(day_),
          std::string_view(claims_.structured.page_published)}) {
      if (std::string day = iso_date(claim, claims_.order); !day.empty()) return day;
    }
    const std::vector<DateInText> in_path = dates_in(path_);
    return in_path.empty() ? std::string() : in_path.front().day;
  }

  const PublicationClaims& claims_;
  std::string path_;
  bool is_front_page_ = false;
  std::string host_;
  std::string day_;  // of the byline
};

}  // namespace

Publication find_publication(const PublicationClaims& claims) {
  return PublicationChoice(claims).choose();
}

}  // namespace gossamer::content
