#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/thread_pool.h"
#include "base/time.h"
#include "captures/collection.h"
#include "serve/gate.h"
#include "serve/live.h"
#include "serve/new_crawls.h"
#include "serve/search.h"
#include "serve/views.h"
#include "server/http_server.h"

namespace gossamer::serve {

// What both servers know.
struct ServerFacts {
  Addresses addresses;
  std::string token;         // of the API
  std::string replay_token;  // in the addresses of replayed pages, for all archives
  bool allows_scripts = false;
  std::string (*make_token)() = nullptr;
  WallTime (*now)() = nullptr;
};

// Answers with the pages of the dashboard, the API and the metrics.
class Dashboard final : public server::Responder {
 public:
  // BOUND: streams of events at the same time. A browser has six connections per host.
  static constexpr std::size_t kStreamsMax = 4;

  // BORROWS: all of them. `crawls` are those of `control`.
  Dashboard(const ServerFacts& facts, const captures::Collection& collection, Search& search,
            const Views& views, std::vector<std::unique_ptr<LiveCrawl>>& crawls,
            NewCrawls& new_crawls, async::ThreadPool& threads)
      : facts_(facts),
        collection_(collection),
        search_(search),
        views_(views),
        crawls_(crawls),
        new_crawls_(new_crawls),
        threads_(threads) {}

  // BORROWS: both.
  async::Task<server::Response> answer(const server::Request& request) override;
  void seal(server::Response& response) override;
  bool is_slow(const server::Request& request) const override;

  // The servers whose counts are in the metrics. BORROWS: it.
  void measure(const server::HttpServer& server) { measured_.push_back(&server); }

 private:
  // BORROWS: all of it, and this.
  async::Task<server::Response> answer_api(const server::Request& request, std::string_view name);
  // BORROWS: both.
  async::Task<server::Response> act(const server::Request& request);
  server::Response answer_static(const server::Request& request) const;
  // BORROWS: both.
  async::Task<server::Response> answer_archives(std::string_view name) const;
  server::Response answer_view(const server::Request& request) const;
  server::Response answer_live() const;
  server::Response answer_events(const server::Request& request);
  server::Response answer_metrics() const;
  std::string replay_origin(std::string_view name) const;

  const ServerFacts& facts_;
  const captures::Collection& collection_;
  Search& search_;
  const Views& views_;
  std::vector<std::unique_ptr<LiveCrawl>>& crawls_;
  NewCrawls& new_crawls_;
  async::ThreadPool& threads_;
  std::vector<const server::HttpServer*> measured_;
  std::size_t streams_ = 0;
};

// Answers with replayed pages, and nothing else. A page that runs scripts knows its own address, so
// then each crawl has a token of its own. The token for all archives leads there and shows no page.
// No script runs in a frame of the dashboard, which is the view of an address.
class ReplayResponder final : public server::Responder {
 public:
  // BORROWS: all of them.
  ReplayResponder(const ServerFacts& facts, const captures::Collection& collection, Views& views,
                  async::ThreadPool& threads)
      : facts_(facts), collection_(collection), views_(views), threads_(threads) {}

  // BORROWS: both.
  async::Task<server::Response> answer(const server::Request& request) override;
  void seal(server::Response& response) override;
  bool is_slow(const server::Request&) const override { return true; }

 private:
  // BORROWS: both, and this.
  async::Task<server::Response> answer_valid(const server::Request& request,
                                             ReplayAddress& address);
  // BORROWS: all of it, and this.
  async::Task<server::Response> answer_page(const server::Request& request,
                                            const ReplayAddress& address);
  // Leads to the same page with the token of its crawl. BORROWS: both.
  async::Task<server::Response> lead_to_crawl(const ReplayAddress& address);
  std::optional<std::uint32_t> crawl_with_token(std::string_view token) const;
  // Empty: not the address of a page.
  std::string policy(std::string_view name, const std::optional<ReplayAddress>& address) const;

  const ServerFacts& facts_;
  const captures::Collection& collection_;
  Views& views_;
  async::ThreadPool& threads_;
  std::vector<std::string> crawl_tokens_;  // by ServedArchive::crawl; BOUND: the archives
};

}  // namespace gossamer::serve
