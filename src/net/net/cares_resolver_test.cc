// Tests the resolver with a hostile name server.

#include "net/cares_resolver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/gather.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "net/connector.h"
#include "tests/support/dns_message.h"
#include "tests/support/dns_test_server.h"
#include "tests/support/driver_test.h"
#include "tests/support/found_addresses.h"
#include "tests/support/patience.h"

namespace gossamer::net {
namespace {

using async::Task;
using async::tested_driver_name;
using async::TestedDriver;
using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::Lt;
using Answers = std::vector<std::string>;

DnsMessage answering(const DnsQuestion& question, std::uint16_t flags = DnsMessage::kResponse) {
  return DnsMessage(question.id, flags).question(question.name, question.type);
}

bool asks_for_v4(const DnsQuestion& question) { return question.type == DnsMessage::kA; }

// A fair answer: 192.0.2.1 and 2001:db8::1.
DnsMessage fair(const DnsQuestion& question) {
  return answering(question).address(question.name,
                                     asks_for_v4(question) ? "192.0.2.1" : "2001:db8::1", 60);
}

// The server starts at `port` after a question has failed. BORROWS: all.
Task<Result<Addresses>> resolve_while_server_returns(CaresResolver& names,
                                                     std::unique_ptr<DnsTestServer>& server,
                                                     std::uint16_t port) {
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn([](CaresResolver& asked, std::unique_ptr<DnsTestServer>& made,
                 std::uint16_t at) -> Task<Result<void>> {
    while (asked.questions_asked() == 0 || asked.lookups_in_flight() > 0) {
      if (auto slept = co_await async::sleep(1ms); !slept) co_return slept;
    }
    made = std::make_unique<DnsTestServer>(
        [](const DnsQuestion& q) { return Answers{fair(q).bytes()}; }, at);
    co_return {};
  }(names, server, port));
  auto found = co_await names.resolve("a.example");
  scope.cancel();
  static_cast<void>(co_await scope.join());
  co_return found;
}

class HostileDnsTest : public async::DriverTest {
 public:
  // For servers that are never going to answer.
  static DnsOptions impatient() {
    return {.deadline = 600ms, .try_timeout = 100ms, .tries = 8, .patience_for_v4 = 200ms};
  }
  // For the others: however long this machine pauses, what they say is heard.
  static DnsOptions patient() {
    return {.deadline = 60s,
            .try_timeout = 100ms,
            .tries = 8,
            .patience_for_v6 = 30s,
            .patience_for_v4 = 30s};
  }

  std::string resolve(DnsTestServer::Answer answer, const std::string& host = "a.example",
                      DnsOptions options = patient()) {
    DnsTestServer server(std::move(answer));
    options.servers = {server.address()};
    auto resolver = CaresResolver::make(loop(), options);
    EXPECT_TRUE(resolver.has_value());
    const Instant begun = loop().now();
    const auto found = run((*resolver)->resolve(host));
    took_ = loop().now() - begun;
    asked_over_tcp_ = server.questions_over_tcp();
    complete_ = found && found->complete;
    return text_of(found);
  }

  Duration took_ = {};
  std::uint64_t asked_over_tcp_ = 0;
  bool complete_ = false;
};
ON_REAL_DRIVERS(HostileDnsTest);

TEST_P(HostileDnsTest, AFairServerIsBelieved) {
  EXPECT_EQ(resolve([](const DnsQuestion& q) { return Answers{fair(q).bytes()}; }),
            "2001:db8::1 192.0.2.1 1 min");
  EXPECT_TRUE(complete_);
}

TEST_P(HostileDnsTest, AbsenceIsToldFromFailure) {
  const auto with_code = [&](std::uint8_t code) {
    DnsOptions options = patient();
    options.tries = 2;
    return resolve(
        [code](const DnsQuestion& q) {
          return Answers{answering(q).code(code).soa("example", 60, 60).bytes()};
        },
        "a.example", options);
  };
  EXPECT_EQ(with_code(3), "dns_failed: resolve a.example: there is no such name (NXDOMAIN)");
  EXPECT_EQ(with_code(0), "dns_failed: resolve a.example: the name has no address (NODATA)");
  EXPECT_EQ(with_code(2), "dns_failed: resolve a.example: the name server answered SERVFAIL");
  EXPECT_EQ(with_code(5), "dns_failed: resolve a.example: the name server answered REFUSED");
  EXPECT_THAT(with_code(9), HasSubstr("dns_failed: resolve a.example: the name server answered"));
}

TEST_P(HostileDnsTest, ARefusedQuestionIsAskedAgain) {
  EXPECT_EQ(resolve([](const DnsQuestion& q) {
              return q.number <= 4 ? Answers{answering(q).code(5).bytes()}
                                   : Answers{fair(q).bytes()};
            }),
            "2001:db8::1 192.0.2.1 1 min");
}

TEST_P(HostileDnsTest, ARefusedQuestionIsAskedAsOftenAsIsSet) {
  DnsTestServer server([](const DnsQuestion& q) { return Answers{answering(q).code(5).bytes()}; });
  DnsOptions options = patient();
  options.servers = {server.address()};
  options.tries = 3;
  options.try_timeout = 10ms;
  auto resolver = CaresResolver::make(loop(), options);
  EXPECT_FALSE(run((*resolver)->resolve("a.example")));
  EXPECT_EQ((*resolver)->questions_asked(), 6u) << "for both families";
}

TEST_P(HostileDnsTest, AQuestionThatCouldNotBeSentIsAskedAgain) {
  auto server = std::make_unique<DnsTestServer>([](const DnsQuestion&) { return Answers{}; });
  const std::uint16_t port = server->port();
  server.reset();
  DnsOptions options = patient();
  options.servers = {"127.0.0.1:" + std::to_string(port)};
  auto resolver = CaresResolver::make(loop(), options);
  EXPECT_EQ(text_of(run(resolve_while_server_returns(**resolver, server, port))),
            "2001:db8::1 192.0.2.1 1 min");
}

TEST_P(HostileDnsTest, SilenceEndsAtTheDeadline) {
  EXPECT_EQ(resolve([](const DnsQuestion&) { return Answers{}; }, "a.example", impatient()),
            "timed_out: resolve a.example: no answer within 600 ms");
  EXPECT_GE(took_, 600ms);
}

TEST_P(HostileDnsTest, LostPacketsAreSentAgain) {
  EXPECT_EQ(resolve([](const DnsQuestion& q) {
              return q.number <= 2 ? Answers{} : Answers{fair(q).bytes()};
            }),
            "2001:db8::1 192.0.2.1 1 min");
}

TEST_P(HostileDnsTest, AFamilyThatIsNotAnsweredIsNotWaitedForLong) {
  DnsOptions options = patient();  // gives up a family after 25 s
  options.patience_for_v6 = 50ms;
  options.patience_for_v4 = 200ms;
  const auto without = [&](bool v4) {
    return resolve(
        [v4](const DnsQuestion& q) {
          return asks_for_v4(q) == v4 ? Answers{} : Answers{fair(q).bytes()};
        },
        "a.example", options);
  };
  EXPECT_EQ(without(false), "192.0.2.1 1 min");
  EXPECT_FALSE(complete_);
  EXPECT_THAT(took_, AllOf(Ge(50ms), Lt(25s)));
  EXPECT_EQ(without(true), "2001:db8::1 1 min");
  EXPECT_FALSE(complete_);
  EXPECT_THAT(took_, AllOf(Ge(200ms), Lt(25s)));
}

TEST_P(HostileDnsTest, GarbageIsNoAnswer) {
  EXPECT_EQ(resolve([](const DnsQuestion&) { return Answers{"", "x", std::string(900, '\xff')}; },
                    "a.example", impatient()),
            "timed_out: resolve a.example: no answer within 600 ms");
}

TEST_P(HostileDnsTest, GarbageBehindTheRightQuestionIsAFailure) {
  EXPECT_EQ(resolve([](const DnsQuestion& q) {
              return Answers{answering(q).claim_answers(5).bytes() + std::string(40, '\xc0')};
            }),
            "dns_failed: resolve a.example: DNS answer: it has an invalid record");
}

TEST_P(HostileDnsTest, ForgedAnswersAreIgnored) {
  EXPECT_EQ(resolve([](const DnsQuestion& q) {
              DnsQuestion wrong_id = q;
              ++wrong_id.id;
              DnsQuestion wrong_name = q;
              wrong_name.name = "b.example";
              DnsQuestion wrong_type = q;
              wrong_type.type = 15;
              const auto forged = [](const DnsQuestion& about) {
                return answering(about).address(about.name, "10.6.6.6", 60).bytes();
              };
              return Answers{forged(wrong_id), forged(wrong_name), forged(wrong_type),
                             fair(q).bytes()};
            }),
            "2001:db8::1 192.0.2.1 1 min");
}

TEST_P(HostileDnsTest, RecordsThatWereNotAskedForAreNotBelieved) {
  EXPECT_EQ(resolve([](const DnsQuestion& q) {
              return Answers{answering(q).address("bank.example", "10.6.6.6", 60).bytes()};
            }),
            "dns_failed: resolve a.example: the name has no address (NODATA)");
}

TEST_P(HostileDnsTest, WhatDoesNotFitIsFetchedOverTcp) {
  EXPECT_EQ(resolve([](const DnsQuestion& q) {
              if (!q.is_tcp) {
                const auto flags = DnsMessage::kResponse | DnsMessage::kTruncated;
                return Answers{answering(q, flags).bytes()};
              }
              return Answers{fair(q).bytes()};
            }),
            "2001:db8::1 192.0.2.1 1 min");
  EXPECT_EQ(asked_over_tcp_, 2u);
}

TEST_P(HostileDnsTest, HugeAnswersAreCut) {
  const std::string text = resolve([](const DnsQuestion& q) {
    if (!q.is_tcp) {
      return Answers{answering(q, DnsMessage::kResponse | DnsMessage::kTruncated).bytes()};
    }
    DnsMessage message = answering(q);
    for (int i = 0; i < 3000 && asks_for_v4(q); ++i) {
      const std::string data = {10, 0, static_cast<char>(i >> 8), static_cast<char>(i)};
      message.answer(DnsMessage::pointer(12), DnsMessage::kA, 60, data);
    }
    return Answers{message.bytes()};
  });
  EXPECT_EQ(std::ranges::count(text, '.'), 3 * static_cast<int>(kAddressesMax)) << text;
}

TEST_P(HostileDnsTest, AliasesAreFollowedButNotInCircles) {
  EXPECT_EQ(
      resolve([](const DnsQuestion& q) {
        return Answers{answering(q)
                           .alias("a.example", "b.example", 50)
                           .alias("b.example", "c.example", 40)
                           .address("c.example", asks_for_v4(q) ? "192.0.2.1" : "2001:db8::1", 60)
                           .bytes()};
      }),
      "2001:db8::1 192.0.2.1 40 s");
  EXPECT_EQ(resolve([](const DnsQuestion& q) {
              return Answers{answering(q)
                                 .alias("a.example", "b.example", 50)
                                 .alias("b.example", "a.example", 40)
                                 .bytes()};
            }),
            "dns_failed: resolve a.example: too many aliases (CNAME)");
}

TEST_P(HostileDnsTest, WhatIsNoNameIsNotAskedFor) {
  for (const std::string& host : {std::string("a..b"), std::string(), std::string("a b"),
                                  std::string(64, 'a'), std::string("a\0b", 3)}) {
    EXPECT_THAT(resolve([](const DnsQuestion& q) { return Answers{fair(q).bytes()}; }, host),
                HasSubstr("it is not a domain name"));
  }
}

TEST_P(HostileDnsTest, AServerThatIsNotThereIsTold) {
  std::string nobody;
  {
    DnsTestServer server([](const DnsQuestion&) { return Answers{}; });
    nobody = server.address();
  }
  DnsOptions options = patient();
  options.tries = 2;
  options.servers = {nobody};
  auto resolver = CaresResolver::make(loop(), options);
  const auto found = run((*resolver)->resolve("a.example"));
  EXPECT_EQ(found.error().to_string(),
            "dns_failed: resolve a.example: no name server can be reached");
  EXPECT_EQ(CaresResolver::make(loop(), {.servers = {"not a server"}}).error(),
            Errc::invalid_argument);
}

TEST_P(HostileDnsTest, TheSecondServerIsAskedWhenTheFirstFails) {
  DnsTestServer failing([](const DnsQuestion& q) { return Answers{answering(q).code(2).bytes()}; });
  DnsTestServer good([](const DnsQuestion& q) { return Answers{fair(q).bytes()}; });
  DnsOptions options = patient();
  options.servers = {failing.address(), good.address()};
  auto resolver = CaresResolver::make(loop(), options);
  EXPECT_EQ(text_of(run((*resolver)->resolve("a.example"))), "2001:db8::1 192.0.2.1 1 min");
}

TEST_P(HostileDnsTest, ThousandsOfLookupsAreUnderWayAtOnce) {
  constexpr int kNames = 5000;
  DnsTestServer server([](const DnsQuestion& q) { return Answers{fair(q).bytes()}; });
  // No question is repeated because this machine is busy.
  auto resolver = CaresResolver::make(loop(), {.servers = {server.address()},
                                               .deadline = support::kPatience,
                                               .try_timeout = support::kPatience,
                                               .lookups_max = 300});
  run([](CaresResolver& names, int count) -> Task<void> {
    std::vector<Task<Result<Addresses>>> lookups;
    for (int i = 0; i < count; ++i) {
      lookups.push_back(names.resolve("h" + std::to_string(i) + ".example"));
    }
    const auto answers = co_await async::gather(std::move(lookups));
    for (const auto& answer : answers) EXPECT_TRUE(answer.has_value()) << text_of(answer);
  }(**resolver, kNames));
  EXPECT_EQ((*resolver)->questions_asked(), 2u * kNames);
  EXPECT_EQ((*resolver)->lookups_in_flight(), 0u);
}

TEST_P(HostileDnsTest, LookupsThatWereGivenUpAreCleanedUp) {
  DnsTestServer server([](const DnsQuestion&) { return Answers{}; });
  auto resolver = CaresResolver::make(loop(), {.servers = {server.address()}, .lookups_max = 10});
  run([](CaresResolver& names) -> Task<void> {
    async::Scope scope(async::OnFailure::keep_going);
    for (int i = 0; i < 50; ++i) scope.spawn(names.resolve("h" + std::to_string(i) + ".example"));
    EXPECT_TRUE((co_await async::sleep(100ms)).has_value());
    EXPECT_EQ(names.lookups_in_flight(), 10u) << "the others wait in line";
    scope.cancel();
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ(names.lookups_in_flight(), 10u) << "their questions are still out";
  }(**resolver));
  resolver->reset();
}

// BORROWS: the listener and the count.
Task<Result<void>> count_connections(async::Listener& listener, int& count) {
  for (;;) {
    auto socket = co_await listener.accept();
    if (!socket) co_return fail(std::move(socket).error());
    ++count;
  }
}

// Every second answer leads inside. 127.0.0.2 plays the public host, 127.0.0.1 the private one.
TEST_P(HostileDnsTest, RebindingNeverReachesThePrivateHost) {
  DnsTestServer server([](const DnsQuestion& q) {
    if (!asks_for_v4(q)) return Answers{answering(q).bytes()};
    const bool is_first = q.number % 4 < 2;
    return Answers{answering(q).address(q.name, is_first ? "127.0.0.2" : "127.0.0.1", 0).bytes()};
  });
  auto resolver = CaresResolver::make(loop(), {.servers = {server.address()}});
  run([](CaresResolver& names) -> Task<void> {
    auto open = async::Listener::bind(async::Endpoint::v4(127, 0, 0, 2, 0));
    auto closed = async::Listener::bind(async::Endpoint::v4(127, 0, 0, 1, open->endpoint().port));
    if (!open || !closed) co_return;
    int reached_open = 0;
    int reached_closed = 0;
    async::Scope scope(async::OnFailure::keep_going);
    scope.spawn(count_connections(*open, reached_open));
    scope.spawn(count_connections(*closed, reached_closed));
    Connector connector(
        names,
        AddressGuard(GuardOptions{.allowed_addresses = {*AddressPrefix::parse("127.0.0.2")}}));
    int denied = 0;
    for (int i = 0; i < 20; ++i) {
      auto connected =
          co_await connector.connect({.host = "evil.example", .port = open->endpoint().port});
      if (!connected) EXPECT_EQ(connected.error(), Errc::denied) << connected.error().to_string();
      if (!connected) ++denied;
    }
    EXPECT_TRUE((co_await async::sleep(50ms)).has_value());
    scope.cancel();
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ(reached_closed, 0);
    EXPECT_EQ(reached_open + denied, 20);
    EXPECT_GT(reached_open, 0);
    EXPECT_GT(denied, 0);
  }(**resolver));
}

}  // namespace
}  // namespace gossamer::net
