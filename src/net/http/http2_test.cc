// HTTP/2 in the client: without TLS, over a simulated network.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/http2_conversation.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulated/cancellation_points.h"

namespace gossamer::http2 {
namespace {

using testing::HasSubstr;

TEST(Http2Test, FetchesAPage) {
  const Outcome outcome = run({});
  const Fetched& page = outcome.fetched[0];
  EXPECT_TRUE(page.is_whole) << page.trouble;
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, "page /0");
  EXPECT_EQ(page.head, "HTTP/1.1 200 \r\ncontent-type: text/plain\r\n\r\n");
  EXPECT_EQ(page.facts.protocol, "HTTP/2");
  EXPECT_FALSE(page.facts.reused);
  EXPECT_GT(page.facts.bytes_sent, 0u);
  EXPECT_GT(page.facts.bytes_received, 0u);
  EXPECT_TRUE(page.request_head.starts_with("GET /0 HTTP/1.1\r\nHost: 127.0.0.1:"));
  EXPECT_TRUE(page.request_head.ends_with("\r\n\r\n"));
  ASSERT_EQ(outcome.asked.size(), 1u);
  EXPECT_THAT(outcome.asked[0].fields, testing::Contains(":scheme: http"));
  EXPECT_THAT(outcome.asked[0].fields, testing::Contains("user-agent: gossamer"));
  EXPECT_THAT(outcome.asked[0].fields, testing::Not(testing::Contains(HasSubstr("host:"))));
}

TEST(Http2Test, UsesOneConnection) {
  for (const bool is_concurrent : {false, true}) {
    const Outcome outcome = run({.count = 30, .is_concurrent = is_concurrent});
    for (std::size_t i = 0; i < 30; ++i) {
      EXPECT_TRUE(outcome.fetched[i].is_whole) << outcome.fetched[i].trouble;
      EXPECT_EQ(outcome.fetched[i].body, "page /" + std::to_string(i));
      EXPECT_EQ(outcome.fetched[i].facts.reused, i > 0);
    }
    EXPECT_EQ(outcome.connections, 1u);
    EXPECT_EQ(outcome.idle, 1u);
  }
}

TEST(Http2Test, AnswersInAnyOrder) {
  const Outcome outcome = run({.answers = [](const Asked& asked) -> Reply {
                                 return {.bytes = response(asked.stream, asked.path),
                                         .delay = 100ms * (20 - asked.stream / 2)};
                               },
                               .count = 20,
                               .is_concurrent = true});
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(outcome.fetched[i].body, "/" + std::to_string(i)) << outcome.fetched[i].trouble;
  }
}

TEST(Http2Test, KeepsAnIdleConnectionWhoseServerTalks) {
  const Outcome outcome =
      run({.answers = [](const Asked& asked) -> Reply {
             return {.bytes = response(asked.stream, "x") + ping() + settings()};
           },
           .count = 3,
           .between = 2s});
  EXPECT_EQ(outcome.connections, 1u);
  for (const Fetched& page : outcome.fetched) EXPECT_TRUE(page.is_whole) << page.trouble;
}

TEST(Http2Test, ReplacesAnIdleConnectionThatSaidGoodbye) {
  for (const bool closes : {false, true}) {
    const Outcome outcome =
        run({.answers = [=](const Asked& asked) -> Reply {
               return {.bytes = response(asked.stream, "x") + goaway(asked.stream, Code::no_error),
                       .closes = closes};
             },
             .count = 3,
             .between = 2s});
    EXPECT_EQ(outcome.connections, 3u);
    for (const Fetched& page : outcome.fetched) EXPECT_TRUE(page.is_whole) << page.trouble;
  }
}

TEST(Http2Test, RepeatsUnprocessedRequestsOfAnyMethod) {
  const Outcome outcome = run({.answers = [](const Asked& asked) -> Reply {
                                 if (asked.connection == 1) {
                                   return {.bytes = goaway(1, Code::no_error) + response(1, "x")};
                                 }
                                 return {.bytes = response(asked.stream, "x")};
                               },
                               .count = 10,
                               .is_concurrent = true,
                               .method = "POST",
                               .body = "data"});
  for (const Fetched& page : outcome.fetched) EXPECT_TRUE(page.is_whole) << page.trouble;
  EXPECT_EQ(outcome.connections, 2u) << "they share the second one";
}

TEST(Http2Test, RepeatsARefusedStreamTwice) {
  std::size_t refusals = 0;
  const auto refuse = [&](std::size_t most) {
    return [&refusals, most](const Asked& asked) -> Reply {
      if (refusals < most) {
        ++refusals;
        return {.bytes = reset(asked.stream, Code::refused_stream)};
      }
      return {.bytes = response(asked.stream, "x")};
    };
  };
  EXPECT_TRUE(run({.answers = refuse(2)}).fetched[0].is_whole);
  refusals = 0;
  const Outcome outcome = run({.answers = refuse(1000)});
  EXPECT_EQ(refusals, 3u);
  EXPECT_THAT(outcome.fetched[0].trouble, HasSubstr("unavailable"));
}

TEST(Http2Test, DoesNotRepeatWhatMayHaveBeenProcessed) {
  const Outcome outcome = run({.answers = [](const Asked& asked) -> Reply {
                                 if (asked.stream == 1) {
                                   return {.bytes = response(1, "x")};
                                 }
                                 return {.bytes = {}, .closes = true};
                               },
                               .count = 2,
                               .method = "POST",
                               .body = "data"});
  EXPECT_TRUE(outcome.fetched[0].is_whole);
  EXPECT_THAT(outcome.fetched[1].trouble, HasSubstr("peer_closed"));
  EXPECT_EQ(outcome.asked.size(), 2u);
}

TEST(Http2Test, RepeatsAGetOnADeadConnection) {
  const Outcome outcome = run({.answers = [](const Asked& asked) -> Reply {
                                 if (asked.stream == 1) {
                                   return {.bytes = response(1, "x")};
                                 }
                                 return {.bytes = {}, .closes = true};
                               },
                               .count = 2});
  EXPECT_TRUE(outcome.fetched[1].is_whole) << outcome.fetched[1].trouble;
  EXPECT_EQ(outcome.connections, 2u);
}

TEST(Http2Test, IsWholeOnlyWithTheEndOfTheStream) {
  const std::string head = headers(1, {{":status", "200"}, {"content-length", "5"}});
  const struct {
    std::string bytes;
    const char* error;
  } kCases[] = {
      {head + data(1, "hello"), "peer_closed"},
      {head + data(1, "hel") + reset(1, Code::internal_error), "reset"},
      {head + data(1, "hel", kEndStream), "malformed"},
      {head + data(1, "hello!!", kEndStream), "malformed"},
      {headers(1, {{":status", "103"}}), "peer_closed"},
  };
  for (const auto& [bytes, error] : kCases) {
    const Outcome outcome =
        run({.answers = [&](const Asked&) -> Reply { return {.bytes = bytes, .closes = true}; }});
    EXPECT_FALSE(outcome.fetched[0].is_whole);
    EXPECT_THAT(outcome.fetched[0].trouble, HasSubstr(error));
  }
}

TEST(Http2Test, EndsSilentExchangesAtTheirDeadlines) {
  Plan plan = {.answers = [](const Asked&) -> Reply { return {.bytes = {}}; },
               .count = 3,
               .is_concurrent = true};
  plan.options.deadlines.first_byte = 5s;
  Outcome outcome = run(plan);
  for (const Fetched& page : outcome.fetched) {
    EXPECT_THAT(page.trouble, HasSubstr("timed_out"));
    EXPECT_LT(page.took, 6s);
    EXPECT_GE(page.took, 5s);
  }
  EXPECT_EQ(outcome.idle, 0u) << "a silent connection is not used again";

  plan.answers = [](const Asked& asked) -> Reply {
    return {.bytes = headers(asked.stream, {{":status", "200"}})};
  };
  plan.options.deadlines.idle = 3s;
  outcome = run(plan);
  for (const Fetched& page : outcome.fetched) {
    EXPECT_THAT(page.trouble, HasSubstr("timed_out"));
    EXPECT_LT(page.took, 4s);
  }
}

// Requests whose bodies do not fit into the buffers of the network, to a server that answers the
// first one, and stops reading for a while after the second one.
Plan blocked_requests(Duration rest) {
  return {.answers = [rest](const Asked& asked) -> Reply {
            if (asked.stream == 1) return {.bytes = response(1, "x")};
            return {.bytes = {}, .rest = asked.stream == 3 ? rest : Duration::zero()};
          },
          .greeting = settings({{kInitialWindowSize, 1 << 20}}) + window_update(0, 1 << 24),
          .count = 4,
          .is_concurrent = true,
          .between = 1s,
          .method = "POST",
          .body = std::string(200'000, 'x')};
}

TEST(Http2Test, ABlockedWriteEndsAtTheDeadlineOfItsExchange) {
  Plan plan = blocked_requests(1h);
  plan.options.deadlines = {.first_byte = 60s, .idle = 60s, .whole = 5s};
  for (const Fetched& page : run(plan).fetched) EXPECT_LE(page.took, 7s);
}

TEST(Http2Test, AllLearnThatAWriteHasFailed) {
  Plan plan = blocked_requests(1h);
  plan.options.deadlines = {.first_byte = 60s, .idle = 5s};
  for (const Fetched& page : run(plan).fetched) EXPECT_LE(page.took, 12s);
}

TEST(Http2Test, TheFirstByteIsExpectedOnceTheRequestIsSent) {
  Plan plan = blocked_requests(3s);
  plan.options.deadlines.first_byte = 5s;
  for (const Fetched& page : run(plan).fetched) EXPECT_LE(page.took, 10s);
}

TEST(Http2Test, NoticesAViolationAfterAGoodbye) {
  const Outcome outcome =
      run({.answers = [](const Asked&) -> Reply {
             return {.bytes = goaway(0x7FFFFFFF, Code::no_error) + window_update(0, 0)};
           },
           .count = 2,
           .is_concurrent = true});
  for (const Fetched& page : outcome.fetched) EXPECT_THAT(page.trouble, HasSubstr("malformed"));
}

TEST(Http2Test, DoesNotWaitForAServerThatAcceptsNoStreams) {
  Plan plan = {.greeting = settings({{kMaxConcurrentStreams, 0}}), .count = 2};
  plan.options.deadlines.first_byte = 5s;
  const Outcome outcome = run(plan);
  EXPECT_THAT(outcome.fetched[1].trouble, HasSubstr("timed_out"));
  EXPECT_LE(outcome.fetched[1].took, 6s);
}

TEST(Http2Test, SendsALargeHead) {
  Plan plan;
  plan.options.fields = {{"x-large", std::string(100'000, 'x')}};
  plan.options.deadlines.first_byte = 5s;
  const Outcome outcome = run(plan);
  EXPECT_TRUE(outcome.fetched[0].is_whole) << outcome.fetched[0].trouble;
}

TEST(Http2Test, EndsSlowResponses) {
  const std::string body(4000, 'x');
  std::string bytes = headers(1, {{":status", "200"}});
  for (const char& c : body) bytes += data(1, {&c, 1});
  const Outcome outcome = run({.answers = [&](const Asked&) -> Reply {
    return {.bytes = bytes, .piece = 10, .between = 1s};
  }});
  EXPECT_THAT(outcome.fetched[0].trouble, HasSubstr("bytes per second"));
  EXPECT_LT(outcome.fetched[0].took, 60s);
}

TEST(Http2Test, ATimeoutLeavesTheOthersAlone) {
  Plan plan = {.answers = [](const Asked& asked) -> Reply {
                 if (asked.stream == 1) return {.bytes = {}};
                 return {.bytes = response(asked.stream, asked.path), .delay = 8s};
               },
               .count = 5,
               .is_concurrent = true};
  plan.options.deadlines.first_byte = 10s;
  const Outcome outcome = run(plan);
  EXPECT_THAT(outcome.fetched[0].trouble, HasSubstr("timed_out"));
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_TRUE(outcome.fetched[i].is_whole) << outcome.fetched[i].trouble;
  }
  EXPECT_EQ(outcome.connections, 1u);
}

TEST(Http2Test, CutsALargeBodyAndKeepsTheConnection) {
  Plan plan = {.answers = [](const Asked& asked) -> Reply {
                 return {.bytes = response(asked.stream, std::string(10'000, 'x'))};
               },
               .count = 3};
  plan.options.body_bytes_max = 5'000;
  const Outcome outcome = run(plan);
  for (const Fetched& page : outcome.fetched) {
    EXPECT_EQ(page.body.size(), 5'000u);
    EXPECT_THAT(page.trouble, HasSubstr("over_limit"));
  }
  EXPECT_EQ(outcome.connections, 1u);
}

TEST(Http2Test, WaitsForStreamsOfABusyServer) {
  Plan plan = {.answers = [](const Asked& asked) -> Reply {
                 return {.bytes = response(asked.stream, asked.path), .delay = 4s};
               },
               .greeting = settings({{kMaxConcurrentStreams, 1}}),
               .count = 6,
               .is_concurrent = true};
  plan.options.deadlines.first_byte = 6s;  // it begins when the request is sent
  const Outcome outcome = run(plan);
  for (const Fetched& page : outcome.fetched) EXPECT_TRUE(page.is_whole) << page.trouble;
  EXPECT_EQ(outcome.connections, 1u);
}

TEST(Http2Test, FailsAtItsDeadlineIfTheServerAcceptsNoStreams) {
  Plan plan = {.greeting = settings({{kMaxConcurrentStreams, 0}}), .count = 2};
  plan.options.deadlines.whole = 20s;
  const Outcome outcome = run(plan);
  // The first request may be sent before the settings arrive.
  EXPECT_THAT(outcome.fetched[1].trouble, HasSubstr("timed_out"));
  EXPECT_LE(outcome.fetched[1].took, 21s);
  EXPECT_EQ(outcome.connections, 1u);
}

TEST(Http2Test, AsksAgainOnAFreshConnectionAfter421) {
  const Outcome outcome =
      run({.answers = [](const Asked& asked) -> Reply {
             const bool is_wrong = asked.connection == 1 && asked.stream > 1;
             return {.bytes = response(asked.stream, "x", is_wrong ? "421" : "200")};
           },
           .count = 2});
  EXPECT_EQ(outcome.fetched[1].status, 200);
  EXPECT_EQ(outcome.connections, 2u);
  const Outcome always = run({.answers = [](const Asked& asked) -> Reply {
    return {.bytes = response(asked.stream, "x", "421")};
  }});
  EXPECT_EQ(always.fetched[0].status, 421);
  EXPECT_EQ(always.connections, 1u);
}

TEST(Http2Test, SurvivesFloodsWithinItsBounds) {
  const struct {
    std::string flood;
    const char* error;
  } kFloods[] = {
      {ping(), "malformed"},
      {settings(), "malformed"},
      {data(1, {}), "malformed"},
      {headers(1, {{":status", "103"}}), "over_limit"},
      {"HTTP/1.1 400 Bad Request\r\n\r\n", "malformed"},
  };
  for (const auto& [flood, error] : kFloods) {
    std::string bytes =
        flood.starts_with("HTTP") || flood[3] == 1 ? "" : headers(1, {{":status", "200"}});
    for (int i = 0; i < 3000; ++i) bytes += flood;
    const Outcome outcome =
        run({.answers = [&](const Asked&) -> Reply { return {.bytes = bytes}; }});
    EXPECT_THAT(outcome.fetched[0].trouble, HasSubstr(error));
  }
}

TEST(Http2Test, TellsTheServerWhyItLeaves) {
  const Outcome outcome =
      run({.answers = [](const Asked&) -> Reply { return {.bytes = window_update(0, 0)}; },
           .between = 2s});
  EXPECT_THAT(outcome.fetched[0].trouble, HasSubstr("malformed"));
  EXPECT_EQ(std::ranges::count(outcome.frames, Type::goaway, &Frame::type), 1);
}

TEST(Http2Test, EveryExchangeEndsWhereverItIsCancelled) {
  sim::for_every_cancellation_point([] {
    return converse({.answers = [](const Asked& asked) -> Reply {
                       return {.bytes = response(asked.stream, "page"), .delay = 1s};
                     },
                     .count = 3,
                     .is_concurrent = true});
  });
}

}  // namespace
}  // namespace gossamer::http2
