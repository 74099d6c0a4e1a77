#include "html/encoding/prescan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>

#include "html/encoding/sniffer.h"
#include "html/token/ascii.h"

namespace gossamer::html {
namespace {

// A <meta> within this many bytes counts wherever it is.
constexpr std::size_t kUnconditionalBytes = 1024;

bool is_one_of(std::string_view tag_name, std::span<const std::string_view> names) {
  return std::ranges::any_of(
      names, [&](std::string_view name) { return equals_ignoring_case(tag_name, name); });
}

// The content of these elements is text up to their end tag.
constexpr std::array<std::string_view, 8> kTextElements = {
    "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"};

// The elements of a head; any other element ends it.
constexpr std::array<std::string_view, 8> kHeadElements = {"meta",  "title",    "link",   "script",
                                                           "style", "noscript", "object", "base"};

struct PlainReference {
  std::string_view name;
  char character;
};
// The named character references that can be part of a declaration.
constexpr std::array<PlainReference, 13> kPlainReferences = {{{"amp;", '&'},
                                                              {"apos;", '\''},
                                                              {"colon;", ':'},
                                                              {"equals;", '='},
                                                              {"gt;", '>'},
                                                              {"lowbar;", '_'},
                                                              {"lt;", '<'},
                                                              {"NewLine;", '\n'},
                                                              {"period;", '.'},
                                                              {"quot;", '"'},
                                                              {"semi;", ';'},
                                                              {"sol;", '/'},
                                                              {"Tab;", '\t'}}};

// Reads the text after an ampersand. Returns the number of bytes, 0 if it is not a reference.
std::size_t read_reference(std::string_view text, char* character) {
  for (const PlainReference& reference : kPlainReferences) {
    if (!text.starts_with(reference.name)) continue;
    *character = reference.character;
    return reference.name.size();
  }
  if (!text.starts_with('#')) return 0;
  const bool is_hex = text.size() > 1 && to_lower(text[1]) == 'x';
  const char* const start = text.data() + (is_hex ? 2 : 1);
  const char* const end = text.data() + text.size();
  unsigned value = 0;
  const auto [after, error] = std::from_chars(start, end, value, is_hex ? 16 : 10);
  if (error != std::errc() || value == 0 || value >= 0x80) return 0;
  *character = static_cast<char>(value);
  const bool has_end = after != end && *after == ';';
  return static_cast<std::size_t>(after - text.data()) + (has_end ? 1 : 0);
}

std::string without_references(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    char character = text.front();
    const std::size_t size = character == '&' ? read_reference(text.substr(1), &character) : 0;
    plain.push_back(character);
    text.remove_prefix(1 + size);
  }
  return plain;
}

struct MetaAttribute {
  std::string_view name;
  std::string_view value;
};

class MetaScanner {
 public:
  MetaScanner(std::string_view bytes, std::size_t bytes_max, bool is_whole)
      : bytes_(bytes.substr(0, bytes_max)), is_final_(is_whole || bytes.size() >= bytes_max) {}

  Prescan scan();

 private:
  static constexpr std::size_t kNone = std::string_view::npos;

  // Each one moves past the construct at the '<' of `at_`. Returns false if it does not end.
  bool skip_construct();
  bool skip_comment();
  bool skip_past(char c, std::size_t from);
  bool read_tag(bool is_end_tag);
  bool skip_text_element(std::string_view tag_name);

  bool next_attribute(MetaAttribute& attribute, bool& is_tag_end);
  bool read_value(MetaAttribute& attribute, bool& is_tag_end);
  bool read_attributes(bool is_meta);
  void note_head(std::string_view tag_name, bool is_end_tag);
  Prescan out_of_bytes() const;

  std::string_view bytes_;
  bool is_final_;
  std::size_t at_ = 0;
  bool is_in_head_ = true;
  bool is_over_ = false;  // only text follows
  std::optional<Encoding> found_;
};

Prescan MetaScanner::scan() {
  while (!is_over_) {
    const std::size_t start = bytes_.find('<', at_);
    at_ = std::min(start, bytes_.size());
    if (!is_in_head_ && at_ >= kUnconditionalBytes) break;
    if (start == kNone || !skip_construct()) return out_of_bytes();
    if (found_) return {PrescanOutcome::found, *found_};
  }
  return {PrescanOutcome::absent};
}

Prescan MetaScanner::out_of_bytes() const {
  return {is_final_ ? PrescanOutcome::absent : PrescanOutcome::needs_more};
}

bool MetaScanner::skip_construct() {
  const std::string_view rest = bytes_.substr(at_ + 1, 3);
  if (rest.empty()) return false;
  if (is_ascii_letter(rest[0])) return read_tag(/*is_end_tag=*/false);
  if (rest == "!--") return skip_comment();
  if (rest[0] == '/') {
    if (rest.size() < 2) return false;
    return is_ascii_letter(rest[1]) ? read_tag(/*is_end_tag=*/true) : skip_past('>', at_ + 2);
  }
  if (rest[0] == '!' && std::string_view("!--").starts_with(rest) && !is_final_) return false;
  if (rest[0] == '!' || rest[0] == '?') return skip_past('>', at_ + 2);
  ++at_;
  return true;
}

bool MetaScanner::skip_past(char c, std::size_t from) {
  const std::size_t found = bytes_.find(c, from);
  if (found == kNone) return false;
  at_ = found + 1;
  return true;
}

// The dashes that open a comment may also close it: <!-->.
bool MetaScanner::skip_comment() {
  const std::size_t end = bytes_.find("-->", at_ + 2);
  const std::size_t other_end = bytes_.substr(0, end).find("--!>", at_ + 4);
  if (end == kNone && other_end == kNone) return false;
  at_ = other_end != kNone ? other_end + 4 : end + 3;
  return true;
}

bool MetaScanner::read_tag(bool is_end_tag) {
  const std::size_t start = at_ + (is_end_tag ? 2 : 1);
  const std::size_t end = bytes_.find_first_of("\t\n\f\r />", start);
  if (end == kNone) return false;
  const std::string_view tag_name = bytes_.substr(start, end - start);
  const std::size_t tag_start = at_;
  at_ = end;
  const bool is_meta = !is_end_tag && equals_ignoring_case(tag_name, "meta");
  if (!read_attributes(is_meta)) {
    at_ = tag_start;
    return false;
  }
  note_head(tag_name, is_end_tag);
  if (is_end_tag) return true;
  if (equals_ignoring_case(tag_name, "plaintext")) is_over_ = true;
  return is_one_of(tag_name, kTextElements) ? skip_text_element(tag_name) : true;
}

void MetaScanner::note_head(std::string_view tag_name, bool is_end_tag) {
  if (is_one_of(tag_name, kHeadElements)) return;
  const bool opens =
      equals_ignoring_case(tag_name, "html") || equals_ignoring_case(tag_name, "head");
  if (is_end_tag || !opens) is_in_head_ = false;
}

bool MetaScanner::skip_text_element(std::string_view tag_name) {
  for (std::size_t from = at_;;) {
    const std::size_t found = bytes_.find("</", from);
    if (found == kNone) return false;
    from = found + 2;
    const std::string_view rest = bytes_.substr(from);
    if (rest.size() <= tag_name.size()) return false;
    const char after = rest[tag_name.size()];
    const bool is_name = std::ranges::equal(rest.substr(0, tag_name.size()), tag_name, {},
                                            base::to_lower, base::to_lower);
    if (!is_name || (!is_html_space(after) && after != '/' && after != '>')) continue;
    at_ = found;
    return true;
  }
}

bool MetaScanner::read_value(MetaAttribute& attribute, bool& is_tag_end) {
  at_ = bytes_.find_first_not_of("\t\n\f\r ", at_);
  if (at_ == kNone) return false;
  const char quote = bytes_[at_];
  std::size_t end = 0;
  if (quote == '"' || quote == '\'') {
    end = bytes_.find(quote, ++at_);
  } else {
    end = bytes_.find_first_of("\t\n\f\r >", at_);
  }
  if (end == kNone) return false;
  attribute.value = bytes_.substr(at_, end - at_);
  is_tag_end = bytes_[end] == '>';
  at_ = end + 1;
  return true;
}

// An attribute without a name marks the end of the tag. Returns false if the tag does not end.
bool MetaScanner::next_attribute(MetaAttribute& attribute, bool& is_tag_end) {
  attribute = {};
  const std::size_t start = bytes_.find_first_not_of("\t\n\f\r /", at_);
  if (start == kNone) return false;
  if (bytes_[start] == '>') {
    at_ = start + 1;
    is_tag_end = true;
    return true;
  }
  // A name may begin with '='.
  const std::size_t end = bytes_.find_first_of("\t\n\f\r />=", start + 1);
  if (end == kNone) return false;
  attribute.name = bytes_.substr(start, end - start);
  at_ = bytes_.find_first_not_of("\t\n\f\r ", end);
  if (at_ == kNone) return false;
  if (bytes_[at_] != '=') return true;
  ++at_;
  return read_value(attribute, is_tag_end);
}

// Reads the rest of a tag, and for a <meta> its declaration.
bool MetaScanner::read_attributes(bool is_meta) {
  std::optional<std::string> charset, content, http_equiv;  // the first of each counts
  for (bool is_tag_end = false; !is_tag_end;) {
    MetaAttribute attribute;
    if (!next_attribute(attribute, is_tag_end)) return false;
    if (!is_meta) continue;
    auto* const kept = equals_ignoring_case(attribute.name, "charset")      ? &charset
                       : equals_ignoring_case(attribute.name, "content")    ? &content
                       : equals_ignoring_case(attribute.name, "http-equiv") ? &http_equiv
                                                                            : nullptr;
    if (kept != nullptr && !*kept) *kept = without_references(attribute.value);
  }
  std::optional<Encoding> declared;
  if (charset) {
    declared = encoding_from_label(*charset);
  } else if (content && http_equiv && equals_ignoring_case(*http_equiv, "content-type")) {
    declared = encoding_from_meta_content(*content);
  }
  // The page was readable as ASCII so far, so it is not UTF-16.
  if (declared == Encoding::utf_16be || declared == Encoding::utf_16le) declared = Encoding::utf_8;
  if (declared == Encoding::x_user_defined) declared = Encoding::windows_1252;
  found_ = declared;
  return true;
}

}  // namespace

Prescan prescan_html(std::string_view bytes, std::size_t bytes_max, bool is_whole) {
  return MetaScanner(bytes, bytes_max, is_whole).scan();
}

// https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing
std::optional<Encoding> xml_declared_encoding(std::string_view bytes, bool* needs_more) noexcept {
  constexpr std::string_view kStart = "<?xml";
  constexpr std::string_view kEncoding = "encoding";
  const auto skip_blanks = [](std::string_view& text) {
    while (!text.empty() && static_cast<unsigned char>(text.front()) <= 0x20) text.remove_prefix(1);
  };
  const std::size_t end = bytes.find('>');
  *needs_more =
      end == std::string_view::npos && (bytes.starts_with(kStart) || kStart.starts_with(bytes));
  if (!bytes.starts_with(kStart) || end == std::string_view::npos) return std::nullopt;

  std::string_view rest = bytes.substr(0, end);
  const std::size_t found = rest.find(kEncoding);
  if (found == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(found + kEncoding.size());
  skip_blanks(rest);
  if (!rest.starts_with('=')) return std::nullopt;
  rest.remove_prefix(1);
  skip_blanks(rest);
  if (!rest.starts_with('"') && !rest.starts_with('\'')) return std::nullopt;
  const std::string_view label = rest.substr(1, rest.find(rest.front(), 1) - 1);
  const bool has_blank =
      std::ranges::any_of(label, [](char c) { return static_cast<unsigned char>(c) <= 0x20; });
  if (has_blank || 1 + label.size() >= rest.size()) return std::nullopt;
  const std::optional<Encoding> encoding = encoding_from_label(label);
  const bool is_utf_16 = encoding == Encoding::utf_16be || encoding == Encoding::utf_16le;
  return is_utf_16 ? Encoding::utf_8 : encoding;
}

}  // namespace gossamer::html
