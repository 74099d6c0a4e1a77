// What a reader of Markdown would take for markup, and how it is written so that it does not.
// https://spec.commonmark.org/0.31.2/
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::content {

// What a reader of marks sees on one side of them. It depends on the version of CommonMark and on
// the text whether an unknown character is punctuation.
enum class Edge : std::uint8_t { blank, punctuation, word, unknown };

// REQUIRES: the text is not empty.
Edge first_edge(std::string_view text);
Edge last_edge(std::string_view text);

// Characters that may have to be escaped within a line.
inline constexpr std::string_view kEscapable = "\\`*[]_<&~$!(:";

// Return the length of the white space that the text begins or ends with, in any script.
std::size_t any_blank_before(std::string_view text);
std::size_t any_blank_after(std::string_view text);
// The same. Most texts begin and end with ink of ASCII.
inline bool is_ascii_ink(char c) { return c > ' ' && static_cast<unsigned char>(c) < 0x80; }
inline std::size_t blank_before(std::string_view text) {
  return !text.empty() && is_ascii_ink(text.front()) ? 0 : any_blank_before(text);
}
inline std::size_t blank_after(std::string_view text) {
  return !text.empty() && is_ascii_ink(text.back()) ? 0 : any_blank_after(text);
}

// Returns whether marks such as '*' may begin or end emphasis between these edges; for an unknown
// edge, whether they might.
// https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run
struct Flanks {
  bool may_open = false;
  bool may_close = false;
};
Flanks flanks_of(char mark, Edge before, Edge after);

// Returns whether a character reference might begin at the '&' that `text` begins with.
bool may_be_reference(std::string_view text);

// Writes the address of a link: plain, or between < and > if it has characters with a meaning.
void append_destination(std::string& out, std::string_view url);

// Writes code between marks that do not occur in it.
void append_code_span(std::string& out, std::string_view code);

// Writes text with a backslash before each character that has a meaning anywhere.
void append_escaped(std::string& out, std::string_view text);

// Escapes what has a meaning only at the beginning of a line: headings, lists, quotes, rules.
// `begin` is the place of the line, which is the last one. `is_first`: of its paragraph.
void escape_line_start(std::string& out, std::size_t begin, bool is_first);

// Returns the number of times that the mark repeats most in the text.
std::size_t longest_run(std::string_view text, char mark);

}  // namespace gossamer::content
