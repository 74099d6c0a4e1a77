// Detects links that end a session. A crawler that follows one loses access.
#pragma once

#include <string_view>

#include "url/url.h"

namespace gossamer::crawler {

// Checks the URL: a part of the path, or a name or value of the query, begins or ends with a word
// such as logout, sign-out, LogOff, abmelden. /how-to-log-out-of-windows is not a logout.
bool leads_to_logout(const url::Url& url);

// Checks the anchor text: "Log out", "Sign out (jan)", "Abmelden".
bool says_logout(std::string_view anchor_text);

}  // namespace gossamer::crawler
