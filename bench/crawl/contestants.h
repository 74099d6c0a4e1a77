// The contestants of tax_bench.cc, each in its own process, on one thread.
#pragma once

#include "async/driver.h"
#include "bench/crawl/site_pages.h"
#include "bench/servers/answer.h"

namespace gossamer::bench {

// The floor: wrk requests the same paths in the same order and checks only the end of a response.
// REQUIRES: wrk_is_installed().
FetchCost get_with_wrk(const PageLoad& load, int seconds);

// http::Client alone: fetches the pages and reads their bodies.
FetchCost get_with_client(const PageLoad& load, async::DriverKind driver);

// Finding links alone, in pages in memory: read, resolved, normalised, fingerprinted.
FetchCost extract_links(const PageLoad& load);

// The whole crawl, repeated; nothing is stored.
FetchCost crawl_site(const PageLoad& load, async::DriverKind driver);

}  // namespace gossamer::bench
