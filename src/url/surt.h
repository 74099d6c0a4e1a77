// Sort-friendly URI Reordering Transform: hosts from the top-level domain down, so that the pages
// of a site, and of its subdomains, stand together in a sorted file.
#pragma once

#include <string>

#include "url/url.h"

namespace gossamer::url {

// "http://(org,example,www,:81)/path?query#fragment". Credentials are left out, addresses are not
// turned round, and a URL without a host is its own SURT.
std::string surt(const Url& url);

// The key of a capture in CDX and CDXJ files: "org,example)/path?query". It is that of the
// Internet Archive's canonicalisation: no scheme, no leading "www" or "www12", no session, no
// default port, lower case, escapes undone to the bottom, path without the last slash, query
// sorted.
std::string cdx_key(const Url& url);

}  // namespace gossamer::url
