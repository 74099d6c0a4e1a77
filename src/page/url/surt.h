// Sort-friendly URI Reordering Transform: the host is written from the top-level domain down, so
// that the pages of a site and its subdomains are adjacent in a sorted file.
#pragma once

#include <string>

#include "url/url.h"

namespace gossamer::url {

// Returns "http://(org,example,www,:81)/path?query#fragment". Credentials are left out, addresses
// are not reversed, and a URL without a host is its own SURT.
std::string surt(const Url& url);

// Returns the key of a capture in CDX and CDXJ files: "org,example)/path?query". It follows the
// Internet Archive's canonicalisation: no scheme, no leading "www" or "www12", no session, no
// default port, lower case, fully decoded escapes, no trailing slash, sorted query.
std::string cdx_key(const Url& url);

}  // namespace gossamer::url
