// Makes text from outside safe to print: it can neither end a line, nor control a terminal, nor
// change the reading order of the line. Also makes it safe in HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace gossamer::base {

// Returns true for code points beyond ASCII that can control a terminal, end a line or change its
// reading order: C1 controls, line and paragraph separators, bidirectional controls (Unicode TR9).
bool is_harmful(char32_t code_point) noexcept;

// Copies valid UTF-8, and escapes
//   C0 controls (tab and newline too) and DEL       \x0a
//   bytes that are not part of valid UTF-8          \xff
//   C1 controls, line and paragraph separators,
//   bidirectional controls (Unicode TR9)            \u{202e}
// A backslash is not escaped: the result is for reading, not for decoding.
std::string escape_for_terminal(std::string_view text);

// Appends the same to `out`.
void append_escaped(std::string& out, std::string_view text);

// Escapes & and " for a double-quoted attribute value of HTML or XML. All other bytes are copied.
std::string escape_attribute(std::string_view value);

// Makes text safe as HTML text and in quoted attribute values. Escapes it for terminals first.
std::string escape_html(std::string_view text);
// The same for XML 1.0, which does not allow U+FFFE and U+FFFF: they become U+FFFD.
std::string escape_xml(std::string_view text);

}  // namespace gossamer::base
