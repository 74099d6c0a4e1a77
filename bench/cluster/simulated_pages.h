// Pages that are fetched immediately: for measuring frontiers, which are the bottleneck then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "async/task.h"
#include "async/thread_pool.h"
#include "base/random.h"
#include "base/result.h"
#include "frontier/frontier.h"
#include "record/page_sink.h"
#include "store/journal.h"
#include "store/page_table.h"
#include "store/rocks_tables.h"
#include "url/url.h"

namespace gossamer::bench {

inline constexpr std::uint64_t kHosts = 10'000;
inline constexpr std::uint64_t kRootsPerHost = 64;
inline constexpr std::uint32_t kConcurrency = 64;
inline constexpr double kOutward = 0.2;  // of the links: they lead to other hosts

// Options without addresses, robots.txt and pauses.
crawler::FrontierOptions frontier_options();

// The tables of a crawl directory.
class BenchTables {
 public:
  explicit BenchTables(const std::string& folder);

  store::Journal& journal() { return journal_; }
  crawler::PageSink& pages() { return pages_; }
  void commit();
  // Makes durable what was committed. BORROWS: this.
  async::Task<Result<void>> sync();

 private:
  class Nowhere final : public crawler::PageSink {
   public:
    async::Task<Result<void>> put(crawler::Page /*page*/) override { co_return {}; }
  };

  const std::unique_ptr<store::RocksTables> tables_;
  store::Journal journal_;
  Nowhere nowhere_;
  store::PageTable pages_;
  async::ThreadPool syncer_{1};
};

// The links of all pages. Every one is new; most lead to the page's host.
class LinkMaker {
 public:
  // `facts` is the target without its URL.
  using Take = std::move_only_function<void(const url::Url& url, std::uint64_t fingerprint,
                                            const crawler::Target& facts)>;

  explicit LinkMaker(std::uint64_t per_page) : per_page_(per_page) {}

  void make_roots(Take& take);
  void make_links(const crawler::Target& page, Take& take);

 private:
  void make(std::uint64_t host, const crawler::Target& facts, Take& take);

  const std::uint64_t per_page_;
  base::Random random_{2};
  std::uint64_t next_ = 1;
  url::Url url_;
};

// Fetches the pages of a frontier until that is closed.
class PageFetcher {
 public:
  // BORROWS: all.
  PageFetcher(crawler::Frontier& frontier, BenchTables& tables, LinkMaker& links,
              LinkMaker::Take take)
      : frontier_(frontier), tables_(tables), links_(links), take_(std::move(take)) {}

  // With kConcurrency workers. BORROWS: this.
  async::Task<Result<void>> run();
  std::uint64_t pages() const { return pages_; }

 private:
  async::Task<Result<void>> work();

  crawler::Frontier& frontier_;
  BenchTables& tables_;
  LinkMaker& links_;
  LinkMaker::Take take_;
  std::uint64_t pages_ = 0;
};

}  // namespace gossamer::bench
