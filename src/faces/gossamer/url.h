#pragma once

// For programs that use Gossamer as a library: URLs, page identity, and sites.
#include "url/crawl_identity.h"
#include "url/public_suffix.h"
#include "url/surt.h"
#include "url/url.h"
