// What a server asks for with WWW-Authenticate, and the answers to it: Basic (RFC 7617) and Digest
// (RFC 7616). Proxies ask and are answered in the same words under other names of fields.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::wire {

// One challenge: a scheme and its parameters.
struct Challenge {
  struct Parameter {
    std::string name;  // lower case
    std::string value;
  };

  std::string scheme;  // lower case
  std::string token68;
  std::vector<Parameter> parameters;

  std::optional<std::string_view> parameter(std::string_view name) const noexcept;
};

// The challenges of one header value, of which there may be several. What makes no sense is passed
// over. BOUND: at most 16 challenges of 32 parameters.
std::vector<Challenge> parse_challenges(std::string_view value);

struct Credentials {
  std::string user;
  std::string password;
};

// "Basic dXNlcjp3b3Jk". Fails with Errc::invalid_argument for a colon in the name or a control
// character.
Result<std::string> basic_authorization(const Credentials& credentials);

struct DigestRequest {
  std::string_view method;
  std::string_view target;  // as in the request line
  // Text that nobody can guess, new for every request.
  std::string_view client_nonce;
  // How often the server's nonce was used, this time included.
  std::uint32_t nonce_count = 1;
};

// "Digest username=...". MD5 and SHA-256, with and without -sess, with qop=auth or none. Fails with
// Errc::unsupported for other algorithms and for qop=auth-int alone, with Errc::malformed if the
// challenge has no realm or nonce.
Result<std::string> digest_authorization(const Challenge& challenge, const Credentials& credentials,
                                         const DigestRequest& request);

// The strongest challenge that we can answer: Digest with SHA-256, Digest with MD5, Basic.
// BORROWS: points into `challenges`; null if there is none.
const Challenge* choose_challenge(std::span<const Challenge> challenges);

}  // namespace gossamer::wire
