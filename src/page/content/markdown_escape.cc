#include "content/markdown_escape.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"

namespace gossamer::content {
namespace {

constexpr std::size_t kReferenceBytesMax = 40;

bool is_ascii_word(char c) { return base::is_letter(c) || base::is_digit(c); }
bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }

constexpr std::array<bool, 256> all_but(std::string_view marks) {
  std::array<bool, 256> is_plain = {};
  for (std::size_t byte = ' ' + 1; byte < is_plain.size(); ++byte) is_plain[byte] = true;
  for (const char c : marks) is_plain[static_cast<unsigned char>(c)] = false;
  return is_plain;
}
// Of addresses: the others have a meaning, or break readers that do not count parentheses.
constexpr auto kIsPlainInUrls = all_but("()<>\\`&\x7F");

Edge edge_of(char32_t code_point) {
  const auto c = static_cast<UChar32>(code_point);
  constexpr std::uint32_t kWords = U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK;
  const std::uint32_t kind = U_MASK(u_charType(c));
  if ((kind & kWords) != 0) return Edge::word;
  return (kind & U_GC_P_MASK) != 0 ? Edge::punctuation : Edge::unknown;
}

// Whether all of the line is made of marks of one kind, as an underline or a rule is.
bool is_only(std::string_view line, char mark) {
  return std::ranges::all_of(line, [mark](char c) { return c == mark || c == ' '; });
}

bool is_blank_or_end(std::string_view line, std::size_t at) {
  return at >= line.size() || line[at] == ' ';
}

// Returns the place of the character whose escape makes a line a part of its paragraph; npos: it
// is one already.
std::size_t misread_at(std::string_view line, bool is_first) {
  const char mark = line.front();
  const bool is_row =
      !is_first && line.contains('-') && line.find_first_not_of("|:- ") == std::string_view::npos;
  if (is_row) return 0;
  switch (mark) {
    case '>': return 0;
    case '#': {
      const std::size_t end = std::min(line.find_first_not_of('#'), line.size());
      return end <= 6 && is_blank_or_end(line, end) ? 0 : std::string_view::npos;
    }
    case '*':
    case '_':
    case '-':
    case '+':
    case ':':
      if (is_blank_or_end(line, 1) && mark != '_') return 0;
      return mark != ':' && mark != '+' && is_only(line, mark) ? 0 : std::string_view::npos;
    case '=': return !is_first && is_only(line, mark) ? 0 : std::string_view::npos;
    case '~':
    case '`':
      return line.starts_with("~~~") || line.starts_with("```") ? 0 : std::string_view::npos;
    default: break;
  }
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const bool is_item = digits > 0 && digits <= 9 && digits < line.size() &&
                       (line[digits] == '.' || line[digits] == ')') &&
                       is_blank_or_end(line, digits + 1);
  return is_item ? digits : std::string_view::npos;
}

}  // namespace

std::size_t any_blank_before(std::string_view text) {
  if (text.empty()) return 0;
  const auto first = static_cast<unsigned char>(text[0]);
  if (first <= ' ') return 1;
  if (first < 0xC2) return 0;
  if (text.starts_with("\xC2\xA0")) return 2;
  const std::string_view three = text.substr(0, 3);
  const bool is_wide = three == "\xE2\x80\xAF" || three == "\xE2\x81\x9F" ||
                       three == "\xE3\x80\x80" ||
                       (three.size() == 3 && three.starts_with("\xE2\x80") && three[2] >= '\x80' &&
                        three[2] <= '\x8A');
  return is_wide ? 3 : 0;
}

std::size_t any_blank_after(std::string_view text) {
  for (const std::size_t length : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    if (text.size() < length) return 0;
    if (blank_before(text.substr(text.size() - length)) == length) return length;
  }
  return 0;
}

Edge first_edge(std::string_view text) {
  if (blank_before(text) > 0) return Edge::blank;
  if (static_cast<unsigned char>(text.front()) >= 0x80) {
    return edge_of(base::decode_utf8(text).code_point);
  }
  return is_ascii_word(text.front()) ? Edge::word : Edge::punctuation;
}

Edge last_edge(std::string_view text) {
  if (blank_after(text) > 0) return Edge::blank;
  if (static_cast<unsigned char>(text.back()) >= 0x80) {
    std::size_t begin = text.size() - 1;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
    return edge_of(base::decode_utf8(text.substr(begin)).code_point);
  }
  return is_ascii_word(text.back()) ? Edge::word : Edge::punctuation;
}

Flanks flanks_of(char mark, Edge before, Edge after) {
  const auto may_flank = [](Edge outside, Edge inside) {
    return inside != Edge::blank && (inside != Edge::punctuation || outside != Edge::word);
  };
  Flanks flanks = {.may_open = may_flank(before, after), .may_close = may_flank(after, before)};
  if (mark != '_') return flanks;
  if (before == Edge::word && after == Edge::word) return {};
  // Within a word it has no meaning.
  flanks.may_open = flanks.may_open && before != Edge::word;
  flanks.may_close = flanks.may_close && after != Edge::word;
  return flanks;
}

bool may_be_reference(std::string_view text) {
  const std::string_view name = text.substr(1, kReferenceBytesMax);
  const std::size_t end = name.find(';');
  return end != std::string_view::npos && std::ranges::all_of(name.substr(0, end), [](char c) {
           return is_ascii_word(c) || c == '#';
         });
}

void append_destination(std::string& out, std::string_view url) {
  bool is_plain = !url.empty();
  for (std::size_t at = 0; at < url.size() && is_plain; ++at) {
    is_plain = kIsPlainInUrls[static_cast<unsigned char>(url[at])] ||
               (url[at] == '&' && !may_be_reference(url.substr(at)));
  }
  if (is_plain) {
    out += url;
    return;
  }
  out += '<';
  for (std::size_t at = 0; at < url.size(); ++at) {
    const char c = url[at];
    if (is_control(c)) continue;
    if (std::string_view("<>\\`").contains(c) || (c == '&' && may_be_reference(url.substr(at)))) {
      out += '\\';
    }
    out += c;
  }
  out += '>';
}

std::size_t longest_run(std::string_view text, char mark) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == mark ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

void append_code_span(std::string& out, std::string_view code) {
  const std::string fence(longest_run(code, '`') + 1, '`');
  const std::string_view room = code.starts_with('`') || code.ends_with('`') ? " " : "";
  out.append(fence).append(room).append(code).append(room).append(fence);
}

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (std::string_view("\\`*[]_<&~$!").contains(c)) out += '\\';
    out += c;
  }
}

void escape_line_start(std::string& out, std::size_t begin, bool is_first) {
  if (begin == out.size()) return;
  const std::size_t at = misread_at(std::string_view(out).substr(begin), is_first);
  if (at != std::string_view::npos) out.insert(begin + at, "\\");
}

}  // namespace gossamer::content
