#include "check/markdown_inlines.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "check/heading_ids.h"
#include "check/link_text.h"
#include "url/code_points.h"
#include "url/percent.h"

namespace gossamer::check {
namespace {

// BOUND: the length of a bare URL. Searching for its end would otherwise take the square of a long
// text.
constexpr std::size_t kAddressBytesMax = 4 * 1024;

constexpr std::string_view kBlank = " \t\r\n";
// BOUND: the number of open brackets.
constexpr std::size_t kOpenMax = 1000;
// BOUND: longer tags and titles are ignored; otherwise a text full of openings would take the
// square of its size.
constexpr std::size_t kTagBytesMax = 16 * 1024;
constexpr std::size_t kTitleBytesMax = 4 * 1024;
constexpr std::size_t kWikilinkBytesMax = 1024;

bool is_blank(char c) { return kBlank.find(c) != std::string_view::npos; }

// "http:", "mailto:": two letters at least.
bool begins_with_scheme(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && i <= 32 &&
         (url::is_alpha(text[i]) || (i > 0 && (url::is_digit(text[i]) || text[i] == '+' ||
                                               text[i] == '.' || text[i] == '-')))) {
    ++i;
  }
  return i >= 2 && i < text.size() && text[i] == ':';
}

// Returns how much of the text belongs to a bare URL.
std::size_t bare_address_size(std::string_view text, bool is_in_brackets) {
  const std::string_view ends = is_in_brackets ? " \t\r\n<|`]" : " \t\r\n<|`";
  std::size_t size = std::min(text.find_first_of(ends), text.size());
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::string_view kTrailing = "?!.,:*_~'\"";
  for (bool is_cut = true; is_cut && size > 0;) {
    is_cut = false;
    const std::string_view address = text.substr(0, size);
    if (kTrailing.find(address.back()) != std::string_view::npos) {
      is_cut = true;
      --size;
    } else if (address.back() == ')' &&
               std::ranges::count(address, ')') > std::ranges::count(address, '(')) {
      is_cut = true;
      --size;
    } else if (address.back() == ';') {  // a reference that is not part of it: &quot;
      const std::size_t name = address.find_last_not_of(kLetters, size - 2);
      const bool is_reference = name != std::string_view::npos && address[name] == '&';
      size = is_reference ? name : size - 1;
      is_cut = true;
    } else if (address.back() == ']') {
      is_cut = true;
      --size;
    }
  }
  return size;
}

// What wikis attach to pages.
constexpr auto kFileEndings = std::to_array<std::string_view>(
    {".md", ".markdown", ".html", ".htm", ".txt", ".pdf", ".csv", ".png", ".jpg", ".jpeg", ".gif",
     ".svg", ".webp", ".avif", ".mp3", ".mp4", ".webm", ".canvas"});

// Returns the URL of "Page name#Heading": "Page%20name.md#heading". Names of files and URLs are as
// they are; "Version 1.0" is the name of a page.
std::string wikilink_target(std::string_view text) {
  const std::size_t mark = std::min(text.find('#'), text.size());
  const std::string_view page = base::trimmed(text.substr(0, mark), kBlank);
  if (begins_with_scheme(page) && page.contains("://")) return std::string(text);
  std::string url;
  // A colon near the beginning would be read as the end of a scheme.
  if (begins_with_scheme(page)) url = "./";
  url::percent_encode(page, url::kPathSet, url);
  const std::string_view ending = page.substr(std::min(page.rfind('.'), page.size()));
  const bool is_file = std::ranges::any_of(kFileEndings, [&](std::string_view known) {
    return base::equals_ignoring_case(ending, known);
  });
  if (!page.empty() && !is_file) url += ".md";
  if (mark < text.size()) url += "#" + HeadingIds().next(text.substr(mark + 1));
  return url;
}

class InlineReader {
 public:
  InlineReader(std::string_view document, const MarkdownBlocks::Text& text,
               Definitions& definitions, const MarkdownRules& rules, MarkdownInlines& into)
      : all_(document.substr(0, text.end)),
        definitions_(definitions),
        rules_(rules),
        into_(into),
        at_(text.begin),
        begin_(text.begin) {}

  void read() {
    while (at_ < all_.size()) step();
  }

 private:
  struct Open {
    std::size_t at = 0;  // of the bracket
    bool is_image = false;
    bool is_active = true;  // a link cannot contain a link
    std::size_t links = 0;  // found before it
    std::size_t marks = 0;
  };

  void step();
  void code();
  bool angle();
  bool tag();
  bool bare();
  bool wikilink();
  void close();
  bool inline_target(const Open& open);
  bool reference(const Open& open);
  void add(const Open& open, std::size_t offset, std::string url, std::size_t end);
  std::size_t skip(std::size_t at) const {
    const std::size_t next = all_.find_first_not_of(kBlank, at);
    return std::min(next, all_.size());
  }

  std::string_view all_;
  Definitions& definitions_;
  const MarkdownRules& rules_;
  MarkdownInlines& into_;
  std::size_t at_;
  const std::size_t begin_;
  std::vector<Open> open_;
  // Whether a search for a run of this many backticks has reached the end without success.
  std::array<bool, 32> has_no_run_ = {};
  bool has_no_comment_end_ = false;
};

void InlineReader::step() {
  const char c = all_[at_];
  switch (c) {
    case '\\':
      if (at_ + 1 < all_.size() && !is_blank(all_[at_ + 1])) into_.marks.push_back({at_, at_ + 1});
      at_ += 2;
      return;
    case '`': return code();
    case '<':
      if (!angle() && !tag()) ++at_;
      return;
    case '!':
    case '[': {
      if (rules_.has_wikilinks && wikilink()) return;
      const bool is_image = c == '!';
      if (is_image && (at_ + 1 >= all_.size() || all_[at_ + 1] != '[')) break;
      if (open_.size() < kOpenMax) {
        open_.push_back({.at = at_ + (is_image ? 1 : 0),
                         .is_image = is_image,
                         .links = into_.links.size(),
                         .marks = into_.marks.size()});
      }
      at_ += is_image ? 2 : 1;
      return;
    }
    case ']': return close();
    case 'h':
    case 'H':
    case 'w':
    case 'W':
      if (bare()) return;
      break;
    default: break;
  }
  ++at_;
}

void InlineReader::code() {
  std::size_t run = 0;
  while (at_ + run < all_.size() && all_[at_ + run] == '`') ++run;
  const std::size_t slot = std::min(run, has_no_run_.size() - 1);
  for (std::size_t i = at_ + run; !has_no_run_[slot] && i < all_.size();) {
    i = all_.find('`', i);
    if (i == std::string_view::npos) break;
    std::size_t other = 0;
    while (i + other < all_.size() && all_[i + other] == '`') ++other;
    if (other == run) {
      into_.codes.push_back({at_ + run, i});
      into_.no_html.push_back({at_, i + run});
      into_.marks.push_back({at_, at_ + run});
      into_.marks.push_back({i, i + run});
      at_ = i + run;
      return;
    }
    i += other;
  }
  has_no_run_[slot] = true;
  at_ += run;
}

// <https://example.com>
bool InlineReader::angle() {
  const std::string_view rest = all_.substr(at_ + 1);
  const std::size_t size = rest.find_first_of(" \t\r\n<>");
  if (size == std::string_view::npos || rest[size] != '>') return false;
  const std::string_view inner = rest.substr(0, size);
  const bool is_mail = inner.find('@') != std::string_view::npos &&
                       inner.find_first_of("\"'=/:") == std::string_view::npos;
  if (!is_mail && !begins_with_scheme(inner)) return false;
  into_.links.push_back({.offset = at_ + 1,
                         .kind = html::LinkKind::page,
                         .url = (is_mail ? "mailto:" : "") + std::string(inner),
                         .text = {}});
  into_.no_html.push_back({at_, at_ + size + 2});
  into_.marks.push_back({at_, at_ + 1});
  into_.marks.push_back({at_ + size + 1, at_ + size + 2});
  at_ += size + 2;
  return true;
}

// Another reader handles HTML; here it is skipped.
bool InlineReader::tag() {
  const std::string_view rest = all_.substr(at_);
  std::size_t end = std::string_view::npos;
  if (rest.starts_with("<!--")) {
    if (!has_no_comment_end_) end = rest.find("-->", 4);
    has_no_comment_end_ = end == std::string_view::npos;
    if (!has_no_comment_end_) end += 3;
  } else if (rest.size() > 2 &&
             (url::is_alpha(rest[1]) || (rest[1] == '/' && url::is_alpha(rest[2])))) {
    char quote = 0;
    const std::size_t most = std::min(rest.size(), kTagBytesMax);
    for (std::size_t i = 1; i < most && end == std::string_view::npos; ++i) {
      if (quote != 0) {
        if (rest[i] == quote) quote = 0;
      } else if (rest[i] == '"' || rest[i] == '\'') {
        quote = rest[i];
      } else if (rest[i] == '<' || rest[i] == '[') {  // prose in angle brackets
        return false;
      } else if (rest[i] == '>') {
        end = i + 1;
      }
    }
  }
  if (end == std::string_view::npos) return false;
  into_.marks.push_back({at_, at_ + end});
  at_ += end;
  return true;
}

bool InlineReader::bare() {
  const char before = at_ > begin_ ? all_[at_ - 1] : ' ';
  if (!is_blank(before) && std::string_view("*_~(|[\"'").find(before) == std::string_view::npos) {
    return false;
  }
  const std::string_view rest = all_.substr(at_);
  const auto begins = [rest](std::string_view word) {
    return base::equals_ignoring_case(rest.substr(0, word.size()), word);
  };
  const bool is_www = begins("www.");
  const std::size_t scheme = begins("https://") ? 8 : begins("http://") ? 7 : is_www ? 4 : 0;
  if (scheme == 0) return false;
  const std::size_t size = bare_address_size(rest.substr(0, kAddressBytesMax), !open_.empty());
  if (size <= scheme || !(url::is_alpha(rest[scheme]) || url::is_digit(rest[scheme]))) return false;
  // The host must have a dot, as for GitHub; "http://localhost" in a text is an example.
  const std::string_view host = rest.substr(scheme, rest.substr(scheme, size - scheme).find('/'));
  if (host.substr(0, size - scheme).find('.') == std::string_view::npos) return false;
  std::string url(rest.substr(0, size));
  into_.links.push_back({.offset = at_,
                         .kind = html::LinkKind::page,
                         .url = unescaped(is_www ? "http://" + url : url),
                         .text = {},
                         .is_bare = true});
  at_ += size;
  return true;
}

// [[Page]], as in GitHub's wikis and in Obsidian.
bool InlineReader::wikilink() {
  const std::size_t begin = at_ + (all_[at_] == '!' ? 1 : 0);
  if (!all_.substr(begin).starts_with("[[")) return false;
  const std::string_view rest = all_.substr(begin + 2, kWikilinkBytesMax);
  const std::size_t size = rest.find_first_of("[]\n");
  if (size == std::string_view::npos || !rest.substr(size).starts_with("]]")) return false;
  const std::string_view inner = rest.substr(0, size);
  const std::size_t bar = inner.find('|');
  std::string url = wikilink_target(inner.substr(0, bar));
  if (url.empty()) return false;
  into_.links.push_back(
      {.offset = begin + 2,
       .kind = html::LinkKind::page,
       .url = std::move(url),
       .text = bar == std::string_view::npos ? std::string() : link_text(inner.substr(bar + 1))});
  into_.marks.push_back({at_, begin + 2});
  into_.marks.push_back({begin + 2 + size, begin + 4 + size});
  at_ = begin + size + 4;
  return true;
}

void InlineReader::close() {
  if (open_.empty()) {
    ++at_;
    return;
  }
  const Open open = open_.back();
  open_.pop_back();
  if (!open.is_active || (!inline_target(open) && !reference(open))) {
    ++at_;
    return;
  }
  if (open.is_image) return;
  for (Open& outer : open_) {
    if (!outer.is_image) outer.is_active = false;
  }
}

// [text](destination "title"). At the closing bracket.
bool InlineReader::inline_target(const Open& open) {
  if (at_ + 1 >= all_.size() || all_[at_ + 1] != '(') return false;
  const std::size_t begin = skip(at_ + 2);
  if (begin >= all_.size()) return false;
  const Destination destination = read_destination(all_, begin);
  if (!destination.exists()) return false;
  std::size_t end = skip(destination.end);
  if (end < all_.size() && all_[end] != ')') {
    const char quote = all_[end] == '(' ? ')' : all_[end];
    if (end == destination.end || (quote != '"' && quote != '\'' && quote != ')')) return false;
    const std::size_t last = std::min(all_.size(), end + kTitleBytesMax);
    for (++end; end < last && all_[end] != quote; ++end) {
      if (all_[end] == '\\') ++end;
    }
    end = skip(std::min(end + 1, all_.size()));
  }
  if (end >= all_.size() || all_[end] != ')') return false;
  add(open, begin, unescaped(destination.text), end + 1);
  return true;
}

// [text][label], [label][] and [label]. At the closing bracket.
bool InlineReader::reference(const Open& open) {
  std::string_view label = all_.substr(open.at + 1, at_ - open.at - 1);
  std::size_t end = at_ + 1;
  if (end < all_.size() && all_[end] == '[') {
    const std::size_t close = all_.find_first_of("[]", end + 1);
    if (close != std::string_view::npos && all_[close] == ']') {
      if (close > end + 1) label = all_.substr(end + 1, close - end - 1);
      end = close + 1;
    }
  }
  if (label.empty() || label.size() > 999) return false;
  const auto found = definitions_.find(normal_label(label));
  if (found == definitions_.end()) return false;
  found->second.is_used = true;
  add(open, open.at, found->second.definition->destination, end);
  return true;
}

void InlineReader::add(const Open& open, std::size_t offset, std::string url, std::size_t end) {
  // A URL within the text of a link is text.
  const auto first = into_.links.begin() + static_cast<std::ptrdiff_t>(open.links);
  into_.links.erase(std::remove_if(first, into_.links.end(),
                                   [](const MarkdownInlines::Link& link) { return link.is_bare; }),
                    into_.links.end());
  const std::size_t begin = open.is_image ? open.at - 1 : open.at;
  into_.links.push_back({.offset = offset,
                         .kind = open.is_image ? html::LinkKind::image : html::LinkKind::page,
                         .url = std::move(url),
                         .text = link_text(all_.substr(open.at + 1, at_ - open.at - 1))});
  if (open.is_image) {
    into_.marks.push_back({begin, end});
  } else {
    into_.marks.push_back({begin, begin + 1});
    into_.marks.push_back({at_, end});
  }
  // A destination cannot contain tags.
  into_.no_html.push_back({at_, end});
  at_ = end;
}

}  // namespace

void read_inlines(std::string_view document, const MarkdownBlocks::Text& text,
                  Definitions& definitions, const MarkdownRules& rules, MarkdownInlines& into) {
  InlineReader(document, text, definitions, rules, into).read();
}

}  // namespace gossamer::check
