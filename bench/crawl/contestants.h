// Who is measured in tax_bench.cc, each in a process of its own, on one thread.
#pragma once

#include "async/driver.h"
#include "bench/crawl/site_pages.h"
#include "bench/servers/answer.h"

namespace gossamer::bench {

// The floor: wrk asks for the same paths in the same order and looks at nothing but the end of an
// answer. REQUIRES: wrk_is_installed().
FetchCost get_with_wrk(const PageLoad& load, int seconds);

// http::Client alone: asks for the pages and reads their bodies.
FetchCost get_with_client(const PageLoad& load, async::DriverKind driver);

// Finding links alone, in pages that are in memory: read, resolved, normalised, fingerprinted.
FetchCost extract_links(const PageLoad& load);

// The whole crawl, again and again; nothing is stored.
FetchCost crawl_site(const PageLoad& load, async::DriverKind driver);

}  // namespace gossamer::bench
