#pragma once

#include <cstdint>
#include <optional>

#include "base/errc.h"
#include "base/time.h"
#include "frontier/politeness.h"
#include "frontier/target.h"
#include "http/exchange_step.h"
#include "wire/response_head.h"

namespace gossamer::crawler {

// What a response or a failure says about its host.
HostSign sign_of(int status);
HostSign sign_of(Errc failure);
// The same for a request that came as far as this step.
HostSign sign_of(Errc failure, http::ExchangeStep step);

// The meaning of a response for its host.
struct HostSigns {
  HostSign host = HostSign::answered;
  std::optional<Duration> retry_after;
};
// `fault` is that of the target at an earlier 503.
HostSigns signs_of(const wire::ResponseHead& head, Fault fault, WallTime now);

// True if the host or a page of it may be fetched later: 429, 503.
bool is_refusal(HostSign sign);

// Returns whether the failure may be temporary.
bool may_pass(Errc code);

}  // namespace gossamer::crawler
