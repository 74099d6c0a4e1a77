// Tests what requests of `gossamer top` do to a running crawl.
#include "run/control/crawl_steering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/steered_crawl.h>
#include <tests/support/test_web.h>

#include <string>
#include <utility>
#include <vector>

#include "async/sleep.h"
#include "async/task.h"
#include "engine/engine.h"
#include "run/control/control_protocol.h"
#include "run/control/crawl_progress.h"

namespace gossamer::run {
namespace {

using async::Task;
using crawler::Engine;
using Kind = ControlRequest::Kind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// What the session of a crawl was told.
struct Told {
  int stops = 0;
  int aborts = 0;
  std::vector<ControlRequest> kept;
  bool is_full = false;
  bool has_directory = true;
};

CrawlSteering steering_of(Engine& engine, Told& told) {
  CrawlSteering::Session session = {.status = [] { return CrawlProgress{.pages = 12}; },
                                    .stop = [&told] { ++told.stops; },
                                    .abort = [&told] { ++told.aborts; }};
  if (told.has_directory) {
    session.keep = [&told](const ControlRequest& request) -> Result<void> {
      if (told.is_full) return fail(Errc::no_space, "the disk is full");
      told.kept.push_back(request);
      return {};
    };
  }
  return {engine, nullptr, std::move(session)};
}

// BORROWS: the steering. Returns what was done, or the error.
Task<std::string> ask(CrawlSteering& steering, ControlRequest request) {
  const auto reply = parse_reply(co_await steering.answer(std::move(request)));
  co_return reply ? *reply : "error: " + std::string(reply.error().detail());
}

crawler::Steered steer(crawler::Steer steps) {
  crawler::TestWeb web;
  crawler::add_host(web, "a.example", 40);
  crawler::add_host(web, "b.example", 5);
  return crawler::steered(web, crawler::options_for({"http://a.example/"}, 2), steps);
}

// --- the state

Task<void> read_status(Engine& engine) {
  Told told;
  CrawlSteering steering = steering_of(engine, told);
  auto status = parse_status(co_await steering.answer({.kind = Kind::status}));
  EXPECT_TRUE(status.has_value());
  EXPECT_EQ(status->pages, 12u) << "the session knows it";
  EXPECT_EQ(status->concurrency, 2u);
  EXPECT_EQ(status->threads, 1u);
  EXPECT_GT(status->process, 1u);
  EXPECT_NE(status->version, "");
  EXPECT_FALSE(status->global_gap.has_value());
  EXPECT_FALSE(status->delay.has_value());
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::rate, .time = 500ms}), "rate 2/s");
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::delay, .time = 2s}), "delay 2 s");
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::concurrency, .number = 7}), "concurrency 7");
  status = parse_status(co_await steering.answer({.kind = Kind::status}));
  EXPECT_EQ(status->global_gap, 500ms);
  EXPECT_EQ(status->delay, 2s);
  EXPECT_EQ(status->concurrency, 7u);
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::rate}), "rate none");
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::delay}), "delay auto");
  status = parse_status(co_await steering.answer({.kind = Kind::status}));
  EXPECT_FALSE(status->global_gap.has_value());
  EXPECT_FALSE(status->delay.has_value());
  engine.abort();
}

TEST(CrawlSteering, TheStatusHasWhatWasSet) { steer(read_status); }

Task<void> list_fetches(Engine& engine) {
  Told told;
  CrawlSteering steering = steering_of(engine, told);
  static_cast<void>(co_await async::sleep(3500ms));
  const auto all = parse_fetches(co_await steering.answer({.kind = Kind::fetches, .number = 10}));
  EXPECT_TRUE(all.has_value());
  EXPECT_EQ(all->total, 2u);
  EXPECT_EQ(all->fetches.size(), 2u);
  if (all->fetches.size() == 2) {
    EXPECT_GE(all->fetches[0].age, all->fetches[1].age) << "the oldest first";
    EXPECT_EQ(all->fetches[0].host, "a.example");
    EXPECT_TRUE(all->fetches[0].url.starts_with("http://a.example/"));
    EXPECT_EQ(all->fetches[0].loop, 0u);
    EXPECT_NE(all->fetches[0].stage, "");
    EXPECT_THAT(all->fetches[0].stack, testing::Not(IsEmpty()));
    for (const std::string& line : all->fetches[0].stack) {
      EXPECT_FALSE(line.starts_with(' ')) << line;
      EXPECT_EQ(line.find('\n'), std::string::npos);
    }
  }
  const auto one = parse_fetches(co_await steering.answer({.kind = Kind::fetches, .number = 1}));
  EXPECT_EQ(one->total, 2u);
  EXPECT_EQ(one->fetches.size(), 1u);
  engine.abort();
}

TEST(CrawlSteering, FetchesAreListedOldestFirst) { steer(list_fetches); }

// --- what is fetched

Task<void> add_urls(Engine& engine) {
  Told told;
  CrawlSteering steering = steering_of(engine, told);
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::add, .text = "http://me:word@b.example/x#y"}),
            "added http://b.example/x");
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::add, .text = "http://b.example/x"}),
            "already known");
  EXPECT_THAT(co_await ask(steering, {.kind = Kind::add, .text = "ftp://b.example/"}),
              HasSubstr("error: "));
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::block, .text = "c.example"}),
            "blocked c.example");
  EXPECT_THAT(co_await ask(steering, {.kind = Kind::add, .text = "http://c.example/"}),
              HasSubstr("error: this host is closed"));
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::exclude, .text = "/y$"}), "excluded /y$");
  EXPECT_THAT(co_await ask(steering, {.kind = Kind::add, .text = "http://b.example/y"}),
              HasSubstr("error: skipped"));
  EXPECT_THAT(told.kept, testing::SizeIs(2)) << "URLs are in the queue, not in the rules";
  static_cast<void>(co_await async::sleep(10s));
  engine.stop(crawler::EndReason::interrupted);
  static_cast<void>(co_await async::sleep(10s));
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::add, .text = "http://b.example/z"}),
            "error: the crawl is ending");
}

TEST(CrawlSteering, AUrlIsAddedOnce) {
  const crawler::Steered done = steer(add_urls);
  EXPECT_NE(done.sink.find("http://b.example/x"), nullptr);
}

Task<void> block_hosts(Engine& engine) {
  Told told;
  CrawlSteering steering = steering_of(engine, told);
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::unblock, .text = "a.example"}),
            "error: this host is not blocked: a.example");
  told.kept.clear();
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::block, .text = "http://A.example/page"}),
            "blocked a.example");
  EXPECT_TRUE(engine.is_blocked("a.example"));
  EXPECT_THAT(told.kept, testing::SizeIs(1));
  EXPECT_EQ(told.kept.front().kind, Kind::block);
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::unblock, .text = "a.example"}),
            "unblocked a.example");
  EXPECT_FALSE(engine.is_blocked("a.example"));
  EXPECT_THAT(co_await ask(steering, {.kind = Kind::block, .text = "http://["}),
              HasSubstr("is not a host"));
  EXPECT_THAT(co_await ask(steering, {.kind = Kind::unblock, .text = "http://["}),
              HasSubstr("is not a host"));
  engine.abort();
}

TEST(CrawlSteering, AHostIsBlockedAndUnblocked) { steer(block_hosts); }

Task<void> exclude_urls(Engine& engine) {
  Told told;
  CrawlSteering steering = steering_of(engine, told);
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::exclude, .text = "/[3-9]"}), "excluded /[3-9]");
  EXPECT_THAT(co_await ask(steering, {.kind = Kind::exclude, .text = "("}), HasSubstr("error: "));
  EXPECT_THAT(told.kept, testing::SizeIs(1)) << "a rule that is not executed is not stored";
  EXPECT_THAT(co_await ask(steering, {.kind = Kind::unexclude, .text = "other"}),
              HasSubstr("error: "));
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::exclude, .text = "x"}), "excluded x");
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::unexclude, .text = "x"}), "no longer excludes x");
}

TEST(CrawlSteering, APatternIsExcludedFromThenOn) {
  const crawler::Steered done = steer(exclude_urls);
  EXPECT_LT(done.sink.records.size(), 35u);
  EXPECT_EQ(done.sink.find("http://a.example/9"), nullptr);
  EXPECT_NE(done.sink.find("http://a.example/2"), nullptr);
}

Task<void> fail_to_store(Engine& engine) {
  Told told;
  told.is_full = true;
  CrawlSteering steering = steering_of(engine, told);
  EXPECT_THAT(co_await ask(steering, {.kind = Kind::block, .text = "a.example"}),
              HasSubstr("error: this run does it, but it is not stored: "));
  EXPECT_TRUE(engine.is_blocked("a.example"));
  EXPECT_THAT(co_await ask(steering, {.kind = Kind::unblock, .text = "a.example"}),
              HasSubstr("error: not done, because the directory cannot be changed: "));
  EXPECT_TRUE(engine.is_blocked("a.example")) << "the next run would block it, too";
  told.is_full = false;
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::unblock, .text = "a.example"}),
            "unblocked a.example");
  EXPECT_THAT(told.kept, testing::SizeIs(1));
  engine.abort();
}

TEST(CrawlSteering, ARuleThatIsNotStoredIsReported) { steer(fail_to_store); }

Task<void> without_directory(Engine& engine) {
  Told told;
  told.has_directory = false;
  CrawlSteering steering = steering_of(engine, told);
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::block, .text = "a.example"}),
            "blocked a.example");
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::unblock, .text = "a.example"}),
            "unblocked a.example");
  steering.repeat({.kind = Kind::block, .text = "a.example"});
  EXPECT_TRUE(engine.is_blocked("a.example"));
  engine.abort();
}

TEST(CrawlSteering, WithoutADirectoryRulesAreOfThisRun) { steer(without_directory); }

// --- the crawl as a whole

Task<void> control_all(Engine& engine) {
  Told told;
  CrawlSteering steering = steering_of(engine, told);
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::pause}), "paused");
  EXPECT_TRUE(engine.is_paused());
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::resume}), "resumed");
  EXPECT_FALSE(engine.is_paused());
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::stop}), "stopping");
  EXPECT_EQ(told.stops, 1);
  EXPECT_EQ(told.aborts, 0);
  EXPECT_EQ(co_await ask(steering, {.kind = Kind::abort}), "aborting");
  EXPECT_EQ(told.aborts, 1);
  EXPECT_THAT(told.kept, IsEmpty());
  engine.abort();
}

TEST(CrawlSteering, PausesResumesAndStops) { steer(control_all); }

TEST(CrawlSteering, ARuleIsUndoneByItsOpposite) {
  const auto is_undone = [](Kind later, std::string one, Kind earlier, std::string other) {
    return undoes({.kind = later, .text = std::move(one)},
                  {.kind = earlier, .text = std::move(other)});
  };
  EXPECT_TRUE(is_undone(Kind::unblock, "a.example", Kind::block, "http://A.example/x"));
  EXPECT_FALSE(is_undone(Kind::unblock, "a.example", Kind::block, "b.example"));
  EXPECT_FALSE(is_undone(Kind::unblock, "a.example", Kind::exclude, "a.example"));
  EXPECT_FALSE(is_undone(Kind::unblock, "http://[", Kind::block, "http://["));
  EXPECT_FALSE(is_undone(Kind::block, "a.example", Kind::block, "a.example"));
  EXPECT_TRUE(is_undone(Kind::unexclude, "x", Kind::exclude, "x"));
  EXPECT_FALSE(is_undone(Kind::unexclude, "x", Kind::exclude, "y"));
  EXPECT_FALSE(is_undone(Kind::unexclude, "x", Kind::block, "x"));
}

}  // namespace
}  // namespace gossamer::run
