// The form in which paths of robots.txt and of URLs are compared (RFC 9309 2.2.2).
#pragma once

#include <string>
#include <string_view>

namespace gossamer::robots {

// Escapes of unreserved characters are undone, other escapes are upper case, and what may not
// stand in a URL is escaped. `*` and `$` become escapes too: in a path they are ordinary
// characters, in a rule they are so only when escaped.
//
// BORROWS: the result views `path` if it is in that form already, else `scratch`.
std::string_view normal_path(std::string_view path, std::string& scratch);

// The same for the path of a rule, in which `*` keeps its meaning; a `$` at the end, which has one
// too, must have been taken off. Appends to `out`.
void append_normal_pattern(std::string_view pattern, std::string& out);

}  // namespace gossamer::robots
