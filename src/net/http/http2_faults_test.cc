// HTTP/2 in the client when something goes wrong around it: dials that fail, servers that are
// overloaded, writes that block, and cancellations.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <tests/support/driver_test.h>
#include <tests/support/http2_conversation.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "async/timeout.h"

namespace gossamer::http2 {
namespace {

using testing::HasSubstr;
using testing::Not;

// The first one dials for all, and is cancelled while it does.
TEST(Http2FaultsTest, AnotherOneDialsAfterACancelledDial) {
  for (const std::size_t cancelled : {1U, 3U}) {
    Plan plan = {.count = 12, .is_concurrent = true};
    for (std::size_t i = 0; i < cancelled; ++i) plan.cancelled.push_back({.which = i});
    const Outcome outcome = run(plan);
    for (std::size_t i = cancelled; i < plan.count; ++i) {
      EXPECT_TRUE(outcome.fetched[i].is_whole) << outcome.fetched[i].trouble;
    }
    EXPECT_LE(outcome.connections, cancelled + 1) << "one at a time";
    EXPECT_EQ(outcome.idle, 1u);
  }
}

TEST(Http2FaultsTest, AnOverloadedServerGetsNoSecondRequest) {
  const std::string kCases[] = {
      reset(1, Code::enhance_your_calm),
      goaway(0, Code::enhance_your_calm),
      goaway(1, Code::enhance_your_calm) + reset(1, Code::refused_stream),
  };
  for (const std::string& bytes : kCases) {
    for (const bool closes : {false, true}) {
      const Outcome outcome = run(
          {.answers = [&](const Asked&) -> Reply { return {.bytes = bytes, .closes = closes}; }});
      EXPECT_THAT(outcome.fetched[0].trouble, HasSubstr("overloaded: "));
      EXPECT_THAT(outcome.fetched[0].trouble, HasSubstr("ENHANCE_YOUR_CALM"));
      EXPECT_EQ(outcome.asked.size(), 1u);
    }
  }
}

TEST(Http2FaultsTest, AllLearnThatTheServerIsOverloaded) {
  const Outcome outcome =
      run({.answers = [](const Asked& asked) -> Reply {
             if (asked.stream < 5) return {.bytes = {}};
             return {.bytes = goaway(1, Code::enhance_your_calm), .closes = true};
           },
           .count = 3,
           .is_concurrent = true});
  for (const Fetched& page : outcome.fetched) EXPECT_THAT(page.trouble, HasSubstr("overloaded"));
}

TEST(Http2FaultsTest, ArchivesNoFieldsThatWereNotSent) {
  Plan plan;
  plan.options.fields = {
      {"Connection", "close"}, {"TE", "gzip"}, {"Keep-Alive", "5"}, {"User-Agent", "x"}};
  const Outcome outcome = run(plan);
  ASSERT_EQ(outcome.asked.size(), 1u);
  EXPECT_THAT(outcome.fetched[0].request_head, HasSubstr("\r\nUser-Agent: x\r\n"));
  for (const char* const name : {"Connection", "TE", "Keep-Alive"}) {
    EXPECT_THAT(outcome.fetched[0].request_head, Not(HasSubstr(name)));
  }
}

TEST(Http2FaultsTest, ThePauseBeforeARepetitionIsPartOfTheDeadline) {
  Plan plan = {.answers = [](const Asked& asked) -> Reply {
    return {.bytes = reset(asked.stream, Code::refused_stream)};
  }};
  plan.options.deadlines.whole = 200ms;
  const Outcome outcome = run(plan);
  EXPECT_THAT(outcome.fetched[0].trouble, HasSubstr("timed_out"));
  EXPECT_THAT(outcome.fetched[0].trouble, HasSubstr("200 ms"));
  EXPECT_LE(outcome.fetched[0].took, 210ms);
}

// The server reads nothing, so the write of a large body blocks.
Plan blocked_writes() {
  return {.answers = [](const Asked&) -> Reply { return {.bytes = {}, .rest = 1h}; },
          .greeting = settings({{kInitialWindowSize, 1 << 20}}) + window_update(0, 1 << 24),
          .count = 3,
          .is_concurrent = true,
          .between = 1s,
          .method = "POST",
          .body = std::string(400'000, 'x')};
}

TEST(Http2FaultsTest, ACancelledExchangeDoesNotWaitForItsBlockedWrite) {
  Plan plan = blocked_writes();
  plan.cancelled = {{.which = 0}, {.which = 1}, {.which = 2}};
  plan.options.deadlines.whole = 100s;
  const Outcome outcome = run(plan);
  for (const Fetched& page : outcome.fetched) EXPECT_LE(page.took, 6s) << page.trouble;
}

// The writer of a connection leaves, and its bytes still arrive.
TEST(Http2FaultsTest, ACancelledWriteDoesNotHarmTheOthers) {
  Plan plan = {.answers = [](const Asked& asked) -> Reply {
                 if (asked.stream == 1) return {.bytes = {}, .rest = 1500ms};
                 return {.bytes = response(asked.stream, "x")};
               },
               .greeting = settings({{kInitialWindowSize, 1 << 20}}) + window_update(0, 1 << 24),
               .count = 3,
               .is_concurrent = true,
               .between = 300ms,
               .method = "POST",
               .body = std::string(200'000, 'x')};
  plan.cancelled = {{.which = 0}};
  const Outcome outcome = run(plan);
  EXPECT_TRUE(outcome.fetched[1].is_whole) << outcome.fetched[1].trouble;
  EXPECT_TRUE(outcome.fetched[2].is_whole) << outcome.fetched[2].trouble;
}

constexpr std::size_t kPieceBytes = 100'000;

std::size_t heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

// Reads the beginning of many bodies, and waits for the rest. Returns the memory that they take.
async::Task<std::size_t> read_slow_bodies(std::size_t count) {
  TestServer server([](const Asked& asked) -> Reply {
    if (asked.path == "/page") return {.bytes = response(asked.stream, "page"), .delay = 1s};
    std::string frames = headers(asked.stream, {{":status", "200"}});
    for (int i = 0; i < 10; ++i) frames += data(asked.stream, std::string(kPieceBytes / 10, 'x'));
    return {.bytes = frames};
  });
  CHECK(server.listen());
  NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  http::ClientOptions options;
  options.protocols = http::Protocols::http2_prior_knowledge;
  http::Client client(connector, nullptr, options);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run());
  const std::string site = "http://127.0.0.1:" + std::to_string(server.port());
  const http::Request slow = {.url = *url::Url::parse(site + "/slow"), .fields = {}, .body = {}};
  const http::Request page = {.url = *url::Url::parse(site + "/page"), .fields = {}, .body = {}};
  std::size_t before = 0;
  std::vector<http::Response> open;
  for (std::size_t i = 0; i <= count; ++i) {
    if (i == 1) before = heap_bytes();  // the buffers of the connection exist by then
    auto response = co_await client.send(slow);
    CHECK(response);
    const Fetched fetched = co_await fetch(client, page);  // reads for the slow one, too
    EXPECT_TRUE(fetched.is_whole);
    auto piece = co_await response->next();
    EXPECT_TRUE(piece && piece->size() == kPieceBytes);
    EXPECT_FALSE(co_await async::with_timeout(1s, response->next()));
    open.push_back(std::move(*response));
  }
  const std::size_t after = heap_bytes();
  open.clear();
  client.close_idle();
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return after - std::min(before, after);
}

TEST(Http2FaultsTest, ASlowBodyKeepsNoLargeBuffer) {
  if (async::kSanitized) GTEST_SKIP() << "the heap is not the usual one";
  constexpr std::size_t kCount = 50;
  auto world = sim::World::calm();
  EXPECT_LT(world.run(read_slow_bodies(kCount)), kCount * kPieceBytes / 2);
}

}  // namespace
}  // namespace gossamer::http2
