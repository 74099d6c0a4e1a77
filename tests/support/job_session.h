// For tests: a crawl with all features: a root that redirects, a login, cookies, several loops, an
// archive with an index, a refresh; and the processes that work at it one after the other.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/archive_contents.h>
#include <tests/support/job_process.h>
#include <tests/support/test_web.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/random.h"
#include "record/page_row.h"
#include "run/job/job_store.h"
#include "settings/crawl_settings.h"
#include "store/tables.h"
#include "tests/simulated/disk.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
inline constexpr std::string_view kSessionHost = "http://a.test";
inline constexpr std::string_view kOtherHost = "http://b.test";

// Pages that are for those who have logged in and have seen the first one. They have not changed
// for those who have them.
inline crawler::Reply page_for(const crawler::Heard& request) {
  const bool is_first = request.url == std::string(kSessionHost) + "/";
  const bool is_in = request.head.contains("sid=in");
  const bool is_visitor = request.head.contains("visit=7");
  if (!is_in || (!is_first && !is_visitor)) return {.status = 403, .body = "who are you?"};
  if (request.head.contains("If-None-Match: \"v1\""))
    return {.status = 304, .type = "", .body = ""};
  crawler::Reply reply = crawler::links_to({"/1", "/2", "/3", "/4", "http://b.test/"});
  reply.body += request.url;
  reply.fields = "ETag: \"v1\"\r\n";
  if (is_first) reply.fields += "Set-Cookie: visit=7; Max-Age=100000\r\n";
  return reply;
}

inline std::optional<crawler::Reply> answer_session(const crawler::Heard& request) {
  if (request.url.ends_with("/robots.txt")) return crawler::Reply{.status = 404};
  if (request.url == std::string(kSessionHost) + "/login") {
    if (request.head.starts_with("POST ")) {
      crawler::Reply reply = crawler::redirect_to("/login/done");
      reply.fields += "Set-Cookie: sid=in\r\n";
      return reply;
    }
    return crawler::Reply{.body =
                              "<form method=post action=/login><input name=user>"
                              "<input type=password name=password></form>"};
  }
  if (request.url == std::string(kSessionHost) + "/login/done")
    return crawler::Reply{.body = "welcome"};
  if (request.url.starts_with(kSessionHost)) return page_for(request);
  return std::nullopt;
}

inline std::set<std::string> all_pages() {
  std::set<std::string> urls = {"http://front.test/", "http://b.test/", "http://b.test/x",
                                "http://a.test/"};
  for (const char* const page : {"1", "2", "3", "4"}) {
    urls.insert(fmt::format("{}/{}", kSessionHost, page));
  }
  return urls;
}

// A crawl directory, and the processes at work there one after the other.
class Session {
 public:
  explicit Session(const SimOptions& options = calm_options(1), std::uint32_t loops = 2)
      : options_(options), loops_(loops), storage_(std::make_shared<Disk>(disk_options(), 1)) {}

  // One process. Gives whether it has come to its end.
  bool live(const Life& life, bool refreshes = false) {
    ++options_.seed;
    crawler::TestWeb web(options_);
    web.disk = storage_.disk;
    web.at("http://front.test/", crawler::redirect_to("http://a.test/", 301));
    web.page(std::string(kOtherHost) + "/", {"/x"});
    web.page(std::string(kOtherHost) + "/x", {});
    web.at("http://a.test/", crawler::Reply());
    web.decide_by_head = [this](const crawler::Heard& request) {
      auto reply = answer_session(request);
      if (reply && request.url.ends_with("/login")) reply->delay = login_takes;
      return reply;
    };
    JobProcess process(settings(refreshes), life, storage_, options_.seed);
    const auto crawled = web.visit([&process](crawler::World& world) {
      return process.run(*world.resolver, world.wall_start);
    });
    for (const std::string& each : crawled.problems) ADD_FAILURE() << each;
    for (const crawler::Heard& heard : crawled.heard) {
      const bool is_again = process.done().contains(heard.url) && heard.at <= process.died();
      if (is_again && !refreshes) ADD_FAILURE() << "fetched again: " << heard.url;
    }
    operations_ = process.operations();
    failure_ = process.failure();
    took_ = process.died() - process.begun();
    if (life.death == Death::power_cut && !process.has_finished()) storage_.cut_power(random_);
    storage_.reopen();
    return process.has_finished();
  }
  // Until it has.
  void live_on(bool refreshes = false) {
    for (int tries = 0; tries < 12; ++tries) {
      if (live({}, refreshes)) return;
    }
    ADD_FAILURE() << "it never came to its end: " << failure_;
  }

  // Everything is there once, as it is for those who are logged in.
  void expect_all() {
    EXPECT_EQ(pages_in(storage_.tables), all_pages());
    EXPECT_FALSE(has_waiting(storage_.tables));
    std::set<std::pair<std::string, std::uint64_t>> archived;
    for (const std::string& name : storage_.disk->names()) {
      EXPECT_FALSE(name.ends_with(".open")) << name;
      if (!name.ends_with(".warc.gz")) continue;
      const auto contents = support::read_archive(*storage_.disk->content(name));
      EXPECT_TRUE(contents.faults.empty()) << name;
      for (const auto& record : contents.records) {
        archived.emplace(name, record.extent.member_offset);
      }
    }
    const std::string index = storage_.disk->content("crawl.cdxj").value_or("");
    EXPECT_TRUE(storage_.tables.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
      const auto page = store::unpack_page(row);
      EXPECT_EQ(page->status.value_or(0), page->url == "http://front.test/" ? 301 : 200)
          << page->url;
      EXPECT_TRUE(page->archive && archived.contains({page->archive->file, page->archive->offset}))
          << page->url;
      EXPECT_TRUE(index.contains(page->url)) << page->url;
      return true;
    }));
    EXPECT_TRUE(storage_.files["cookies.txt"].content.contains("visit\t7"));
  }
  // All that could be fetched again was.
  void expect_confirmed() {
    EXPECT_TRUE(storage_.tables.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
      const auto page = store::unpack_page(row);
      if (page->url.starts_with(kSessionHost)) EXPECT_TRUE(page->confirmed) << page->url;
      return true;
    }));
  }

  support::SimulatedStorage& storage() { return storage_; }
  std::uint64_t operations() const { return operations_; }  // of the last process
  Duration took() const { return took_; }                   // likewise
  const std::string& failure() const { return failure_; }   // likewise

  Duration login_takes = Duration::zero();

 private:
  static DiskOptions disk_options() {
    DiskOptions options;
    options.unsynced_survives = 0.5;
    return options;
  }

  run::CrawlSettings settings(bool refreshes) const {
    run::CrawlSettings settings("http://front.test/");
    settings.roots.push_back(std::string(kOtherHost) + "/");
    settings.logins.push_back({.url = std::string(kSessionHost) + "/login",
                               .fields = {{"user", "me"}, {"password", "canary"}}});
    settings.threads = loops_;
    settings.archive.has_index = true;
    settings.archive.drops_copies = true;
    settings.archive.max_size = 2000;
    settings.cookies.jar = "cookies.txt";
    settings.job.refreshes = refreshes;
    settings.tries_max = 40;
    settings.politeness.failures_max = 1000;
    return settings;
  }

  SimOptions options_;
  const std::uint32_t loops_;
  support::SimulatedStorage storage_;
  base::Random random_{7};
  std::uint64_t operations_ = 0;
  Duration took_ = Duration::zero();
  std::string failure_;
};

}  // namespace gossamer::sim
