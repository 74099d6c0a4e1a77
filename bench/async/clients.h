#pragma once

#include "async/driver.h"
#include "bench/async/fetch_load.h"

// The contestants: each handles the same load on one thread.
namespace gossamer::bench {

// A coroutine per connection, on our loop.
FetchCost fetch_with_coroutines(const FetchLoad& load, async::DriverKind driver);

// The floor: an epoll_wait loop as in a C program. Every descriptor is registered once and
// edge-triggered; there is one receive buffer and a state of two words per connection.
FetchCost fetch_with_plain_epoll(const FetchLoad& load);

// The program wrk, which measures for `seconds` instead of counting. REQUIRES: it is installed.
FetchCost fetch_with_wrk(const FetchLoad& load, int seconds);

}  // namespace gossamer::bench
