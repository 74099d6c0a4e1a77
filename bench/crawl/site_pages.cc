#include "bench/crawl/site_pages.h"

#include <filesystem>
#include <utility>

#include "async/driver.h"
#include "base/check.h"
#include "bench/crawl/loopback_world.h"

namespace gossamer::bench {
namespace {

class ListingSink final : public crawler::PageSink {
 public:
  // BORROWS: pages.
  ListingSink(std::string site, std::vector<SitePage>& pages)
      : site_(std::move(site)), pages_(pages) {}

  async::Task<Result<void>> put(crawler::Page page) override {
    const crawler::FetchRecord& record = page.record;
    CHECK(record.url.starts_with(site_) && record.status, "{}: {}", record.url, record.error);
    pages_.push_back({.path = record.url.substr(site_.size()),
                      .status = *record.status,
                      .bytes = record.bytes,
                      .is_html = record.status == 200 && record.mime == "text/html"});
    co_return {};
  }

 private:
  const std::string site_;
  std::vector<SitePage>& pages_;
};

// BORROWS: pages.
async::Task<Result<void>> list_pages(std::string site, std::string root,
                                     std::vector<SitePage>& pages) {
  ListingSink sink(site, pages);
  run::CrawlSettings settings(site + root);
  settings.concurrency = PageLoad::kAtOnce;
  co_return co_await crawl_once(std::move(settings), sink);
}

}  // namespace

bool Documentation::is_installed() const {
  std::error_code error;
  return std::filesystem::exists(std::string(folder) + std::string(root), error);
}

std::vector<SitePage> crawled_pages(const async::Endpoint& server, const std::string& root) {
  std::vector<SitePage> pages;
  run_on(async::DriverKind::epoll, list_pages("http://" + server.to_string(), root, pages));
  CHECK(!pages.empty(), "there are no pages at {}", root);
  return pages;
}

}  // namespace gossamer::bench
