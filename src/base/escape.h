// Makes text from outside safe to print: it can neither end a line, nor drive a terminal, nor
// turn the order in which the line is read. Also makes it safe in HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace gossamer::base {

// Code points beyond ASCII that can drive a terminal, end a line or change its reading order: C1
// controls, line and paragraph separators, bidirectional controls (Unicode TR9).
bool is_harmful(char32_t code_point) noexcept;

// Valid UTF-8 passes, except for
//   C0 controls (tab and newline too) and DEL       \x0a
//   bytes that are not part of valid UTF-8          \xff
//   C1 controls, line and paragraph separators,
//   bidirectional controls (Unicode TR9)            \u{202e}
// A backslash passes as it is: the result is for reading, not for decoding.
std::string escape_for_terminal(std::string_view text);

// The same, at the end of `out`.
void append_escaped(std::string& out, std::string_view text);

// The value of an attribute in double quotes, of HTML or XML: & and " are escaped, and what else
// there is passes byte for byte.
std::string escape_attribute(std::string_view value);

// Safe as text and as the value of a quoted attribute of HTML. Escaped for terminals first.
std::string escape_html(std::string_view text);
// The same for XML 1.0: U+FFFE and U+FFFF, which it does not know, become U+FFFD.
std::string escape_xml(std::string_view text);

}  // namespace gossamer::base
