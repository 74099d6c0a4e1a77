#pragma once

#include "base/errc.h"
#include "crawl/frontier/politeness.h"

namespace gossamer::crawler {

// What a response or a failure says about its host.
HostSign sign_of(int status);
HostSign sign_of(Errc failure);

// Returns whether the failure may be temporary.
bool may_pass(Errc code);

}  // namespace gossamer::crawler
