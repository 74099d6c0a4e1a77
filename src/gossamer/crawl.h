#pragma once

// For programs that use Gossamer as a library: a crawl as a sequence of pages.
#include "crawl/crawl.h"
#include "crawl/options.h"
#include "crawl/page_sink.h"
#include "crawl/record.h"
#include "crawl/skip_reason.h"
#include "crawl/statistics.h"
#include "crawl/world.h"
