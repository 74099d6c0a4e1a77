// The cookies.txt of Netscape, which browsers export and curl and wget read and write:
//   domain  also below it?  path  only TLS?  expires  name  value      (tabs between)
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/time.h"
#include "wire/cookie_jar.h"

namespace gossamer::wire {

// Puts the cookies of a file into the jar. Lines that begin with # are comments, but for
// #HttpOnly_; expired cookies are passed over. Gives the number of lines that make no sense or
// that no server could have set, which are passed over too.
std::size_t read_cookies_txt(std::string_view text, WallTime now, CookieJar& jar);

// A whole file. Cookies of the session have the date 0.
std::string write_cookies_txt(const CookieJar& jar, WallTime now);

}  // namespace gossamer::wire
