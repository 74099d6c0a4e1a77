#include "engine/host_signs.h"

#include "wire/retry_after.h"

namespace gossamer::crawler {

HostSign sign_of(int status) {
  if (status == 429) return HostSign::refused;
  if (status == 503) return HostSign::unavailable;
  if (status == 408 || status == 502 || status == 504) return HostSign::failed;
  return status >= 500 ? HostSign::erred : HostSign::answered;
}

HostSign sign_of(Errc failure) {
  if (failure == Errc::denied) return HostSign::answered;
  return failure == Errc::overloaded ? HostSign::refused : HostSign::failed;
}

HostSign sign_of(Errc failure, http::ExchangeStep step) {
  // We denied it before the host heard of it.
  const bool is_ours = failure == Errc::denied && step == http::ExchangeStep::begun;
  return is_ours ? HostSign::none : sign_of(failure);
}

HostSigns signs_of(const wire::ResponseHead& head, Fault fault, WallTime now) {
  HostSigns signs = {.host = sign_of(head.status()), .retry_after = std::nullopt};
  if (!is_refusal(signs.host)) return signs;
  if (const auto value = head.find("Retry-After")) {
    signs.retry_after = wire::parse_retry_after(*value, now);
  }
  const bool is_page_at_fault = signs.host == HostSign::unavailable && fault != Fault::unknown;
  if (is_page_at_fault) signs.host = HostSign::broken_page;
  return signs;
}

bool is_refusal(HostSign sign) {
  return sign == HostSign::refused || sign == HostSign::unavailable ||
         sign == HostSign::broken_page;
}

bool may_pass(Errc code) {
  switch (code) {
    case Errc::timed_out:
    case Errc::refused:
    case Errc::reset:
    case Errc::peer_closed:
    case Errc::unreachable:
    case Errc::not_connected:
    case Errc::dns_failed:
    case Errc::no_resources:
    case Errc::unavailable:
    case Errc::overloaded:
    case Errc::io_failed: return true;
    default: return false;
  }
}

}  // namespace gossamer::crawler
