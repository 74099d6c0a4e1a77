#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/task.h"
#include "async/thread_pool.h"
#include "base/result.h"
#include "captures/collection.h"
#include "serve/crawl_starter.h"
#include "serve/live.h"
#include "server/request.h"
#include "server/response.h"

namespace gossamer::serve {

// Reads the request for a crawl: {"url": ..., "folder": ..., "depth": 3}, with settings of the form
// (serve/crawl_form.h). `parent` is the folder of the new directory. Fails with
// Errc::invalid_argument and a detail for the user. It does no I/O.
Result<NewCrawl> parse_new_crawl(std::string_view json, const std::string& parent);

// The crawls that the browser starts, each in a new folder of one directory. One loop uses it.
class NewCrawls {
 public:
  // BOUND: crawls at the same time.
  static constexpr std::size_t kRunningMax = 4;

  // With an empty `parent` or without a starter, it starts nothing. BORROWS: all of it.
  NewCrawls(std::string parent, CrawlStarter* starter, captures::Collection& collection,
            std::vector<std::unique_ptr<LiveCrawl>>& crawls, async::ThreadPool& threads)
      : parent_(starter == nullptr ? std::string() : std::move(parent)),
        starter_(starter),
        collection_(collection),
        crawls_(crawls),
        threads_(threads) {}

  bool is_on() const noexcept { return !parent_.empty(); }
  // Starts a crawl, and answers when it runs and is served. BORROWS: this and the request.
  async::Task<server::Response> start(const server::Request& request);
  // Watches the crawls that were started, until it is cancelled. BORROWS: this.
  async::Task<Result<void>> watch();

 private:
  // Waits until the new directory can be served. BORROWS: all.
  async::Task<Result<std::uint32_t>> adopt(const NewCrawl& crawl);

  const std::string parent_;
  CrawlStarter* const starter_;
  captures::Collection& collection_;
  std::vector<std::unique_ptr<LiveCrawl>>& crawls_;
  async::ThreadPool& threads_;
  async::Scope* watchers_ = nullptr;  // nullptr: watch() does not run
};

}  // namespace gossamer::serve
