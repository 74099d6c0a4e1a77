// The Netscape cookies.txt format, which browsers export and curl and wget read and write:
//   domain  include subdomains  path  TLS only  expires  name  value      (separated by tabs)
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/time.h"
#include "wire/cookie_jar.h"

namespace gossamer::wire {

// Puts the cookies of a file into the jar. Lines that begin with # are comments, except #HttpOnly_.
// Expired cookies are skipped. Returns the number of lines that are invalid or that no server could
// have set; they are skipped too.
std::size_t read_cookies_txt(std::string_view text, WallTime now, CookieJar& jar);

// Returns a whole file. Session cookies have the date 0.
std::string write_cookies_txt(const CookieJar& jar, WallTime now);

}  // namespace gossamer::wire
