// Writes text from outside into an HTML page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/escape.h"

namespace gossamer::report {

using base::escape_html;

// Returns a link that sends no referrer; plain text unless it is http or https, so that a
// `javascript:` URL can never be clicked. `shown` is its text; empty means the URL.
std::string html_link(std::string_view url, std::string_view shown = {});

// Returns the hash of an element's text for a Content-Security-Policy: 'sha256-...'.
std::string csp_source(std::string_view element_text);

}  // namespace gossamer::report
