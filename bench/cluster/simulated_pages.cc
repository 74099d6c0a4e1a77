#include "bench/cluster/simulated_pages.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "async/scope.h"
#include "async/sleep.h"
#include "base/check.h"
#include "base/hash.h"

namespace gossamer::bench {
namespace {

constexpr std::string_view kBeforeHost = "https://host-";

std::unique_ptr<store::RocksTables> open_tables(const std::string& folder) {
  auto opened = store::RocksTables::open(folder);
  CHECK(opened.has_value(), "{}", opened.error().to_string());
  return std::move(*opened);
}

std::uint64_t host_of(std::string_view url) {
  std::uint64_t host = 0;
  std::from_chars(url.data() + kBeforeHost.size(), url.data() + url.size(), host);
  return host;
}

}  // namespace

crawler::FrontierOptions frontier_options() {
  crawler::FrontierOptions options;
  options.needs_address = false;
  options.needs_robots = false;
  options.politeness.delay = Duration::zero();
  return options;
}

BenchTables::BenchTables(const std::string& folder)
    : tables_(open_tables(folder)),
      journal_(*tables_, store::Durability::group),
      pages_(journal_, url::IdentityRules(), nowhere_) {}

void BenchTables::commit() {
  const store::Journal::Lock lock = journal_.lock();
  journal_.commit();
  CHECK(!journal_.trouble());
}

async::Task<Result<void>> BenchTables::sync() {
  commit();
  journal_.begin_sync();
  co_return co_await syncer_.run([this] { return tables_->sync(); });
}

void LinkMaker::make_roots(Take& take) {
  crawler::Target facts;
  facts.purpose = crawler::Purpose::root;
  for (std::uint64_t host = 0; host < kHosts; ++host) {
    for (std::uint64_t i = 0; i < kRootsPerHost; ++i) make(host, facts, take);
  }
}

void LinkMaker::make_links(const crawler::Target& page, Take& take) {
  crawler::Target facts;
  facts.depth = 1;
  facts.via = crawler::Referrer(page.url);
  const std::uint64_t host = host_of(page.url);
  for (std::uint64_t i = 0; i < per_page_; ++i) {
    make(random_.chance(kOutward) ? random_.below(kHosts) : host, facts, take);
  }
}

void LinkMaker::make(std::uint64_t host, const crawler::Target& facts, Take& take) {
  const std::string text =
      fmt::format("{}{}.example/collections/objects/{:x}/view.html", kBeforeHost, host, next_++);
  CHECK(url_.assign(text) == url::UrlFailure::none);
  take(url_, base::hash64(text), facts);
}

async::Task<Result<void>> PageFetcher::run() {
  async::Scope workers;
  for (std::uint32_t i = 0; i < kConcurrency; ++i) workers.spawn(work());
  co_return co_await workers.join();
}

async::Task<Result<void>> PageFetcher::work() {
  for (;;) {
    auto claim = co_await frontier_.claim();
    if (!claim) co_return {};
    // Others run, as during a fetch.
    if (auto yielded = co_await async::yield_now(); !yielded) co_return yielded;
    crawler::Page page;
    page.record.url = claim->target.url;
    page.record.status = 200;
    page.record.mime = "text/html";
    if (auto put = co_await tables_.pages().put(std::move(page)); !put) co_return put;
    links_.make_links(claim->target, take_);
    CHECK(!frontier_.finish(std::move(*claim), crawler::HostSign::answered, std::nullopt));
    ++pages_;
  }
}

}  // namespace gossamer::bench
