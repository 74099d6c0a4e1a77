#pragma once

#include <cstdint>

#include "async/mutex.h"
#include "async/task.h"
#include "base/result.h"
#include "engine/fetch.h"
#include "engine/request_maker.h"
#include "engine/setup/login.h"
#include "engine/setup/options.h"
#include "engine/setup/world.h"
#include "http/client.h"
#include "wire/cookie_jar.h"

namespace gossamer::crawler {

// Repeats requests of pages immediately: with a password, or in a new session.
class SessionRenewal {
 public:
  // BORROWS: all.
  SessionRenewal(World& world, const Options& options, Hooks& hooks, wire::CookieJar& cookies,
                 RequestMaker& requests)
      : world_(world), options_(options), hooks_(hooks), cookies_(cookies), requests_(requests) {}

  // True if the server requires a password or the session has ended.
  bool is_wanted(const Fetch& fetch, const http::Response& response) const;
  // Returns the last response. REQUIRES: is_wanted(). BORROWS: the fetch.
  async::Task<Result<http::Response>> ask_again(Fetch& fetch, http::Response response);

 private:
  const LoginOptions* lost_login(const http::Request& request,
                                 const http::Response& response) const;
  // Makes the request of a page again, as the hooks change it. BORROWS: the claim.
  async::Task<Result<http::Request>> make(const Claim& claim);
  // Adds the cookies of a new session to the request, if a login succeeds. BORROWS: all.
  async::Task<Result<void>> renew(const LoginOptions& login, const Claim& claim,
                                  http::Request& request);

  World& world_;
  const Options& options_;
  Hooks& hooks_;
  wire::CookieJar& cookies_;
  RequestMaker& requests_;
  async::Mutex renewing_;
  std::uint32_t renewals_ = 0;  // of sessions
};

}  // namespace gossamer::crawler
