#include "serve/gate.h"

#include <fmt/format.h>

#include <algorithm>

#include "wire/text.h"

namespace gossamer::serve {

bool equals_in_constant_time(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

std::optional<server::Response> reject_api_request(const server::Request& request,
                                                   std::string_view origin,
                                                   std::string_view token) {
  for (const server::Request::Field& field : request.fields) {
    const bool is_origin = wire::equals_ignoring_case(field.name, "Origin");
    if (is_origin && field.value != origin) {
      return server::error_response(403, "the request comes from a page of another origin");
    }
    const bool is_site = wire::equals_ignoring_case(field.name, "Sec-Fetch-Site");
    if (is_site && field.value != "same-origin" && field.value != "none") {
      return server::error_response(403, "the request comes from a page of another site");
    }
  }
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view sent = request.find("Authorization").value_or("");
  const bool is_bearer = sent.size() > kScheme.size() &&
                         wire::equals_ignoring_case(sent.substr(0, kScheme.size()), kScheme);
  const bool is_right = is_bearer && request.count("Authorization") == 1 &&
                        equals_in_constant_time(sent.substr(kScheme.size()), token);
  if (is_right) return {};
  return server::error_response(
             401,
             "the token is missing or wrong; open the address that gossamer serve "
             "printed")
      .with("WWW-Authenticate", "Bearer");
}

std::string dashboard_policy(std::string_view replay_origin) {
  return fmt::format(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
      "img-src 'self'; frame-src {}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      replay_origin);
}

std::string replay_policy(std::string_view dashboard_origin, std::string_view replay_origin,
                          bool allows_scripts, bool is_inner) {
  const std::string scripts =
      allows_scripts ? fmt::format(
                           "script-src {0} 'unsafe-inline' 'unsafe-eval'; connect-src {0}; "
                           "webrtc 'block'",
                           replay_origin)
                     : std::string("script-src 'none'; connect-src 'none'");
  return fmt::format(
      "sandbox{}; default-src {} data: blob:; style-src {} 'unsafe-inline' data:; {}; "
      "base-uri 'none'; form-action 'none'{}{}",
      allows_scripts ? " allow-scripts" : "", replay_origin, replay_origin, scripts,
      is_inner ? "" : "; frame-ancestors ",
      is_inner         ? ""
      : allows_scripts ? "'none'"
                       : dashboard_origin);
}

}  // namespace gossamer::serve
