// The host of a URL: a domain, an address, or opaque text.
#pragma once

#include <string_view>

#include "url/url.h"
#include "url/writer.h"

namespace gossamer::url {

// Appends the host in its normal form; on failure, a part of it.
// REQUIRES: room for nine bytes per byte of the text, and for kDomainBytesMax more if the text is
// not ASCII or has escapes.
// https://url.spec.whatwg.org/#host-parsing
UrlFailure write_host(std::string_view text, bool is_special, Writer& out, HostKind& kind);

}  // namespace gossamer::url
