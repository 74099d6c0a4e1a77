// Keeps user names and passwords of URLs out of messages and records.
#pragma once

#include <string>
#include <string_view>

#include "url/url.h"

namespace gossamer::url {

// Returns the same URL without user name and password.
Url strip_credentials(const Url& url);

// For messages about a text that need not be a URL: "https://***@a.example/". Hides too much rather
// than too little if the text is ambiguous.
std::string without_secrets(std::string_view text);

}  // namespace gossamer::url
