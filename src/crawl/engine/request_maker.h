#pragma once

#include "base/result.h"
#include "engine/setup/options.h"
#include "engine/setup/world.h"
#include "frontier/claim.h"
#include "frontier/target.h"
#include "http/client.h"
#include "wire/cookie_jar.h"

namespace gossamer::crawler {

// Makes the requests for pages.
class RequestMaker {
 public:
  // BORROWS: all.
  RequestMaker(World& world, const Options& options, Hooks& hooks, wire::CookieJar& cookies)
      : world_(world), options_(options), hooks_(hooks), cookies_(cookies) {}

  // Fails if the target's URL is malformed.
  Result<http::Request> make(const Claim& claim);
  // Servers often reject HEAD, or answer it differently from GET.
  bool uses_head(const Target& target) const;

 private:
  World& world_;
  const Options& options_;
  Hooks& hooks_;
  wire::CookieJar& cookies_;
};

}  // namespace gossamer::crawler
