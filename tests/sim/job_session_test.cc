// Tests a crawl with all features: a root that redirects, a login, cookies, several loops, an
// archive with an index, a refresh. It dies before each operation on its disk in turn, by a kill
// and by a power cut, or its disk fails at each. The next process must always complete the crawl.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/sim/job_process.h>
#include <tests/sim/seeds.h>
#include <tests/support/archive_contents.h>
#include <tests/support/test_web.h>

#include <cerrno>
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
namespace {

constexpr std::uint64_t kSessionSeeds = 200;
constexpr std::string_view kSessionHost = "http://a.test";
constexpr std::string_view kOtherHost = "http://b.test";

// Pages that are for those who have logged in and have seen the first one. They have not changed
// for those who have them.
crawler::Reply page_for(const crawler::Heard& request) {
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

std::optional<crawler::Reply> answer_session(const crawler::Heard& request) {
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

std::set<std::string> all_pages() {
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

class JobSession : public testing::Test {
 protected:
  void SetUp() override { base::set_log_level(base::LogLevel::error); }
};

// How many operations one process needs. Ends the test if the crawl is not right even so.
std::uint64_t operations_of_a_crawl(std::uint32_t loops, bool refreshes) {
  Session session(calm_options(1), loops);
  EXPECT_TRUE(session.live({}));
  session.expect_all();
  if (!refreshes) return session.operations();
  EXPECT_TRUE(session.live({}, true));
  session.expect_all();
  session.expect_confirmed();
  return session.operations();
}

TEST_F(JobSession, GoesOnWhicheverOperationItDiesAt) {
  for (const std::uint32_t loops : {1, 3}) {
    const std::uint64_t operations = operations_of_a_crawl(loops, false);
    ASSERT_GT(operations, 40u);
    for (const Death death : {Death::killed, Death::power_cut}) {
      for (std::uint64_t last = 1; last <= operations; ++last) {
        SCOPED_TRACE(fmt::format("{} loops, {} before operation {}", loops,
                                 death == Death::killed ? "killed" : "without power", last));
        Session session(calm_options(1), loops);
        EXPECT_FALSE(session.live({.death = death, .operations = last}));
        session.live_on();
        session.expect_all();
        if (HasFailure()) return;
      }
    }
  }
}

TEST_F(JobSession, GoesOnWithItsRefreshWhicheverOperationItDiesAt) {
  const std::uint64_t operations = operations_of_a_crawl(1, true);
  for (const Death death : {Death::killed, Death::power_cut}) {
    for (std::uint64_t last = 1; last <= operations; ++last) {
      SCOPED_TRACE(fmt::format("{} before operation {}",
                               death == Death::killed ? "killed" : "without power", last));
      Session session;
      EXPECT_TRUE(session.live({}));
      EXPECT_FALSE(session.live({.death = death, .operations = last}, true));
      session.live_on(true);
      session.expect_all();
      session.expect_confirmed();
      if (HasFailure()) return;
    }
  }
}

TEST_F(JobSession, WaitsForRoomWhicheverWriteFindsNone) {
  for (std::uint64_t n = 1;; ++n) {
    SCOPED_TRACE(fmt::format("write {} finds no room", n));
    Session session;
    session.storage().tables.fail_write(n, Errc::no_space);
    const bool has_finished = session.live({});
    // After the last write nothing is left to wait for.
    const bool is_last = session.storage().tables.writes() == n;
    EXPECT_TRUE(has_finished || is_last) << "it gave up";
    if (!has_finished) session.live_on();
    session.expect_all();
    if (HasFailure()) return;
    if (session.storage().tables.writes() < n) break;
  }
}

TEST_F(JobSession, GoesOnWhicheverOperationOfTheArchiveFails) {
  const std::uint64_t operations = operations_of_a_crawl(2, false);
  for (const int error : {EIO, ENOSPC}) {
    for (std::uint64_t n = 1; n <= operations; ++n) {
      SCOPED_TRACE(fmt::format("operation {} fails with {}", n, error));
      Session session;
      session.storage().disk->fail_operation(n, error);
      if (!session.live({})) session.live_on();
      session.expect_all();
      if (HasFailure()) return;
    }
  }
}

// A write to the tables, to the archive, or of a small file.
TEST_F(JobSession, LosesNothingWhicheverOperationFindsNoRoom) {
  for (const std::uint32_t loops : {1, 3}) {
    const std::uint64_t operations = operations_of_a_crawl(loops, false);
    std::uint64_t failures = 0;
    for (std::uint64_t n = 1; n <= operations; ++n) {
      SCOPED_TRACE(fmt::format("{} loops, operation {} finds no room", loops, n));
      Session session(calm_options(1), loops);
      if (!session.live({.full_at = n})) {
        ++failures;
        EXPECT_FALSE(session.failure().empty()) << "it says why it has ended";
        session.live_on();
      }
      session.expect_all();
      if (HasFailure()) return;
    }
    fmt::print("{} loops: {} operations, {} of which ended the crawl\n", loops, operations,
               failures);
  }
}

TEST_F(JobSession, GoesOnWhicheverSyncFails) {
  for (std::uint64_t n = 1; n <= 6; ++n) {
    SCOPED_TRACE(fmt::format("sync {} fails", n));
    Session session;
    session.storage().tables.fail_sync(n);
    if (!session.live({.death = Death::power_cut})) session.live_on();
    session.expect_all();
    if (HasFailure()) return;
  }
}

TEST_F(JobSession, DoesNotWaitForALoginWhenItIsStopped) {
  Session session;
  session.login_takes = 20s;
  EXPECT_FALSE(session.live({.death = Death::stopped, .length = 1s}));
  EXPECT_LT(session.took(), 2s);
  session.live_on();
  session.expect_all();
}

TEST_F(JobSession, ClosesItsArchiveIfItCannotStart) {
  Session session;
  store::Batch batch;
  const std::string order = std::string(run::kOrderKey) + "no JSON";
  batch.put(store::Table::meta, order, "");
  EXPECT_TRUE(session.storage().tables.write(batch));
  EXPECT_FALSE(session.live({}));
  const auto names = session.storage().disk->names();
  EXPECT_THAT(names, testing::Contains("crawl-00001.warc.gz"));
  EXPECT_THAT(names, testing::Contains("crawl.cdxj"));
  batch.clear();
  batch.remove(store::Table::meta, order);
  EXPECT_TRUE(session.storage().tables.write(batch));
  session.live_on();
  session.expect_all();
}

// Over networks that fail, too, and several times.
TEST_F(JobSession, GoesOnInEveryWorld) {
  const auto [first, count] = seeds_to_run(kSessionSeeds);
  std::size_t deaths = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(fmt::format("again: GOSSAMER_SEED={}", seed));
    base::Random random = base::Random(seed).fork("session");
    Session session(draw_options(seed), static_cast<std::uint32_t>(1 + random.below(3)));
    for (const bool refreshes : {false, true}) {
      for (int life = 0; life < 3; ++life) {
        const Life drawn = {.death = random.chance(0.5) ? Death::killed : Death::power_cut,
                            .operations = 1 + random.below(80)};
        if (session.live(drawn, refreshes)) break;
        ++deaths;
      }
      session.live_on(refreshes);
      session.expect_all();
    }
    if (HasFailure()) return;
  }
  fmt::print("{} worlds: {} deaths\n", count, deaths);
}

}  // namespace
}  // namespace gossamer::sim
