#pragma once

// For programs that use Gossamer as a library: a crawl as a sequence of pages (docs/library.md).
#include <string>
#include <utility>

#include "engine/setup/options.h"
#include "record/page_sink.h"
#include "record/record.h"
#include "record/skip_reason.h"
#include "record/statistics.h"
#include "run/control/crawl_progress.h"
#include "run/crawl.h"
#include "run/failure.h"
#include "run/page_stream.h"
#include "settings/crawl_settings.h"

namespace gossamer {

using run::complete;
using run::Crawl;
using run::CrawlEnd;
using run::CrawlListener;
using run::CrawlProgress;
using run::CrawlSettings;
using run::CrawlStart;
using run::Failure;
using run::HostSettings;
using run::IdentitySettings;
using run::LoginSettings;
using run::Outcome;
using run::Page;
using run::PageStream;
using run::Part;

// Starts a crawl on its own thread.
inline PageStream crawl(CrawlSettings settings) { return PageStream(std::move(settings)); }
// Crawls the pages that can be reached from this URL on its host.
inline PageStream crawl(std::string url) { return PageStream(CrawlSettings(std::move(url))); }

}  // namespace gossamer
