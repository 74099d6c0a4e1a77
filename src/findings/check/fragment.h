#pragma once

#include <string>
#include <string_view>

#include "url/url.h"

namespace gossamer::check {

// Returns the fragment of a URL, undecoded. Empty if there is nothing to check: no fragment, the
// top of the page, a text to highlight (#:~:text=), or the route of an application (#/x, #!x).
std::string named_place(const url::Url& url);

}  // namespace gossamer::check
