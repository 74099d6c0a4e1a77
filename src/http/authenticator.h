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

// Answers servers that ask for a name and a password, and knows when they will ask again: what was
// answered once is sent at once where the server's challenge holds. Basic holds for the folder of
// the page that was asked for and all below (RFC 7617 section 2.2), Digest for the places that the
// challenge names, or the whole origin (RFC 7616 section 3.4). Pure but for the nonces; one loop's.
//
//   authenticator.authorize(request);
//   response = send(request);
//   if (response.status() == 401 && authenticator.answer(request, response.head())) send again
class Authenticator {
 public:
  // Gives a text that nobody can guess, a new one each time.
  using MakeNonce = std::move_only_function<std::string()>;

  Authenticator(CredentialStore credentials, MakeNonce make_nonce)
      : credentials_(std::move(credentials)), make_nonce_(std::move(make_nonce)) {}

  // Says who we are, if this server has asked for it there before.
  void authorize(Request& request);

  // After a 401. True: the request now has an answer to the challenge, and is worth sending once
  // more. False: there is no password for this origin, none of the challenges can be answered, or
  // the answer was given already and refused; a password that was refused is not tried again.
  bool answer(Request& request, const wire::ResponseHead& head);

 private:
  // A realm of an origin, and what it asked for last.
  struct Known {
    wire::Challenge challenge;
    std::vector<std::string> folders;  // of paths for which it holds
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
