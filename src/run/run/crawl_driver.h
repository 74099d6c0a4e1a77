#pragma once

#include <memory>
#include <string>

#include "async/driver.h"
#include "base/result.h"
#include "settings/crawl_settings.h"

namespace gossamer::run {

struct CrawlDriver {
  std::unique_ptr<async::Driver> driver;
  std::string advice;  // what to do if the machine allows less than requested; empty: nothing
};

// Makes the driver of the first loop. Raises the limit of open files as far as the machine allows,
// and lowers the concurrency to what is possible. REQUIRES: the settings are complete.
Result<CrawlDriver> make_driver(CrawlSettings& settings);

}  // namespace gossamer::run
