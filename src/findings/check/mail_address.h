#pragma once

#include <string_view>

namespace gossamer::check {

// Returns what is wrong with the addresses of a mailto: URL; empty: nothing. Only their form is
// checked (RFC 6068): no request is sent. `path` is the part between "mailto:" and "?".
std::string_view fault_of_mail(std::string_view path);

}  // namespace gossamer::check
