// Starts crawls for the browser (`new` of the server).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace gossamer::serve {

// A crawl that a browser wants. The values are checked.
struct NewCrawl {
  std::string url;     // the root, http or https
  std::string folder;  // the path of its crawl directory, which does not exist yet
  std::string socket;  // the path of its control socket
  std::optional<std::uint32_t> depth = {};
  std::optional<std::uint64_t> limit = {};
  bool has_assets = true;  // also fetches images, styles and scripts of pages
};

class CrawlStarter {
 public:
  virtual ~CrawlStarter() = default;

  // Starts it and does not wait for it. Fails with a detail for the user.
  virtual Result<void> start(const NewCrawl& crawl) = 0;
  // Stops the crawl of this directory, as Ctrl-C would, and does not wait for it.
  virtual void stop(const std::string& folder) = 0;
  // True while the crawl of this directory runs.
  virtual bool is_running(const std::string& folder) = 0;
  // The number of crawls that run.
  virtual std::size_t running() = 0;
};

}  // namespace gossamer::serve
