#include "html/links/data_urls.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/number.h"
#include "base/utf8.h"
#include "html/links/script_urls.h"
#include "html/token/ascii.h"

namespace gossamer::html {
namespace {

constexpr std::size_t kUrlBytesMax = 2048;
constexpr std::size_t kNameBytesMax = 24;
// A shorter text contains no data with a link.
constexpr std::size_t kInnerBytesMin = 12;

// In lower case, without separators.
constexpr auto kLinkNames = std::to_array<std::string_view>(
    {"canonical", "canonicalurl", "fullurl", "href", "link", "linkurl", "loc", "pageurl", "path",
     "pathname", "permalink", "publicurl", "relativeurl", "to", "uri", "url", "urlpath", "weburl"});

// What paths of files, programs and parts of content systems begin with, in lower case.
constexpr auto kOtherPaths = std::to_array<std::string_view>(
    {"/-/", "/_next/", "/_nuxt/", "/api/", "/assets/", "/cdn-cgi/", "/data/content/", "/files/",
     "/graphql", "/image/", "/images/", "/img/", "/media/", "/sitecore/", "/static/", "/wp-json/"});

constexpr auto kPageEndings = std::to_array<std::string_view>(
    {"asp", "aspx", "cfm", "do", "htm", "html", "jsp", "php", "shtml", "xhtml"});

constexpr auto kDataBeginnings = std::to_array<std::string_view>(
    {"__NUXT__", "self.__next_f", "window.__APOLLO_STATE__", "window.__INITIAL_STATE__",
     "window.__NUXT__", "window.__PRELOADED_STATE__"});

bool is_name_byte(char c) noexcept {
  return is_ascii_letter(c) || is_ascii_digit(c) || c == '_' || c == '$';
}

bool is_link_name(std::string_view name) {
  std::string plain;
  if (name.size() > kNameBytesMax) return false;
  for (const char c : name) {
    if (c != '_' && c != '-') plain.push_back(to_lower(c));
  }
  return std::ranges::find(kLinkNames, plain) != kLinkNames.end();
}

// "/a/b" of "https://host/a/b?c"; empty: there is none.
std::string_view path_of(std::string_view url) noexcept {
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
    url.remove_prefix(std::min(url.find('/'), url.size()));
  }
  return url.substr(0, url.find_first_of("?#"));
}

// Routes of programs have names in them: /product/:id, /blog/[slug].
bool is_path_of_page(std::string_view path) noexcept {
  if (path.find_first_of("[]*$(){}|,;!") != std::string_view::npos) return false;
  if (path.find("/:") != std::string_view::npos || path.find("//") != std::string_view::npos) {
    return false;
  }
  const bool is_other = std::ranges::any_of(
      kOtherPaths, [path](std::string_view begin) { return starts_ignoring_case(path, begin); });
  if (is_other) return false;
  const std::string_view last = path.substr(path.rfind('/') + 1);
  const std::size_t dot = last.rfind('.');
  if (dot == std::string_view::npos) return true;
  const std::string_view ending = last.substr(dot + 1);
  constexpr std::size_t kEndingMax = 5;
  const bool is_ending =
      !ending.empty() && ending.size() <= kEndingMax &&
      std::ranges::all_of(ending, [](char c) { return is_ascii_letter(c) || is_ascii_digit(c); });
  return !is_ending || std::ranges::any_of(kPageEndings, [ending](std::string_view known) {
    return equals_ignoring_case(ending, known);
  });
}

bool leads_to_page(std::string_view url) {
  if (url.size() < 2 || url.size() > kUrlBytesMax) return false;
  const bool is_absolute =
      starts_ignoring_case(url, "https://") || starts_ignoring_case(url, "http://");
  if (!is_absolute && (url[0] != '/' || !(is_ascii_letter(url[1]) || is_ascii_digit(url[1])))) {
    return false;
  }
  const std::string_view path = path_of(url);
  std::string probe(url);
  // With a slash at its end, every path looks like a URL.
  if (!is_absolute) probe.insert(path.size(), 1, '/');
  return looks_like_url(probe) && is_path_of_page(path);
}

// Nuxt writes each text once and refers to it, by its number in the list that is the data, or by
// the name of a parameter: (function(a,b){return {path:a}}("/x","/y")).
class DataReferences {
 public:
  // Of a list or call that is read. REQUIRES: brackets and commas are outside of texts.
  void note(char c, char before) {
    if (c == '(' && before == '}') {
      list_level_ = level_ + 1;
      texts_.clear();
      index_ = 0;
    }
    if (c == '{' || c == '[' || c == '(') ++level_;
    if ((c == '}' || c == ']' || c == ')') && level_ > 0) --level_;
    if (c == ',' && level_ == list_level_) ++index_;
  }
  void note_text(const std::string& text) {
    if (level_ == list_level_ && texts_.size() < kDataUrlsMax && leads_to_page(text)) {
      texts_.emplace(index_, text);
    }
  }
  // `data` begins after the word "function". Only the first one that has parameters counts.
  void note_parameters(std::string_view data) {
    if (!parameters_.empty() || !data.starts_with('(')) return;
    std::string_view names = data.substr(1, std::min(data.find(')'), data.size()) - 1);
    for (std::size_t i = 0; !names.empty() && i < kDataUrlsMax; ++i) {
      const std::size_t end = std::min(names.find(','), names.size());
      parameters_.emplace(names.substr(0, end), i);
      names.remove_prefix(std::min(end + 1, names.size()));
    }
  }
  void refer(std::string word) {
    if (words_.size() < kDataUrlsMax) words_.push_back(std::move(word));
  }
  // Calls `use(text)` for each text that is referred to.
  template <class Use>
  void resolve(Use use) const {
    for (const std::string& word : words_) {
      const auto parameter = parameters_.find(word);
      std::size_t index = 0;
      const bool is_number = base::parse_number(word, index);
      if (!is_number && parameter == parameters_.end()) continue;
      const auto text = texts_.find(is_number ? index : parameter->second);
      if (text != texts_.end()) use(text->second);
    }
  }

 private:
  std::size_t level_ = 0;
  std::size_t list_level_ = 1;
  std::size_t index_ = 0;
  std::unordered_map<std::size_t, std::string> texts_;  // that may be links
  std::unordered_map<std::string, std::size_t> parameters_;
  std::vector<std::string> words_;
};

class DataReader {
 public:
  void read_all(std::string_view data) {
    read(data, 1);
    references_.resolve([this](const std::string& text) { add(text); });
  }

  std::vector<std::string> urls;

 private:
  void read(std::string_view data, int depth) {
    std::string name;
    char before = 0;
    while (!data.empty() && urls.size() < kDataUrlsMax) {
      const char c = data.front();
      // In JSON and in texts, only one of them is a quotation mark.
      if (c == '"' || (depth == 1 && (c == '\'' || c == '`'))) {
        const std::string text = take_text(data);
        if (takes_colon(data)) {
          name = text;
          continue;
        }
        if (depth == 1) references_.note_text(text);
        take_value(text, name, depth);
        name.clear();
      } else if (is_name_byte(c)) {
        std::string word = take_word(data);
        if (takes_colon(data)) {
          name = word;
        } else if (depth == 1 && word == "function") {
          references_.note_parameters(data);
        } else if (depth == 1 && !name.empty() && is_link_name(name)) {
          references_.refer(std::move(word));
        }
      } else {
        if (depth == 1) references_.note(c, before);
        before = c;
        if (c == '{' || c == '[' || c == ',' || c == '}' || c == ']') name.clear();
        data.remove_prefix(1);
      }
    }
  }

  static bool takes_colon(std::string_view& data) {
    std::size_t at = 0;
    while (at < data.size() && (data[at] == ' ' || data[at] == '\n' || data[at] == '\t')) ++at;
    if (at == data.size() || data[at] != ':') return false;
    data.remove_prefix(at + 1);
    return true;
  }

  static std::string take_word(std::string_view& data) {
    std::size_t end = 1;
    while (end < data.size() && is_name_byte(data[end])) ++end;
    std::string word(data.substr(0, std::min(end, kNameBytesMax + 1)));
    data.remove_prefix(end);
    return word;
  }

  // Decodes a text. One without an end has ended.
  static std::string take_text(std::string_view& data) {
    const char quote = data.front();
    data.remove_prefix(1);
    std::string text;
    const char stops[] = {quote, '\\'};
    for (;;) {
      const std::size_t end = std::min(data.find_first_of(std::string_view(stops, 2)), data.size());
      text += data.substr(0, end);
      data.remove_prefix(end);
      if (data.empty()) return text;
      const bool is_end = data.front() == quote;
      data.remove_prefix(1);
      if (is_end) return text;
      take_escape(data, text);
    }
  }

  static void take_escape(std::string_view& data, std::string& text) {
    if (data.empty()) return;
    const char c = data.front();
    data.remove_prefix(1);
    if (c != 'u') {
      const bool is_blank = c == 'n' || c == 't' || c == 'r' || c == 'b' || c == 'f';
      text.push_back(is_blank ? ' ' : c);
      return;
    }
    char32_t code = 0;
    for (std::size_t i = 0; i < 4 && !data.empty(); ++i) {
      const char d = to_lower(data.front());
      const int value = is_ascii_digit(d) ? d - '0' : d >= 'a' && d <= 'f' ? d - 'a' + 10 : -1;
      if (value < 0) break;
      code = code * 16 + static_cast<unsigned>(value);
      data.remove_prefix(1);
    }
    const bool is_half = code >= 0xD800 && code <= 0xDFFF;
    base::append_utf8(text, code == 0 || is_half ? U' ' : code);
  }

  void take_value(const std::string& text, std::string_view name, int depth) {
    if (!name.empty() && is_link_name(name) && leads_to_page(text)) {
      return add(text);
    }
    const bool may_be_data = depth < kDataDepthMax && text.size() >= kInnerBytesMin &&
                             text.find_first_of("{[") != std::string::npos &&
                             text.find(':') != std::string::npos;
    if (may_be_data) read(text, depth + 1);
  }

  void add(const std::string& text) {
    if (urls.size() < kDataUrlsMax && seen_.insert(text).second) urls.push_back(text);
  }

  std::unordered_set<std::string> seen_;
  DataReferences references_;
};

}  // namespace

bool is_page_data(std::string_view script) noexcept {
  const std::size_t begin = script.find_first_not_of(" \t\r\n\f(;");
  if (begin == std::string_view::npos) return false;
  script.remove_prefix(begin);
  return std::ranges::any_of(
      kDataBeginnings, [script](std::string_view known) { return script.starts_with(known); });
}

std::vector<std::string> data_urls(std::string_view data) {
  DataReader reader;
  reader.read_all(data);
  return std::move(reader.urls);
}

}  // namespace gossamer::html
