#pragma once

#include <string>

#include "net/resolver.h"

namespace gossamer::bench {

// For clients that only use addresses.
class NoNames final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string) override {
    co_return fail(Errc::dns_failed, "there are no names here");
  }
};

}  // namespace gossamer::bench
