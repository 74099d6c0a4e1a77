#pragma once

#include <string>

#include "base/result.h"
#include "run/machine/machine.h"
#include "wire/cookie_jar.h"

namespace gossamer::run {

// Reads and writes the cookie files of browsers, curl and wget (wire/cookies_txt.h). An empty path
// means no file.

// A missing file has no cookies.
void load_cookies(Machine& machine, const std::string& path, wire::CookieJar& cookies);
// Writes a new file and renames it, so that no cookie is lost. Only the user may read it, since
// cookies are as sensitive as passwords.
Result<void> save_cookies(Machine& machine, const std::string& path,
                          const wire::CookieJar& cookies);

}  // namespace gossamer::run
