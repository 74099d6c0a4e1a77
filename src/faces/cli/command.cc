#include "cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/escape.h"
#include "options/setting_names.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {

int exit_code_for(const Error& error) {
  switch (error.code()) {
    case Errc::refused:
    case Errc::reset:
    case Errc::peer_closed:
    case Errc::unreachable:
    case Errc::not_connected:
    case Errc::dns_failed:
    case Errc::timed_out:
    case Errc::unavailable:
    case Errc::overloaded: return kNetworkFailed;
    // A file is denied with EACCES or EROFS; a socket by our own guard or by a firewall with EPERM.
    case Errc::denied:
      return error.error_number() == EACCES || error.error_number() == EROFS ? kFileFailed
                                                                             : kNetworkFailed;
    case Errc::tls_failed: return kTlsFailed;
    case Errc::malformed:
    case Errc::over_limit:
    case Errc::unsupported: return kProtocolFailed;
    case Errc::not_found:
    case Errc::exists:
    case Errc::no_space:
    case Errc::io_failed: return kFileFailed;
    case Errc::invalid_argument: return kUsage;
    case Errc::cancelled:
    case Errc::closed:
    case Errc::no_resources:
    case Errc::internal: return kFailed;
  }
  return kFailed;
}

int exit_code_for_status(int status) {
  if (status == 401 || status == 407) return kAuthenticationFailed;
  return status >= 400 ? kServerError : kOk;
}

std::string cannot_write(std::string_view file) {
  return fmt::format("cannot write {}: {}", file, std::strerror(errno));
}

int worse(int one, int other) {
  if (one <= kFailed || other <= kFailed) return std::max(one, other);
  return std::min(one, other);
}

std::optional<int> stopped(const Command& command,
                           const std::optional<options::Table::Stop>& stop) {
  using Reason = options::Table::Stop::Reason;
  if (!stop) return std::nullopt;
  switch (stop->reason) {
    case Reason::help:
    case Reason::configuration: terminal::standard_output().write(stop->text); return kOk;
    case Reason::usage_fault:
      static_cast<void>(usage_error(command.name, stop->text));
      return command.usage_code;
    case Reason::configuration_fault:
      static_cast<void>(usage_error(command.name, stop->text));
      return command.configuration_code;
  }
  return kFailed;
}

int usage_error(std::string_view command, std::string_view message) {
  const std::string line = fmt::format("gossamer{}{}: {}\n", command.empty() ? "" : " ", command,
                                       base::escape_for_terminal(options::as_flags(message)));
  std::fputs(line.c_str(), stderr);
  return kUsage;
}

int job_error(std::string_view command, const Error& error) {
  const std::string_view what = error.error_number() != 0 ? "cannot open " : "";
  const int exit_code = usage_error(command, fmt::format("{}{}", what, error.message()));
  if (error == Errc::malformed) return kDamaged;
  const bool is_of_system =
      error.error_number() != 0 || error == Errc::io_failed || error == Errc::no_space;
  return is_of_system ? kFileFailed : exit_code;
}

}  // namespace gossamer::cli
