// For tests of the report layer: an invented crawl, record by record.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "engine/setup/options.h"
#include "record/record.h"
#include "record/statistics.h"
#include "report/collector.h"
#include "report/why.h"

namespace gossamer::report {

// Feeds a collector, a Why and statistics like a crawl of http://a.example/.
struct TestCrawl {
  Collector collector{{.drop_sessions = true}, 1, {.seconds = 1'700'000'000}};
  Why why{{.drop_sessions = true}};
  crawler::Statistics totals;
  url::CrawlIdentity identity{{.drop_sessions = true}};

  static crawler::FetchRecord page(std::string path, int status = 200, std::string via = "") {
    crawler::FetchRecord record;
    record.ts = {.seconds = 1'700'000'001};
    record.url = "http://a.example" + std::move(path);
    record.status = status;
    record.mime = "text/html";
    record.bytes = 1000;
    record.facts.total = 10ms;
    if (!via.empty()) {
      record.via = "http://a.example" + via;
      record.depth = 1;
    }
    return record;
  }

  void add(const crawler::FetchRecord& record) {
    collector.add(record);
    why.add(record);
    totals.add(record);
  }
  void link(const std::string& from, const std::string& to, bool is_followed = true,
            bool is_listed = false) {
    const auto page = url::Url::parse("http://a.example" + from);
    const auto target = url::Url::parse(to.starts_with('/') ? "http://a.example" + to : to);
    const crawler::FoundLink found = {.page = *page,
                                      .url = *target,
                                      .fingerprint = identity.fingerprint(*target),
                                      .is_followed = is_followed,
                                      .is_listed = is_listed};
    collector.see_link(found);
    why.see_link(found);
  }
  void skip(std::string_view url, crawler::SkipReason reason, std::string detail = "",
            std::string_view via = "http://a.example/") {
    const crawler::SkippedUrl skipped = {
        .url = url, .reason = reason, .via = via, .depth = 1, .detail = std::move(detail)};
    collector.skip(skipped);
    why.skip(skipped);
    totals.add(reason);
  }
  void ask(const std::string& url) { why.ask(*url::Url::parse(url)); }

  Report finish() {
    return std::move(collector).finish({.roots = {"http://a.example/"},
                                        .version = "1.2.3",
                                        .started = {.seconds = 1'700'000'000},
                                        .took = 2s,
                                        .end = crawler::EndReason::finished},
                                       totals);
  }
  std::string answers() { return why.answers(collector.graph()); }
};

// A small example of everything that a report can show.
inline void tell_all(TestCrawl& crawl, const std::string& evil = "x") {
  auto root = TestCrawl::page("/");
  root.title = evil;
  crawl.add(root);
  crawl.link("/", "/old");
  crawl.link("/", "/gone?" + evil);
  auto old = TestCrawl::page("/old", 301, "/");
  old.next_url = "http://a.example/new";
  crawl.add(old);
  auto copy = TestCrawl::page("/new", 200, "/old");
  copy.duplicate_of = "http://a.example/";
  copy.title = evil;
  copy.mime = "text/" + evil;
  copy.facts.total = 1500ms;
  crawl.add(copy);
  crawl.add(TestCrawl::page("/gone?" + evil, 404, "/"));
  crawler::FetchRecord dead;
  dead.url = "http://b.example/" + evil;
  dead.via = "http://a.example/";
  dead.error = "dns_failed";
  dead.error_detail = evil;
  dead.tries = 4;
  crawl.add(dead);
  crawl.link("/sitemap.xml", "/lonely", true, true);
  crawl.add(TestCrawl::page("/lonely", 200, "/sitemap.xml"));
  crawl.skip("javascript:" + evil, crawler::SkipReason::not_http);
  crawl.skip("http://a.example/private", crawler::SkipReason::robots, "robots.txt line 3: " + evil);
}

}  // namespace gossamer::report
