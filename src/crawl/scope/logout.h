// Links that end a session: a crawler that is logged in and follows one sees nothing any more.
#pragma once

#include <string_view>

#include "url/url.h"

namespace gossamer::crawler {

// By its looks: a part of the path, or a name or value of the query, begins or ends with a word
// such as logout, sign-out, LogOff, abmelden. A page about it, /how-to-log-out-of-windows, is none.
bool leads_to_logout(const url::Url& url);

// By what stands on it: "Log out", "Sign out (jan)", "Abmelden".
bool says_logout(std::string_view anchor_text);

}  // namespace gossamer::crawler
