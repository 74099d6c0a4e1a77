// The form in which paths of robots.txt and of URLs are compared (RFC 9309 2.2.2).
#pragma once

#include <string>
#include <string_view>

namespace gossamer::robots {

// Decodes escapes of unreserved characters, writes other escapes in upper case, and escapes
// characters that a URL cannot contain. `*` and `$` are escaped too: in a path they are ordinary
// characters, in a rule they are ordinary only if escaped.
//
// BORROWS: the result views `path` if it already has that form, else `scratch`.
std::string_view normal_path(std::string_view path, std::string& scratch);

// The same for the path of a rule, in which `*` keeps its meaning. REQUIRES: a `$` at the end,
// which has a meaning too, was removed. Appends to `out`.
void append_normal_pattern(std::string_view pattern, std::string& out);

}  // namespace gossamer::robots
