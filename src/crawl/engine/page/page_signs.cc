#include "engine/page/page_signs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/ascii.h"
#include "html/page_reader.h"
#include "html/token/scan.h"
#include "record/rendering.h"

namespace gossamer::crawler {
namespace {

// A page with more text shows something, and one with more of it says more than a hint.
constexpr std::size_t kEmptyTextMax = 200;
constexpr std::size_t kLinklessTextMax = 1000;
constexpr std::size_t kHintTextMax = 1500;
constexpr std::size_t kTextKept = kHintTextMax + 500;

class SignReader final : public html::PageConsumer {
 public:
  void link(const html::Link& link) override {
    if (link.kind == html::LinkKind::page) ++signs.links;
    const bool is_of_frameset = link.tag == html::TagId::frame;
    if (is_of_frameset || link.kind == html::LinkKind::refresh) signs.leads_away = true;
  }
  void text(std::string_view piece) override {
    signs.text_bytes += piece.size();
    if (text_.size() < kTextKept) text_ += piece.substr(0, kTextKept - text_.size());
  }
  // Pages say it in their own words: "You need to enable JavaScript to run this app."
  bool has_hint() const {
    const std::string words = base::lower_case(text_);
    if (signs.text_bytes > kHintTextMax || words.find("javascript") == std::string::npos) {
      return false;
    }
    constexpr std::array kVerbs = {std::string_view("enable"), std::string_view("require"),
                                   std::string_view("need"), std::string_view("disabled"),
                                   std::string_view("turn on")};
    return std::ranges::any_of(
        kVerbs, [&](std::string_view verb) { return words.find(verb) != std::string::npos; });
  }

  PageSigns signs;

 private:
  std::string text_;
};

constexpr std::string_view kScriptTag = "<script";
constexpr std::string_view kSpaces = " \t\n\f\r";
constexpr std::size_t kScriptTagMax = 2000;  // longer ones have no type

// Returns where the next tag of a script begins.
std::size_t find_script(std::string_view html, std::size_t from) {
  for (std::size_t at = html.find('<', from); at != std::string_view::npos;
       at = html.find('<', at + 1)) {
    if (at + 1 == html.size() || base::to_lower(html[at + 1]) != kScriptTag[1]) continue;
    if (base::equals_ignoring_case(html.substr(at, kScriptTag.size()), kScriptTag)) return at;
  }
  return std::string_view::npos;
}

// Returns the value of the attribute "type" of a tag, which is in lower case; empty: it has none.
std::string_view type_of(std::string_view tag) {
  constexpr std::string_view kType = "type";
  for (std::size_t at = tag.find(kType); at != std::string_view::npos; at = tag.find(kType, at)) {
    const bool is_name = at > 0 && std::string_view(" \t\n\f\r\"'/").contains(tag[at - 1]);
    at += kType.size();
    const std::size_t equals = tag.find_first_not_of(kSpaces, at);
    if (!is_name || equals == std::string_view::npos || tag[equals] != '=') continue;
    const std::size_t begin = tag.find_first_not_of(" \t\n\f\r\"'", equals + 1);
    if (begin == std::string_view::npos) return {};
    return tag.substr(begin, tag.find_first_of(" \t\n\f\r\"'>", begin) - begin);
  }
  return {};
}

// Returns the position after a tag, else the end. `at` is in its name.
const char* end_of_tag(const char* at, const char* const end) {
  const char* const begin = at;
  for (;;) {
    at = html::find_any(at, end, '>', '"', '\'');
    if (at == end) return end;
    if (*at == '>') return at + 1;
    const char* before = at;
    while (before != begin && kSpaces.contains(before[-1])) --before;
    const bool is_value = before != begin && before[-1] == '=';
    const char quote = *at++;
    if (is_value) at = html::find_any(at, end, quote);
    if (is_value && at != end) ++at;
  }
}

// Whether an element shows no text: its name begins with these two letters, in lower case.
bool may_be_hidden(char first, char second) {
  switch (first) {
    case 's': return second == 'c' || second == 't' || second == 'v';
    case 't': return second == 'i' || second == 'e';
    case 'i': return second == 'f';
    case 'n': return second == 'o';
    default: return false;
  }
}

// Returns where the text continues after a tag or comment, else the end. `tag` begins after its
// "<".
const char* after_markup(const char* tag, const char* const end) {
  if (*tag == '/') {
    const char* const close = html::find_any(tag, end, '>');
    return close == end ? end : close + 1;
  }
  const std::string_view rest(tag, end);
  if (rest.starts_with("!--")) {
    const std::size_t close = rest.find("-->");
    return close == std::string_view::npos ? end : tag + close;
  }
  const char* const after = end_of_tag(tag, end);
  if (rest.size() < 2 || !may_be_hidden(base::to_lower(tag[0]), base::to_lower(tag[1]))) {
    return after;
  }
  static constexpr std::array kHidden = {
      std::string_view("script"),   std::string_view("style"),   std::string_view("svg"),
      std::string_view("title"),    std::string_view("iframe"),  std::string_view("noembed"),
      std::string_view("noframes"), std::string_view("template")};
  for (const std::string_view name : kHidden) {
    if (!base::equals_ignoring_case(rest.substr(0, name.size()), name)) continue;
    const std::string_view content(after, end);
    std::size_t at = content.find("</");
    while (at != std::string_view::npos &&
           !base::equals_ignoring_case(content.substr(at + 2, name.size()), name)) {
      at = content.find("</", at + 2);
    }
    return at == std::string_view::npos ? end : after + at;
  }
  return after;
}

// At least, and not much less.
std::size_t visible_bytes(const char* at, const char* const end) {
  using Chunk [[gnu::vector_size(16)]] = unsigned char;
  while (at != end && static_cast<unsigned char>(*at) <= ' ') ++at;
  std::size_t visible = 0;
  for (; static_cast<std::size_t>(end - at) >= sizeof(Chunk); at += sizeof(Chunk)) {
    Chunk chunk;
    std::memcpy(&chunk, at, sizeof chunk);
    const auto marks = std::bit_cast<std::array<std::uint64_t, 2>>(chunk > ' ');
    visible += static_cast<std::size_t>(std::popcount(marks[0]) + std::popcount(marks[1])) / 8;
  }
  return visible + static_cast<std::size_t>(end - at);
}

// The word without which a page has no hint.
bool has_hint_word(std::string_view text) {
  constexpr std::string_view kWord = "javascript";
  for (const char letter : {'j', 'J'}) {
    for (std::size_t at = text.find(letter); at != std::string_view::npos;
         at = text.find(letter, at + 1)) {
      if (base::equals_ignoring_case(text.substr(at, kWord.size()), kWord)) return true;
    }
  }
  return false;
}

// What a page shows at least, read roughly and up to kHintTextMax.
struct Shown {
  std::size_t bytes = 0;
  bool has_hint = false;
};

template <bool kReadsHint>
Shown read_shown(std::string_view html) {
  Shown shown;
  const char* const end = html.data() + html.size();
  for (const char* at = html.data(); at != end && shown.bytes <= kHintTextMax;) {
    const char* const stop = html::find_any(at, end, '<', '&');
    // What follows the first entity is not counted.
    const char* const tag = stop == end || *stop == '<' ? stop : html::find_any(stop, end, '<');
    shown.bytes += visible_bytes(at, stop);
    if constexpr (kReadsHint) shown.has_hint = shown.has_hint || has_hint_word({at, tag});
    if (end - tag < 2) break;
    const bool is_markup =
        base::is_letter(tag[1]) || tag[1] == '/' || tag[1] == '!' || tag[1] == '?';
    at = is_markup ? after_markup(tag + 1, end) : tag + 1;
  }
  return shown;
}

bool is_run(std::string_view type) {
  return type.empty() || type == "module" || type.contains("javascript") ||
         type.contains("ecmascript");
}

}  // namespace

bool has_scripts(std::string_view html) {
  for (std::size_t at = find_script(html, 0); at != std::string_view::npos;
       at = find_script(html, at + 1)) {
    const std::string_view tag = html.substr(at, kScriptTagMax);
    if (is_run(type_of(base::lower_case(tag.substr(0, tag.find('>')))))) return true;
  }
  return false;
}

bool shows_much(std::string_view html) { return read_shown<false>(html).bytes > kHintTextMax; }

bool shows_enough(std::string_view html, bool has_links) {
  const Shown shown = read_shown<true>(html);
  if (shown.bytes > kHintTextMax) return true;
  return !shown.has_hint && shown.bytes >= (has_links ? kEmptyTextMax : kLinklessTextMax);
}

PageSigns read_signs(std::string_view html) {
  SignReader consumer;
  html::PageReader reader({.links = true, .text = true}, consumer);
  reader.feed(html);
  reader.finish();
  consumer.signs.has_hint = consumer.has_hint();
  consumer.signs.has_scripts = has_scripts(html);
  return consumer.signs;
}

std::string_view reason_to_render(const PageSigns& signs) noexcept {
  if (!signs.has_scripts || signs.leads_away) return {};
  if (signs.has_hint) return kRenderedHint;
  if (signs.text_bytes < kEmptyTextMax) return kRenderedEmpty;
  return signs.links == 0 && signs.text_bytes < kLinklessTextMax ? kRenderedEmpty
                                                                 : std::string_view();
}

bool has_gained(const PageSigns& before, const PageSigns& after) noexcept {
  constexpr std::size_t kTextMin = 100;  // less is a label
  return after.links > before.links || after.text_bytes > 2 * before.text_bytes + kTextMin;
}

std::uint32_t RenderExperience::in_vain(const std::string& place) const {
  const auto found = in_vain_.find(place);
  return found == in_vain_.end() ? 0 : found->second;
}

bool RenderExperience::is_worth(std::string_view url) {
  const std::string pattern = pattern_of(url);
  const std::string host = pattern.substr(0, pattern.find('/'));
  if (in_vain(pattern) < kTriesMax && in_vain(host) < kHostTriesMax) return true;
  return ++left_out_[host] % kRecheck == 0;
}

void RenderExperience::note(std::string_view url, bool gained) {
  const std::string pattern = pattern_of(url);
  note_place(pattern, gained);
  note_place(pattern.substr(0, pattern.find('/')), gained);
}

void RenderExperience::note_place(const std::string& place, bool gained) {
  if (in_vain_.size() >= kPlacesMax) {
    in_vain_.clear();
    left_out_.clear();
  }
  std::uint32_t& count = in_vain_[place];
  count = gained ? 0 : count + 1;
}

}  // namespace gossamer::crawler
