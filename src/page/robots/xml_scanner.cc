#include "robots/xml_scanner.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/utf8.h"
#include "robots/xml_reference.h"

namespace gossamer::robots {
namespace {

constexpr std::size_t kTagBytesMax = 64 * 1024;
constexpr std::string_view kCommentStart = "<!--";
constexpr std::string_view kCdataStart = "<![CDATA[";
constexpr std::string_view kDoctypeStart = "<!DOCTYPE";
constexpr std::string_view kInstructionStart = "<?";

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool is_name_character(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

std::string_view name_at(std::string_view text) {
  if (text.empty() || !is_name_start(text.front())) return {};
  std::size_t size = 1;
  while (size < text.size() && is_name_character(text[size])) ++size;
  return text.substr(0, size);
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

bool is_all_blank(std::string_view text) { return std::ranges::all_of(text, is_blank); }

}  // namespace

void XmlScanner::feed(std::string_view bytes) {
  if (trouble_) return;
  bytes_fed_ += bytes.size();
  // The held bytes come first. The copy is short: it ends with the part that was incomplete.
  std::string joined;
  if (!held_.empty()) {
    joined = std::exchange(held_, {}).append(bytes);
    bytes = joined;
  }
  rest_ = bytes;
  while (!rest_.empty() && take_any()) {
  }
  if (!trouble_) held_ = rest_;
  rest_ = {};
  if (held_.size() > kTagBytesMax) fail("tag too long");
}

void XmlScanner::finish() {
  if (trouble_) return;
  rest_ = held_;
  if (mode_ != Mode::content || !held_.empty()) {
    fail("unclosed token");
  } else if (!has_root_ || !open_starts_.empty()) {
    fail("no element found");
  }
  rest_ = {};
}

// The last text was complete if a tag follows it.
bool XmlScanner::fail(std::string_view what) {
  trouble_.emplace(Errc::malformed, "sitemap: " + std::string(what) + " at byte " +
                                        std::to_string(bytes_fed_ - rest_.size()));
  elements_.break_off(/*is_text_complete=*/rest_.starts_with('<'));
  return false;
}

bool XmlScanner::take_any() {
  if (mode_ == Mode::doctype) return take_doctype();
  if (mode_ != Mode::content) return take_until_end_of_mode();
  return rest_.front() == '<' ? take_markup() : take_text();
}

void XmlScanner::put_text(std::string_view text) {
  if (!elements_.wants_text()) return;
  // https://www.w3.org/TR/xml/#sec-line-ends
  while (!text.empty()) {
    if (std::exchange(skips_newline_, false) && text.front() == '\n') text.remove_prefix(1);
    const std::size_t at = text.find('\r');
    if (at != 0 && !text.empty()) elements_.text(text.substr(0, at));
    if (at == std::string_view::npos) return;
    elements_.text("\n");
    skips_newline_ = true;
    text.remove_prefix(at + 1);
  }
}

// Takes text up to the next tag or reference.
bool XmlScanner::take_text() {
  // Most text is the white space between tags.
  std::size_t blanks = 0;
  while (blanks < rest_.size() && is_blank(rest_[blanks])) ++blanks;
  if (blanks < rest_.size() && rest_[blanks] == '<' && !elements_.wants_blanks()) {
    rest_.remove_prefix(blanks);
    skips_newline_ = false;
    return true;
  }
  if (rest_.front() == '&') return take_reference();
  const std::string_view run = rest_.substr(0, rest_.find('<'));
  const std::string_view text = run.substr(0, run.find('&'));
  if (open_starts_.empty() && !is_all_blank(text)) {
    return fail(has_root_ ? "junk after document element" : "not well-formed");
  }
  put_text(text);
  rest_.remove_prefix(text.size());
  return true;
}

bool XmlScanner::take_reference() {
  if (open_starts_.empty()) return fail("not well-formed");
  const XmlReference reference = read_reference(rest_);
  if (reference.kind == ReferenceKind::unfinished) return false;
  skips_newline_ = false;
  if (reference.kind != ReferenceKind::character) {
    const bool is_entity = has_doctype_ && reference.kind == ReferenceKind::entity;
    elements_.text(is_entity ? kEntityMark : "&");
    rest_.remove_prefix(is_entity ? reference.size : 1);
    return true;
  }
  std::string character;
  base::append_utf8(character, reference.code_point);
  elements_.text(character);
  rest_.remove_prefix(reference.size);
  return true;
}

bool XmlScanner::enter(Mode mode, std::size_t size) {
  mode_ = mode;
  skips_newline_ = false;  // a line end does not continue in a CDATA section
  rest_.remove_prefix(size);
  return true;
}

bool XmlScanner::take_markup() {
  if (rest_.size() < 2) return false;
  const char second = rest_[1];
  if (second == '/') return take_end_tag();
  if (second == '?') return enter(Mode::instruction, 2);
  if (second != '!') return take_start_tag();
  if (rest_.starts_with(kCommentStart)) return enter(Mode::comment, kCommentStart.size());
  if (rest_.starts_with(kCdataStart)) {
    if (open_starts_.empty()) return fail("not well-formed");
    return enter(Mode::cdata, kCdataStart.size());
  }
  if (rest_.starts_with(kDoctypeStart)) {
    if (has_root_ || has_doctype_) return fail("not well-formed");
    return enter(Mode::doctype, kDoctypeStart.size());
  }
  for (const std::string_view mark : {kCommentStart, kCdataStart, kDoctypeStart}) {
    if (mark.starts_with(rest_)) return false;
  }
  return fail("not well-formed");
}

// Skips a DTD, in pieces of any size. Its entities are not expanded; attributes that it declares
// would be.
bool XmlScanner::take_doctype() {
  constexpr std::string_view kAttributeList = "<!ATTLIST";
  while (!rest_.empty()) {
    if (!doctype_end_mark_.empty()) {
      const std::size_t end = rest_.find(doctype_end_mark_);
      if (end == std::string_view::npos) {
        // Bytes that could start the end mark are held back.
        rest_ = rest_.substr(rest_.size() - std::min(rest_.size(), doctype_end_mark_.size() - 1));
        return false;
      }
      rest_.remove_prefix(end + doctype_end_mark_.size());
      doctype_end_mark_ = {};
      continue;
    }
    if (rest_.front() == '<') {
      for (const std::string_view mark : {kCommentStart, kInstructionStart, kAttributeList}) {
        if (rest_.size() < mark.size() && mark.starts_with(rest_)) return false;
      }
      if (rest_.starts_with(kAttributeList)) {
        trouble_.emplace(Errc::denied, "sitemap: its DTD declares attributes");
        return false;
      }
    }
    if (rest_.starts_with(kCommentStart)) {
      doctype_end_mark_ = "-->";
      rest_.remove_prefix(kCommentStart.size());
    } else if (rest_.starts_with(kInstructionStart)) {
      doctype_end_mark_ = "?>";
      rest_.remove_prefix(kInstructionStart.size());
    } else if (take_doctype_character()) {
      return true;
    }
  }
  return false;
}

// Returns whether the DTD has ended.
bool XmlScanner::take_doctype_character() {
  const char c = rest_.front();
  rest_.remove_prefix(1);
  if (c == '"') doctype_end_mark_ = "\"";
  if (c == '\'') doctype_end_mark_ = "'";
  if (c == '[') ++doctype_depth_;
  if (c == ']' && doctype_depth_ > 0) --doctype_depth_;
  if (c != '>' || doctype_depth_ > 0) return false;
  has_doctype_ = true;
  mode_ = Mode::content;
  return true;
}

// Skips comments, CDATA sections and processing instructions up to their end.
bool XmlScanner::take_until_end_of_mode() {
  const std::string_view end_mark = mode_ == Mode::comment ? "-->"
                                    : mode_ == Mode::cdata ? "]]>"
                                                           : "?>";
  const std::size_t end = rest_.find(end_mark);
  const bool is_complete = end != std::string_view::npos;
  // If the part has not ended yet, bytes that could start its end are held back.
  const std::size_t size = is_complete                      ? end
                           : rest_.size() < end_mark.size() ? 0
                                                            : rest_.size() - end_mark.size() + 1;
  const std::string_view content = rest_.substr(0, size);
  if (mode_ == Mode::cdata) put_text(content);
  rest_.remove_prefix(size);
  if (!is_complete) return false;
  rest_.remove_prefix(end_mark.size());
  mode_ = Mode::content;
  skips_newline_ = false;
  return true;
}

std::string_view XmlScanner::last_name() const {
  return std::string_view(open_names_).substr(open_starts_.back());
}

// Takes the end tag of the innermost open element, without blanks: the usual form.
bool XmlScanner::take_expected_end_tag() {
  if (open_starts_.empty()) return false;
  const std::string_view name = last_name();
  const std::string_view text = rest_.substr(2);
  if (text.size() <= name.size() || text[name.size()] != '>' || !text.starts_with(name)) {
    return false;
  }
  rest_.remove_prefix(name.size() + 3);
  return true;
}

bool XmlScanner::take_end_tag() {
  if (take_expected_end_tag()) return close_last();
  const std::size_t end = rest_.find('>');
  if (end == std::string_view::npos) return false;
  std::string_view text = rest_.substr(2, end - 2);
  const std::string_view name = name_at(text);
  text.remove_prefix(name.size());
  if (name.empty() || !is_all_blank(text)) return fail("not well-formed");
  if (!close(name)) return false;
  rest_.remove_prefix(end + 1);
  return true;
}

// Returns the position of the '>' that ends the tag at the start of `rest_`, ignoring those in
// quotes.
std::size_t XmlScanner::find_tag_end() const {
  std::size_t at = 1;
  while (true) {
    at = rest_.find_first_of(">\"'", at);
    if (at == std::string_view::npos || rest_[at] == '>') return at;
    at = rest_.find(rest_[at], at + 1);
    if (at == std::string_view::npos) return at;
    ++at;
  }
}

bool XmlScanner::take_start_tag() {
  const std::string_view name = name_at(rest_.substr(1));
  if (name.empty()) return fail("not well-formed");
  if (open_starts_.empty() && has_root_) return fail("junk after document element");
  const std::size_t name_end = 1 + name.size();
  std::size_t end = name_end;
  attribute_starts_.clear();
  if (end < rest_.size() && rest_[end] != '>') {
    end = find_tag_end();
    if (end == std::string_view::npos) return false;
    const bool is_empty = rest_[end - 1] == '/';
    const std::size_t text_size = end - name_end - (is_empty ? 1 : 0);
    if (!read_attributes(rest_.substr(name_end, text_size))) return fail("not well-formed");
  }
  if (end >= rest_.size()) return false;
  const bool is_empty = rest_[end - 1] == '/';
  open(name);
  const bool goes_on = !trouble_ && (!is_empty || close(name));
  rest_.remove_prefix(end + 1);
  return goes_on;
}

bool XmlScanner::read_attributes(std::string_view text) {
  attribute_text_.clear();
  while (true) {
    const std::size_t before = text.size();
    skip_blanks(text);
    if (text.empty()) break;
    if (text.size() == before || !read_attribute(text))
      return false;  // no blank between attributes
  }
  return true;
}

bool XmlScanner::read_attribute(std::string_view& text) {
  const std::string_view name = name_at(text);
  text.remove_prefix(name.size());
  skip_blanks(text);
  if (name.empty() || !text.starts_with('=')) return false;
  text.remove_prefix(1);
  skip_blanks(text);
  if (!text.starts_with('"') && !text.starts_with('\'')) return false;
  const std::size_t end = text.find(text.front(), 1);
  if (end == std::string_view::npos) return false;
  const std::string_view value = text.substr(1, end - 1);
  if (value.contains('<')) return false;
  text.remove_prefix(end + 1);

  for (std::size_t i = 0; i < attribute_starts_.size(); i += 2) {
    if (attribute_text_.c_str() + attribute_starts_[i] == name)
      return false;  // duplicate attribute
  }
  attribute_starts_.push_back(attribute_text_.size());
  attribute_text_.append(name).push_back('\0');
  attribute_starts_.push_back(attribute_text_.size());
  append_value(value);
  attribute_text_.push_back('\0');
  return true;
}

// https://www.w3.org/TR/xml/#AVNormalize
void XmlScanner::append_value(std::string_view value) {
  while (!value.empty()) {
    const std::size_t end = std::min(value.find_first_of("&\t\r\n"), value.size());
    attribute_text_.append(value.substr(0, end));
    value.remove_prefix(end);
    if (value.empty()) return;
    if (value.front() != '&') {
      attribute_text_.push_back(' ');
      value.remove_prefix(value.starts_with("\r\n") ? 2 : 1);
      continue;
    }
    const XmlReference reference = read_reference(value);
    if (reference.kind == ReferenceKind::character) {
      base::append_utf8(attribute_text_, reference.code_point);
      value.remove_prefix(reference.size);
    } else if (has_doctype_ && reference.kind == ReferenceKind::entity) {
      attribute_text_ += kEntityMark;
      value.remove_prefix(reference.size);
    } else {
      attribute_text_.push_back('&');
      value.remove_prefix(1);
    }
  }
}

void XmlScanner::open(std::string_view name) {
  static constexpr const char* kNoAttributes[] = {nullptr};
  attribute_pointers_.clear();
  for (const std::size_t start : attribute_starts_) {
    attribute_pointers_.push_back(attribute_text_.data() + start);
  }
  if (!attribute_starts_.empty()) attribute_pointers_.push_back(nullptr);
  has_root_ = true;
  skips_newline_ = false;
  open_starts_.push_back(open_names_.size());
  open_names_ += name;
  elements_.start(name, attribute_starts_.empty() ? kNoAttributes : attribute_pointers_.data());
  if (elements_.trouble()) trouble_ = std::move(elements_.trouble());
}

bool XmlScanner::close(std::string_view name) {
  if (open_starts_.empty() || last_name() != name) return fail("mismatched tag");
  return close_last();
}

bool XmlScanner::close_last() {
  open_names_.resize(open_starts_.back());
  open_starts_.pop_back();
  skips_newline_ = false;
  elements_.end();
  if (elements_.trouble()) trouble_ = std::move(elements_.trouble());
  return !trouble_;
}

}  // namespace gossamer::robots
