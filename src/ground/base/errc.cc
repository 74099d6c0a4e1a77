#include "base/errc.h"

#include <array>
#include <cerrno>

namespace gossamer::base {

std::string_view name(Errc code) noexcept {
  switch (code) {
    case Errc::cancelled: return "cancelled";
    case Errc::timed_out: return "timed_out";
    case Errc::closed: return "closed";
    case Errc::refused: return "refused";
    case Errc::reset: return "reset";
    case Errc::peer_closed: return "peer_closed";
    case Errc::unreachable: return "unreachable";
    case Errc::not_connected: return "not_connected";
    case Errc::dns_failed: return "dns_failed";
    case Errc::tls_failed: return "tls_failed";
    case Errc::malformed: return "malformed";
    case Errc::over_limit: return "over_limit";
    case Errc::unsupported: return "unsupported";
    case Errc::denied: return "denied";
    case Errc::not_found: return "not_found";
    case Errc::exists: return "exists";
    case Errc::no_space: return "no_space";
    case Errc::io_failed: return "io_failed";
    case Errc::no_resources: return "no_resources";
    case Errc::invalid_argument: return "invalid_argument";
    case Errc::unavailable: return "unavailable";
    case Errc::overloaded: return "overloaded";
    case Errc::internal: return "internal";
  }
  return "internal";
}

namespace {

struct Translation {
  int error_number;
  Errc code;
};

constexpr auto kTranslations = std::to_array<Translation>({
    {ECANCELED, Errc::cancelled},
    {ETIMEDOUT, Errc::timed_out},
    {ETIME, Errc::timed_out},

    {ECONNREFUSED, Errc::refused},
    {ECONNRESET, Errc::reset},
    {ECONNABORTED, Errc::reset},
    {ENETRESET, Errc::reset},
    {EPIPE, Errc::peer_closed},
    {EHOSTUNREACH, Errc::unreachable},
    {EHOSTDOWN, Errc::unreachable},
    {ENETUNREACH, Errc::unreachable},
    {ENETDOWN, Errc::unreachable},
    {ENOTCONN, Errc::not_connected},
    {EDESTADDRREQ, Errc::not_connected},

    {EPROTO, Errc::malformed},
    {EBADMSG, Errc::malformed},
    {EILSEQ, Errc::malformed},
    {EMSGSIZE, Errc::over_limit},
    {EFBIG, Errc::over_limit},
    {E2BIG, Errc::over_limit},
    {EOVERFLOW, Errc::over_limit},
    {ENAMETOOLONG, Errc::over_limit},
    {ELOOP, Errc::over_limit},
    {EMLINK, Errc::over_limit},
    {ENOSYS, Errc::unsupported},
    {EOPNOTSUPP, Errc::unsupported},
    {EAFNOSUPPORT, Errc::unsupported},
    {EPFNOSUPPORT, Errc::unsupported},
    {EPROTONOSUPPORT, Errc::unsupported},
    {ESOCKTNOSUPPORT, Errc::unsupported},
    {ENOPROTOOPT, Errc::unsupported},

    {EACCES, Errc::denied},
    {EPERM, Errc::denied},
    {EROFS, Errc::denied},
    {ENOENT, Errc::not_found},
    {ENOTDIR, Errc::not_found},
    {ENODEV, Errc::not_found},
    {ENXIO, Errc::not_found},
    {ESRCH, Errc::not_found},
    {EEXIST, Errc::exists},
    {ENOTEMPTY, Errc::exists},
    {EADDRINUSE, Errc::exists},
    {EISCONN, Errc::exists},
    {ENOSPC, Errc::no_space},
    {EDQUOT, Errc::no_space},
    {EIO, Errc::io_failed},
    {EREMOTEIO, Errc::io_failed},
    {ESTALE, Errc::io_failed},
    {EMFILE, Errc::no_resources},
    {ENFILE, Errc::no_resources},
    {ENOMEM, Errc::no_resources},
    {ENOBUFS, Errc::no_resources},
    {ENOLCK, Errc::no_resources},
    {EADDRNOTAVAIL, Errc::no_resources},  // connect(2): no local port is free

    {EINVAL, Errc::invalid_argument},
    {EISDIR, Errc::invalid_argument},
    {EDOM, Errc::invalid_argument},
    {ERANGE, Errc::invalid_argument},
    {EAGAIN, Errc::unavailable},
    {EBUSY, Errc::unavailable},
    {EINTR, Errc::unavailable},
    {EINPROGRESS, Errc::unavailable},
    {EALREADY, Errc::unavailable},
    {ETXTBSY, Errc::unavailable},
});

}  // namespace

Errc errc_from_errno(int error_number) noexcept {
  for (const Translation& translation : kTranslations) {
    if (translation.error_number == error_number) return translation.code;
  }
  return Errc::internal;
}

}  // namespace gossamer::base
