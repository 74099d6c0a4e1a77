// Tests the conversation of a crawl with programs that watch it, over a socket.
#include "run/control/control_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/temporary_folder.h>

#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "net/local_socket.h"
#include "run/control/control_client.h"
#include "run/control/control_protocol.h"

namespace gossamer::run {
namespace {

using async::Task;
using testing::HasSubstr;

// BORROWS: the path.
using Conversation = Task<void> (*)(const std::string& path);

Task<std::string> answer(ControlRequest request) {
  co_return done_reply(std::string(name(request.kind)) + " " + request.text);
}

// BORROWS: the path.
Task<void> serve(const std::string& path, Conversation conversation) {
  auto server = ControlServer::bind(path);
  EXPECT_TRUE(server) << server.error().to_string();
  if (!server) co_return;
  server->on_request(answer);
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(server->run());
  co_await conversation(path);
  scope.cancel();
  static_cast<void>(co_await scope.join());
}

void converse(Conversation conversation) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/control";
  async::Loop loop;
  loop.run(serve(path, conversation));
}

Task<void> ask_twice(const std::string& path) {
  auto client = ControlClient::connect(path);
  EXPECT_TRUE(client.has_value());
  EXPECT_EQ(*parse_reply(*co_await client->ask({.kind = ControlRequest::Kind::pause})), "pause ");
  const auto blocked =
      co_await client->ask({.kind = ControlRequest::Kind::block, .text = "a.example\n\"x\""});
  EXPECT_EQ(*parse_reply(*blocked), "block a.example\n\"x\"") << "a line break is no end";
}

TEST(ControlServerTest, AnswersRequestAfterRequest) { converse(ask_twice); }

// BORROWS: the stream.
Task<std::string> line_from(net::LocalStream& stream) {
  std::string heard;
  while (!heard.contains('\n')) {
    auto more = co_await stream.receive(4096);
    if (!more || more->empty()) co_return heard + "(end)";
    heard += *more;
  }
  co_return heard;
}

Task<void> send_pieces(const std::string& path) {
  auto stream = net::LocalStream::connect(path);
  EXPECT_TRUE(stream.has_value());
  for (const std::string piece : {"{\"do\":", "\"pause\"}", "\n{\"do\":\"nothing\"}\n"}) {
    EXPECT_TRUE(co_await stream->send(piece));
  }
  const std::string first = co_await line_from(*stream);
  EXPECT_THAT(first, HasSubstr("pause"));
  const std::string second =
      first.find('\n') + 1 < first.size() ? first : co_await line_from(*stream);
  EXPECT_THAT(second, HasSubstr("unknown request"));
}

TEST(ControlServerTest, RequestsMayComeInPieces) { converse(send_pieces); }

Task<void> send_too_much(const std::string& path) {
  auto stream = net::LocalStream::connect(path);
  EXPECT_TRUE(co_await stream->send(std::string(kRequestBytesMax + 4096, 'x')));
  EXPECT_THAT(co_await line_from(*stream), HasSubstr("must not exceed 16 KiB"));
  EXPECT_THAT(co_await line_from(*stream), HasSubstr("(end)"));
}

TEST(ControlServerTest, ALongRequestEndsTheConversation) { converse(send_too_much); }

Task<void> come_in_crowds(const std::string& path) {
  std::vector<ControlClient> clients;
  for (std::size_t i = 0; i < ControlServer::kClientsMax; ++i) {
    clients.push_back(std::move(*ControlClient::connect(path)));
    EXPECT_TRUE(co_await clients.back().ask({})) << i;
  }
  auto late = ControlClient::connect(path);
  const auto refused = co_await late->ask({});
  EXPECT_TRUE(refused.has_value());
  EXPECT_EQ(parse_reply(*refused).error().detail(), "too many clients");
  clients.pop_back();
  // The server hears that the other one has left.
  for (;;) {
    auto next = ControlClient::connect(path);
    const auto reply = co_await next->ask({});
    if (reply && parse_reply(*reply)) break;
  }
}

TEST(ControlServerTest, OnlySomeClientsAreServed) { converse(come_in_crowds); }

TEST(ControlClientTest, SaysThatNoCrawlIsThere) {
  const tests::TemporaryFolder folder;
  async::Loop loop;
  const auto client = ControlClient::connect(folder.path() + "/none");
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code(), Errc::not_found);
  EXPECT_EQ(client.error().detail(), "no crawl listens at " + folder.path() + "/none");
}

// BORROWS: the path.
Task<void> leave_in_the_middle(const std::string& path) {
  auto listener = net::LocalListener::bind(path);
  auto client = ControlClient::connect(path);
  EXPECT_TRUE(client.has_value());
  {
    auto server = co_await listener->accept();
    EXPECT_TRUE(server.has_value());
    EXPECT_TRUE(co_await server->send("half a li"));
  }
  const auto reply = co_await client->ask({});
  EXPECT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().code(), Errc::peer_closed);
}

TEST(ControlClientTest, SaysThatTheCrawlHasEnded) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/control";
  async::Loop loop;
  loop.run(leave_in_the_middle(path));
}

}  // namespace
}  // namespace gossamer::run
