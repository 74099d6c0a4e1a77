#include "redis/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "async/gather.h"
#include "async/scope.h"
#include "net/connector.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"
#include "tests/support/redis_test_server.h"

namespace gossamer::redis {
namespace {

using async::Task;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Node kNode = {.host = "8.1.1.1", .port = 7000};

std::string echo(const Words& words) {
  return words.size() < 2 ? "+OK\r\n"
                          : "$" + std::to_string(words[1].size()) + "\r\n" + words[1] + "\r\n";
}

// A conversation with one server. The client's part is `work`.
template <class Work>
Task<Result<std::string>> converse(RedisTestServer::Answer answer, Credentials credentials,
                                   ConnectionOptions options, Work work,
                                   std::vector<Words>* heard = nullptr) {
  async::Loop& loop = async::Loop::current();
  RedisTestServer server(loop, "8.1.1.1", 7000, std::move(answer));
  sim::NamedHosts names(1);
  net::Connector connector(names);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run());
  Result<std::string> result = std::string();
  auto connection = co_await Connection::open({.connector = &connector, .credentials = credentials},
                                              kNode, scope, options, loop.now() + 5s);
  if (connection) {
    result = co_await work(*connection);
    (*connection)->close();
  } else {
    result = fail(std::move(connection).error());
  }
  serving.cancel();
  static_cast<void>(co_await scope.join());
  if (heard != nullptr) *heard = server.heard;
  co_return result;
}

std::string text(const Result<std::string>& result) {
  return result ? *result : result.error().to_string();
}

Task<Result<std::string>> ask(std::shared_ptr<Connection> connection, std::string word) {
  auto replies =
      co_await connection->call(Commands().add({"ECHO", word}), async::Loop::current().now() + 3s);
  if (!replies) co_return fail(std::move(replies).error());
  co_return replies->front().text;
}

Task<Result<std::string>> ask_many(std::shared_ptr<Connection> connection) {
  std::vector<Task<Result<std::string>>> calls;
  for (int i = 0; i < 20; ++i) calls.push_back(ask(connection, "w" + std::to_string(i)));
  std::string all;
  for (const auto& answer : co_await async::gather(std::move(calls))) all += text(answer) + " ";
  co_return all;
}

Task<Result<std::string>> ask_one(std::shared_ptr<Connection> connection) {
  return ask(std::move(connection), "a");
}

Task<Result<std::string>> ask_twice(std::shared_ptr<Connection> connection) {
  const auto first = co_await ask(connection, "a");
  const auto second = co_await ask(connection, "b");
  co_return text(first) + " | " + text(second);
}

Result<std::string> run(RedisTestServer::Answer answer,
                        Task<Result<std::string>> (*work)(std::shared_ptr<Connection>),
                        Credentials credentials = {}, ConnectionOptions options = {},
                        std::vector<Words>* heard = nullptr) {
  sim::World world = sim::World::calm();
  return world.run(converse(std::move(answer), std::move(credentials), options, work, heard));
}

std::string all_words() {
  std::string all;
  for (int i = 0; i < 20; ++i) all += "w" + std::to_string(i) + " ";
  return all;
}

TEST(Connection, CallsArePipelinedAndAnsweredInOrder) {
  EXPECT_EQ(text(run(echo, ask_many)), all_words());
}

TEST(Connection, CallsWaitWhileTheQueueIsFull) {
  EXPECT_EQ(text(run(echo, ask_many, {}, {.calls_max = 1})), all_words());
  EXPECT_EQ(text(run(echo, ask_many, {}, {.bytes_max = 1})), all_words());
}

TEST(Connection, ACallThatWouldExceedTheBytesWaits) {
  const auto silent = [](const Words&) { return ""; };
  std::vector<Words> heard;
  const std::size_t call = Commands().add({"ECHO", "w0"}).bytes().size();
  static_cast<void>(run(silent, ask_many, {}, {.bytes_max = 2 * call + 1}, &heard));
  EXPECT_EQ(heard.size(), 2u);
}

TEST(Connection, AUserNeedsAPassword) {
  std::vector<Words> heard;
  EXPECT_THAT(text(run(echo, ask_one, {.user = "u"}, {}, &heard)),
              HasSubstr("invalid_argument: user u of Redis has no password"));
  EXPECT_TRUE(heard.empty()) << "it would be the default user";
}

TEST(Connection, AuthenticatesFirst) {
  std::vector<Words> heard;
  EXPECT_EQ(text(run(echo, ask_one, {.user = "u", .password = "secret"}, {}, &heard)), "a");
  EXPECT_THAT(heard, ElementsAre(Words{"AUTH", "u", "secret"}, Words{"ECHO", "a"}));
  EXPECT_EQ(text(run(echo, ask_one, {.password = "secret"}, {}, &heard)), "a");
  EXPECT_THAT(heard.front(), ElementsAre("AUTH", "secret"));
}

TEST(Connection, ARejectedPasswordIsNotRepeated) {
  const auto answer = [](const Words&) { return "-WRONGPASS invalid secret\r\n"; };
  const std::string said = text(run(answer, ask_one, {.password = "secret"}));
  EXPECT_THAT(said, HasSubstr("denied"));
  EXPECT_THAT(said, Not(HasSubstr("secret")));
}

TEST(Connection, CallsOfASilentServerEndAtTheirDeadlines) {
  const auto silent = [](const Words&) { return ""; };
  const std::string said = text(run(silent, ask_twice));
  EXPECT_THAT(said, HasSubstr("timed_out: 8.1.1.1:7000 did not answer in time | timed_out"));
}

TEST(Connection, ACallThatEndsEarlyLeavesTheConnection) {
  const auto late = [](const Words& words) {
    return words[1] == "a" ? std::string() : "+a\r\n" + echo(words);
  };
  EXPECT_THAT(text(run(late, ask_twice)), HasSubstr("did not answer in time | b"));
}

Task<Result<std::string>> ask_three_times(std::shared_ptr<Connection> connection) {
  const auto twice = co_await ask_twice(connection);
  const bool was_open = connection->is_open();
  const auto third = co_await ask(connection, "c");
  co_return std::string(was_open ? "open" : "ended") + (connection->is_open() ? " open" : " ended");
}

TEST(Connection, ASilentServerEndsItThoughCallsEndEarly) {
  const auto silent = [](const Words&) { return ""; };
  EXPECT_EQ(text(run(silent, ask_three_times)), "open ended");
}

TEST(Connection, ALostConnectionEndsAllCalls) {
  const auto leave = [](const Words&) { return std::string(RedisTestServer::kHangUp); };
  EXPECT_THAT(text(run(leave, ask_twice)), HasSubstr("peer_closed: 8.1.1.1:7000 closed"));
}

TEST(Connection, HostileRepliesEndIt) {
  EXPECT_THAT(text(run([](const Words&) { return "HTTP/1.1 200 OK\r\n"; }, ask_one)),
              HasSubstr("malformed"));
  EXPECT_THAT(text(run([](const Words&) { return "$99999999999\r\n"; }, ask_one)),
              HasSubstr("over_limit"));
  EXPECT_THAT(text(run([](const Words&) { return "+a\r\n+b\r\n"; }, ask_twice)),
              HasSubstr("malformed"))
      << "a reply without a command";
}

TEST(Connection, PushesAreIgnored) {
  EXPECT_EQ(text(run([](const Words&) { return ">1\r\n+x\r\n+a\r\n"; }, ask_one)), "a");
}

TEST(Connection, AServerThatDoesNotListenIsAnError) {
  sim::World world = sim::World::calm();
  const auto nothing = []() -> Task<Result<std::string>> {
    sim::NamedHosts names(1);
    net::Connector connector(names);
    async::Scope scope(async::OnFailure::keep_going);
    auto connection = co_await Connection::open({.connector = &connector}, kNode, scope, {},
                                                async::Loop::current().now() + 5s);
    static_cast<void>(co_await scope.join());
    if (!connection) co_return fail(std::move(connection).error());
    co_return "connected";
  };
  EXPECT_THAT(text(world.run(nothing())), HasSubstr("refused"));
}

TEST(Connection, CanBeCancelledAtEveryStep) {
  sim::for_every_cancellation_point(
      [] { return converse(echo, {.password = "p"}, {.calls_max = 4}, ask_many); });
}

}  // namespace
}  // namespace gossamer::redis
