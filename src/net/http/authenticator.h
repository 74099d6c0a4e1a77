#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/credential_store.h"
#include "http/request.h"
#include "wire/authentication.h"
#include "wire/response_head.h"

namespace gossamer::http {

// Answers servers that require a user name and a password. After the first challenge, it sends the
// credentials in advance wherever the challenge is valid. Basic is valid for the folder of the
// requested page and everything below it (RFC 7617 section 2.2), Digest for the paths that the
// challenge names, or the whole origin (RFC 7616 section 3.4). Pure except for the nonces; belongs
// to one loop.
//
//   authenticator.authorize(request);
//   response = send(request);
//   if (response.status() == 401 && authenticator.answer(request, response.head())) send again
class Authenticator {
 public:
  // Returns an unpredictable text, a new one each time.
  using MakeNonce = std::move_only_function<std::string()>;

  Authenticator(CredentialStore credentials, MakeNonce make_nonce)
      : credentials_(std::move(credentials)), make_nonce_(std::move(make_nonce)) {}

  // Adds credentials, if this server has required them there before.
  void authorize(Request& request);

  // Call it after a 401. Returns true if the request now has an answer to the challenge and should
  // be sent once more. Returns false if there is no password for this origin, no challenge is
  // supported, or the server has rejected the answer; a rejected password is not tried again.
  bool answer(Request& request, const wire::ResponseHead& head);

 private:
  // A realm of an origin, and its last challenge.
  struct Known {
    wire::Challenge challenge;
    std::vector<std::string> folders;  // paths for which it is valid
    std::uint32_t nonce_count = 0;
    bool is_refused = false;
  };

  Known& known_for(const url::Url& url, const wire::Challenge& challenge);
  Result<std::string> write(Known& known, const wire::Credentials& credentials,
                            const Request& request);

  CredentialStore credentials_;
  MakeNonce make_nonce_;
  std::map<std::string, std::vector<Known>> by_origin_;
};

}  // namespace gossamer::http
