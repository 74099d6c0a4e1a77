// Names and passwords of URLs, kept out of messages and records.
#pragma once

#include <string>
#include <string_view>

#include "url/url.h"

namespace gossamer::url {

// The same page without user name and password.
Url strip_credentials(const Url& url);

// For messages about a text that need not be a URL: "https://***@a.example/". Hides too much rather
// than too little where the text is ambiguous.
std::string without_secrets(std::string_view text);

}  // namespace gossamer::url
