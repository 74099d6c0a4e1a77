// Starts crawls for the browser (`new` of the server).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "settings/crawl_keywords.h"

namespace gossamer::serve {

// A crawl that a browser wants. The values are checked.
struct NewCrawl {
  std::string url;     // the root, http or https
  std::string folder;  // the path of its crawl directory, which does not exist yet
  std::string socket;  // the path of its control socket
  std::vector<settings::CrawlKeyword> settings;  // all, also the folder and the socket
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
