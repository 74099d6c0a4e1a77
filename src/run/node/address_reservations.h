#pragma once

#include <optional>
#include <string>

#include "async/endpoint.h"
#include "async/event.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "cluster/shared_crawl.h"
#include "node/address_moments.h"

namespace gossamer::node {

// Reserves the moments of requests to addresses in Redis, so that nodes share the pauses.
class AddressReservations {
 public:
  // BORROWS: the crawl.
  AddressReservations(cluster::SharedCrawl& crawl, Duration gap) : crawl_(crawl), moments_(gap) {}

  // A request wants to start. Empty: it may; else it tries again then.
  std::optional<Instant> start_at(const async::Endpoint& address, Instant now);
  // Reserves what start_at() wants until it is cancelled. BORROWS: this.
  async::Task<Result<void>> run();

 private:
  async::Task<void> reserve(std::string address);

  cluster::SharedCrawl& crawl_;
  AddressMoments moments_;
  async::Event has_wanted_;
};

}  // namespace gossamer::node
