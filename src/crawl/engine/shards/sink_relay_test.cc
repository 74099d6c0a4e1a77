#include "engine/shards/sink_relay.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "async/event.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "tests/simulated/world.h"

namespace gossamer::crawler {
namespace {

// Takes pages one by one, when the test allows it.
class Taker final : public PageSink {
 public:
  async::Task<Result<void>> put(Page page) override {
    if (auto waited = co_await gate.wait(); !waited) co_return waited;
    if (urls.size() == fails_at) co_return fail(Errc::io_failed, "the disk is full");
    if (urls.size() == throws_at) throw std::runtime_error("a bug in the sink");
    urls.push_back(page.record.url);
    co_return {};
  }
  async::Task<Result<void>> put_other(Exchange exchange) override {
    urls.push_back("other " + exchange.url);
    co_return {};
  }
  void skip(const SkippedUrl& skipped) override {
    skips.push_back(std::string(skipped.url) + " via " + std::string(skipped.via));
  }

  async::Event gate;
  std::size_t fails_at = ~std::size_t{0};
  std::size_t throws_at = ~std::size_t{0};
  std::vector<std::string> urls;
  std::vector<std::string> skips;
};

// Puts `count` pages from its own thread.
struct Putter {
  Putter(SinkRelay& relay, std::size_t count)
      : thread([this, &relay, count] {
          async::Loop loop;
          relay.connect(loop);
          result = loop.run(put_all(relay, count));
          relay.disconnect();
          has_ended = true;
        }) {}
  ~Putter() { thread.join(); }

  // BORROWS: the relay.
  async::Task<Result<void>> put_all(SinkRelay& relay, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      Page page;
      page.record.url = std::to_string(i);
      const std::string url = "no " + page.record.url;
      if (i % 10 == 0) relay.skip({.url = url, .via = "here"});
      if (auto put = co_await relay.put(std::move(page)); !put) co_return put;
      ++sent;
    }
    co_return {};
  }

  std::atomic<std::size_t> sent = 0;
  std::atomic<bool> has_ended = false;
  Result<void> result = {};
  std::thread thread;
};

class SinkRelayTest : public testing::Test {
 protected:
  explicit SinkRelayTest(SinkRelay::Manner manner = SinkRelay::Manner::ahead)
      : relay(taker, loop, manner) {}

  // Runs the sink's side until the putter has ended and everything is handed over.
  void hand_over(Putter& putter) {
    const async::Loop::Running running(loop);
    async::Scope scope(async::OnFailure::keep_going);
    auto handing = scope.spawn(relay.run());
    taker.gate.set();
    auto poll = loop.call_later(1ms, [] {});
    while (!putter.has_ended) {
      loop.step();
      if (!poll.pending()) poll = loop.call_later(1ms, [] {});
    }
    relay.finish();
    while (!handing.done()) loop.step();
    EXPECT_TRUE(handing.take());
  }

  async::Loop loop;
  Taker taker;
  SinkRelay relay;
};

TEST_F(SinkRelayTest, HandsOverEverythingInItsOrder) {
  Putter putter(relay, 2000);
  hand_over(putter);
  ASSERT_EQ(taker.urls.size(), 2000u);
  for (std::size_t i = 0; i < 2000; ++i) EXPECT_EQ(taker.urls[i], std::to_string(i));
  ASSERT_EQ(taker.skips.size(), 200u);
  EXPECT_EQ(taker.skips[1], "no 10 via here");
}

// Both sides on one simulated loop, so that "for ever" is a second.
async::Task<void> put_far_ahead(Taker& taker, std::size_t& sent) {  // BORROWS: both
  SinkRelay relay(taker, async::Loop::current());
  relay.connect(async::Loop::current());
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(relay.run());
  scope.spawn([](SinkRelay& to, std::size_t& count) -> async::Task<void> {  // BORROWS: both
    for (; count < 5000; ++count) {
      if (!co_await to.put({})) co_return;
    }
  }(relay, sent));
  EXPECT_TRUE(co_await async::sleep(1s));
  EXPECT_GT(sent, 100u);
  EXPECT_LT(sent, 1000u) << "nobody has taken anything yet";
  taker.gate.set();
  EXPECT_TRUE(co_await async::sleep(1s));
  EXPECT_EQ(sent, 5000u);
  relay.finish();
  EXPECT_TRUE(co_await scope.join());
}

TEST(SinkRelayInOneWorldTest, HoldsUpWhoeverIsFarAhead) {
  sim::World world = sim::World::calm();
  Taker taker;
  std::size_t sent = 0;
  world.run(put_far_ahead(taker, sent));
  EXPECT_EQ(taker.urls.size(), 5000u);
}

// Large pages, of which few may be on their way, and robots.txt before them.
async::Task<void> put_large(Taker& taker, std::size_t& sent) {  // BORROWS: both
  SinkRelay relay(taker, async::Loop::current());
  relay.connect(async::Loop::current());
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(relay.run());
  scope.spawn([](SinkRelay& to, std::size_t& count) -> async::Task<void> {  // BORROWS: both
    Exchange other;
    other.url = "/robots.txt";
    if (!co_await to.put_other(std::move(other))) co_return;
    for (; count < 20; ++count) {
      Page page;
      page.capture = std::make_unique<Capture>();
      page.capture->payload.resize(4 * 1024 * 1024);
      if (!co_await to.put(std::move(page))) co_return;
    }
  }(relay, sent));
  EXPECT_TRUE(co_await async::sleep(1s));
  EXPECT_LT(sent, 10u) << "nobody has taken anything yet";
  taker.gate.set();
  EXPECT_TRUE(co_await async::sleep(1s));
  relay.finish();
  EXPECT_TRUE(co_await scope.join());
}

TEST(SinkRelayInOneWorldTest, CountsTheBytesThatAreOnTheirWay) {
  sim::World world = sim::World::calm();
  Taker taker;
  std::size_t sent = 0;
  world.run(put_large(taker, sent));
  EXPECT_EQ(sent, 20u);
  ASSERT_EQ(taker.urls.size(), 21u);
  EXPECT_EQ(taker.urls[0], "other /robots.txt");
}

TEST_F(SinkRelayTest, TellsTheEngineThatTheSinkHasFailed) {
  taker.fails_at = 100;
  Putter putter(relay, 5000);
  hand_over(putter);
  ASSERT_FALSE(putter.result);
  EXPECT_EQ(putter.result.error(), Errc::io_failed);
}

// --- cancelled

// Takes each page, even if its put() no longer waits.
class StubbornTaker final : public PageSink {
 public:
  async::Task<Result<void>> put(Page page) override {
    EXPECT_TRUE(co_await async::shielded(wait()));
    urls.push_back(page.record.url);
    co_return {};
  }

  async::Event gate;
  std::vector<std::string> urls;

 private:
  async::Task<Result<void>> wait() { co_return co_await gate.wait(); }
};

// Cancels who puts a page, a second after that. BORROWS: the sink and the event.
async::Task<Result<void>> put_and_cancel(PageSink& sink, async::Event& gate) {
  SinkRelay relay(sink, async::Loop::current(), SinkRelay::Manner::confirmed);
  relay.connect(async::Loop::current());
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(relay.run());
  auto putting = scope.spawn(relay.put({}));
  EXPECT_TRUE(co_await async::sleep(1s));
  putting.cancel();
  EXPECT_TRUE(co_await async::sleep(1s));
  gate.set();
  EXPECT_TRUE(co_await async::sleep(1s));
  relay.finish();
  EXPECT_TRUE(co_await scope.join());
  co_return putting.take();
}

// Otherwise a page that the sink has would be fetched again.
TEST(SinkRelayInOneWorldTest, WhoIsCancelledIsToldThatTheSinkHasThePage) {
  sim::World world = sim::World::calm();
  StubbornTaker taker;
  EXPECT_TRUE(world.run(put_and_cancel(taker, taker.gate)));
  EXPECT_EQ(taker.urls.size(), 1u);
}

TEST(SinkRelayInOneWorldTest, WhoIsCancelledCancelsTheSink) {
  sim::World world = sim::World::calm();
  Taker taker;
  const auto put = world.run(put_and_cancel(taker, taker.gate));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error(), Errc::cancelled);
  EXPECT_EQ(taker.urls.size(), 0u);
}

// --- confirmed

class ConfirmedRelayTest : public SinkRelayTest {
 protected:
  ConfirmedRelayTest() : SinkRelayTest(SinkRelay::Manner::confirmed) {}
};

TEST_F(ConfirmedRelayTest, WhoPutsSomethingGoesOnWhenTheSinkHasIt) {
  Putter putter(relay, 200);
  const async::Loop::Running running(loop);
  async::Scope scope(async::OnFailure::keep_going);
  auto handing = scope.spawn(relay.run());
  auto poll = loop.call_later(1ms, [] {});
  while (!putter.has_ended) {
    loop.step();
    EXPECT_LE(putter.sent, taker.urls.size());
    if (poll.pending()) continue;
    poll = loop.call_later(1ms, [] {});
    taker.gate.set();  // a while after the first was put
  }
  relay.finish();
  while (!handing.done()) loop.step();
  EXPECT_EQ(taker.urls.size(), 200u);
  EXPECT_EQ(taker.skips.size(), 20u);
}

TEST_F(ConfirmedRelayTest, WhoPutsWhatTheSinkDoesNotTakeIsTold) {
  taker.fails_at = 3;
  Putter putter(relay, 10);
  hand_over(putter);
  ASSERT_FALSE(putter.result);
  EXPECT_EQ(putter.result.error(), Errc::io_failed);
  EXPECT_EQ(putter.sent, 3u);
}

TEST_F(ConfirmedRelayTest, WhoPutsWhatTheSinkThrowsAtIsTold) {
  taker.throws_at = 3;
  Putter putter(relay, 10);
  hand_over(putter);
  ASSERT_FALSE(putter.result);
  EXPECT_EQ(putter.result.error(), Errc::internal);
  EXPECT_EQ(putter.sent, 3u);
}

}  // namespace
}  // namespace gossamer::crawler
