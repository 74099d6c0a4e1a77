// Text from outside on its way into a page of ours.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/escape.h"

namespace gossamer::report {

using base::escape_html;

// A link to it that tells nobody where it was clicked; plain text unless it is http or https, so
// that no `javascript:` can ever be clicked. `shown` is what is read; empty: the URL.
std::string html_link(std::string_view url, std::string_view shown = {});

// The text of an element, so that a Content-Security-Policy can name it: 'sha256-...'.
std::string csp_source(std::string_view element_text);

}  // namespace gossamer::report
