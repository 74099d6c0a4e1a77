// The challenges of WWW-Authenticate and the answers to them: Basic (RFC 7617) and Digest (RFC
// 7616). Proxies use the same grammar with other field names.
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

// Parses one header value, which may contain several challenges. Invalid ones are skipped. BOUND:
// at most 16 challenges of 32 parameters.
std::vector<Challenge> parse_challenges(std::string_view value);

struct Credentials {
  std::string user;
  std::string password;
};

// Returns "Basic dXNlcjp3b3Jk". Fails with Errc::invalid_argument for a colon in the name or a
// control character.
Result<std::string> basic_authorization(const Credentials& credentials);

struct DigestRequest {
  std::string_view method;
  std::string_view target;  // as in the request line
  // An unpredictable text, new for every request.
  std::string_view client_nonce;
  // How often the server's nonce was used, including this time.
  std::uint32_t nonce_count = 1;
};

// Returns "Digest username=...". Supports MD5 and SHA-256, with and without -sess, with qop=auth or
// none. Fails with Errc::unsupported for other algorithms and if only qop=auth-int is offered, with
// Errc::malformed if the challenge has no realm or nonce.
Result<std::string> digest_authorization(const Challenge& challenge, const Credentials& credentials,
                                         const DigestRequest& request);

// Returns the strongest challenge that we can answer: Digest with SHA-256, Digest with MD5, Basic.
// BORROWS: points into `challenges`; null if there is none.
const Challenge* choose_challenge(std::span<const Challenge> challenges);

}  // namespace gossamer::wire
