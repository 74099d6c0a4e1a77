#pragma once

#include <cstdint>

#include "async/mutex.h"
#include "async/task.h"
#include "base/result.h"
#include "crawl/fetch.h"
#include "crawl/login.h"
#include "crawl/options.h"
#include "crawl/request_maker.h"
#include "crawl/world.h"
#include "http/client.h"
#include "wire/cookie_jar.h"

namespace gossamer::crawler {

// Pages that are requested a second time at once: with a password, or in a new session.
class SessionRenewal {
 public:
  // BORROWS: all.
  SessionRenewal(World& world, const Options& options, Hooks& hooks, wire::CookieJar& cookies,
                 RequestMaker& requests)
      : world_(world), options_(options), hooks_(hooks), cookies_(cookies), requests_(requests) {}

  // A password is wanted, or the session has ended.
  bool is_wanted(const Fetch& fetch, const http::Response& response) const;
  // Gives the last answer. REQUIRES: is_wanted(). BORROWS: the fetch.
  async::Task<Result<http::Response>> ask_again(Fetch& fetch, http::Response response);

 private:
  const LoginOptions* lost_login(const http::Request& request,
                                 const http::Response& response) const;
  // Gives the request the cookies of a new session, if there is one to be had. BORROWS: all.
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
