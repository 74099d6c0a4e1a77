#pragma once

#include <string>
#include <string_view>

#include "url/url.h"

namespace gossamer::check {

// Returns the fragment of a URL without directives (#:~:text=), undecoded. Empty if there is
// nothing to check: no fragment, the top of the page, or the route of an application (#/x, #!x).
std::string named_place(const url::Url& url);

// Returns whether it takes the contents of the page to check the URL.
bool names_content(const url::Url& url);

}  // namespace gossamer::check
