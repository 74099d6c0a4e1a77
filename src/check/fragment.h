#pragma once

#include <string>
#include <string_view>

#include "url/url.h"

namespace gossamer::check {

// The place in a page that a URL names: its fragment, as it is in the URL. Empty where there is
// nothing to look for: none, the top of the page, a text to be highlighted (#:~:text=), the route
// of an application (#/x, #!x).
std::string named_place(const url::Url& url);

}  // namespace gossamer::check
