#pragma once

#include "base/errc.h"
#include "crawl/frontier/politeness.h"
#include "http/exchange_step.h"

namespace gossamer::crawler {

// What a response or a failure says about its host.
HostSign sign_of(int status);
HostSign sign_of(Errc failure);
// The same for a request that came as far as this step.
HostSign sign_of(Errc failure, http::ExchangeStep step);

// Returns whether the failure may be temporary.
bool may_pass(Errc code);

}  // namespace gossamer::crawler
