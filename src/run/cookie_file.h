#pragma once

#include <string>

#include "base/result.h"
#include "run/machine.h"
#include "wire/cookie_jar.h"

namespace gossamer::run {

// Cookies in a file as browsers, curl and wget have them (wire/cookies_txt.h). An empty path stands
// for no file.

// A file that is not there holds no cookies.
void load_cookies(Machine& machine, const std::string& path, wire::CookieJar& cookies);
// Into a new file that then takes the place of the old one, so that no cookie is lost on the way.
// Cookies are as good as passwords: nobody else may read them.
Result<void> save_cookies(Machine& machine, const std::string& path,
                          const wire::CookieJar& cookies);

}  // namespace gossamer::run
