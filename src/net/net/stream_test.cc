#include "net/stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/connected_pair.h>
#include <tests/support/driver_test.h>
#include <tests/support/tls_test_conversation.h>

#include <string>
#include <utility>

#include "async/gather.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/world.h"

namespace gossamer::net {
namespace {

using async::Task;
using async::tested_driver_name;
using async::TestedDriver;
using testing::HasSubstr;

// Reads to the end, or up to `bytes_max`. BORROWS: the stream.
Task<Result<std::string>> read_text(Stream& stream, std::size_t bytes_max = std::string::npos) {
  std::string text;
  while (text.size() < bytes_max) {
    auto chunk = co_await stream.receive();
    if (!chunk) co_return fail(std::move(chunk).error(), text);
    if (chunk->end()) break;
    text += as_text(chunk->bytes());
  }
  co_return text;
}

// BORROWS: the stream.
Task<Result<void>> send_text(Stream& stream, std::string text) {
  co_return co_await stream.send(as_bytes(text));
}

// Over the plain network, on every driver.

class PlainStreamTest : public async::DriverTest {};
ON_EVERY_DRIVER(PlainStreamTest);

Task<Result<void>> talk_plainly() {
  auto pair = co_await async::connect_pair();
  if (!pair) co_return fail(std::move(pair).error());
  Stream client(std::move(pair->client));
  Stream server(std::move(pair->server));
  EXPECT_FALSE(client.is_tls());
  auto sent = co_await client.send(as_bytes("question"));
  EXPECT_TRUE(sent);
  EXPECT_EQ((co_await read_text(server, 8)).value(), "question");
  EXPECT_TRUE(co_await send_text(server, "answer"));
  EXPECT_TRUE(co_await server.finish());
  EXPECT_EQ((co_await read_text(client)).value(), "answer");
  client.close();
  client.close();
  EXPECT_FALSE(client);
  co_return Result<void>();
}

TEST_P(PlainStreamTest, CarriesBytesAndTheEnd) { EXPECT_TRUE(run(talk_plainly())); }

Task<Result<void>> be_cancelled() {
  auto pair = co_await async::connect_pair();
  if (!pair) co_return fail(std::move(pair).error());
  Stream client(std::move(pair->client));
  const auto read = co_await async::with_timeout(1ms, read_text(client));
  EXPECT_EQ(read.error().code(), Errc::timed_out);
  EXPECT_TRUE(co_await async::send_text(pair->server, "late"));
  EXPECT_EQ((co_await read_text(client, 4)).value(), "late");
  co_return Result<void>();
}

TEST_P(PlainStreamTest, CanBeCancelledWithoutLoss) { EXPECT_TRUE(run(be_cancelled())); }

TEST(Stream, IsSmall) {
  EXPECT_LE(sizeof(Stream), 24u);
  EXPECT_LE(sizeof(Chunk), 32u);
  EXPECT_LE(sizeof(Stream::Receive), sizeof(async::Socket::Receive) + 8);
  EXPECT_LE(sizeof(Stream::Send), sizeof(async::Socket::Send) + 8);
}

// Over TLS, in the simulated world.

struct Setting {
  explicit Setting(TestServerOptions options = {}) : server(world.identity, std::move(options)) {}

  TestWorld world;
  TestServer server;
  std::shared_ptr<TlsContext> context = world.context();
  std::size_t cut_after = std::string::npos;  // bytes of the server
  std::size_t bytes_sent = 0;                 // by the last server
};

TlsOptions without_sessions(TlsOptions options) {
  options.session_origins_max = 0;
  return options;
}

// The behaviour of the server on its connection.
using Script = Task<Result<void>> (*)(TestServerEnd& end);

// BORROWS: both.
Task<Result<void>> serve(async::Listener& listener, Setting& setting, Script script) {
  auto socket = co_await listener.accept();
  if (!socket) co_return fail(std::move(socket).error());
  TestServerEnd end(std::move(*socket), setting.server);
  end.bytes_left = setting.cut_after;
  auto done = co_await end.accept();
  if (done) done = co_await script(end);
  setting.bytes_sent = setting.cut_after - end.bytes_left;
  co_return done;
}

// BORROWS: both.
Task<Result<void>> serve_for(Duration limit, async::Listener& listener, Setting& setting,
                             Script script) {
  co_return co_await async::with_timeout(limit, serve(listener, setting, script));
}

// Connects, sends a request, and returns everything up to the end. BORROWS: the setting.
Task<Result<std::string>> ask(async::Endpoint server, Setting& setting, std::string question) {
  auto socket = co_await async::Socket::connect(server);
  if (!socket) co_return fail(std::move(socket).error());
  auto stream = co_await tls_client_handshake(std::move(*socket), setting.context, test_peer());
  if (!stream) co_return fail(std::move(stream).error(), "handshake");
  EXPECT_TRUE(stream->is_tls());
  if (auto sent = co_await stream->send(as_bytes(question)); !sent) {
    co_return fail(std::move(sent).error());
  }
  auto answer = co_await read_text(*stream);
  static_cast<void>(co_await stream->finish());
  co_return answer;
}

// BORROWS: the setting.
Task<Result<std::string>> ask_for(Duration limit, async::Endpoint server, Setting& setting,
                                  std::string question) {
  co_return co_await async::with_timeout(limit, ask(server, setting, std::move(question)));
}

// BORROWS: the setting.
Task<Result<std::string>> converse(Setting& setting, Script script, std::string question = "?") {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  if (!listener) co_return fail(std::move(listener).error());
  auto [answer, served] =
      co_await async::gather(ask_for(60s, listener->endpoint(), setting, std::move(question)),
                             serve_for(30s, *listener, setting, script));
  co_return std::move(answer);
}

// BORROWS: the end.
Task<Result<void>> answer_politely(TestServerEnd& end) {
  auto question = co_await end.read(1);
  if (!question) co_return fail(std::move(question).error());
  end.session.encrypt("answer to " + *question);
  end.session.say_goodbye();
  if (auto sent = co_await end.flush(); !sent) co_return sent;
  co_return co_await end.socket.shutdown();
}

// BORROWS: the end.
Task<Result<void>> answer_and_hang_up(TestServerEnd& end) {
  auto question = co_await end.read(1);
  if (!question) co_return fail(std::move(question).error());
  co_return co_await end.write("answer");
}

// BORROWS: the end.
Task<Result<void>> answer_and_reset(TestServerEnd& end) {
  if (auto sent = co_await end.write("answer"); !sent) co_return sent;
  co_return co_await async::sleep(1s);  // the request is not read
}

// BORROWS: the end.
Task<Result<void>> answer_without_reading(TestServerEnd& end) {
  if (auto slept = co_await async::sleep(1s); !slept) co_return slept;
  end.session.encrypt("answer to ?");  // as long as the polite one
  end.session.say_goodbye();
  co_return co_await end.flush();
}

constexpr std::size_t kMuch = 5 << 20;

// BORROWS: the end.
Task<Result<void>> echo_much(TestServerEnd& end) {
  auto question = co_await end.read(kMuch);
  if (!question) co_return fail(std::move(question).error());
  end.session.ask_for_new_keys();
  end.session.encrypt(*question);
  end.session.say_goodbye();
  co_return co_await end.flush();
}

// BORROWS: the end.
Task<Result<void>> change_keys_and_listen(TestServerEnd& end) {
  for (int i = 0; i < 20; ++i) {
    end.session.ask_for_new_keys();
    if (auto sent = co_await end.flush(); !sent) co_return sent;
    if (auto slept = co_await async::sleep(10ms); !slept) co_return slept;
  }
  auto question = co_await end.read(1);
  if (!question) co_return fail(std::move(question).error());
  end.session.encrypt("answer to " + *question);
  end.session.say_goodbye();
  co_return co_await end.flush();
}

// BORROWS: the setting.
Task<Result<std::string>> receive_impatiently(async::Endpoint server, Setting& setting,
                                              Duration patience) {
  auto socket = co_await async::Socket::connect(server);
  if (!socket) co_return fail(std::move(socket).error());
  auto stream = co_await tls_client_handshake(std::move(*socket), setting.context, test_peer());
  if (!stream) co_return fail(std::move(stream).error(), "handshake");
  for (Duration waited = Duration::zero(); waited < 300ms; waited += patience) {
    const auto nothing = co_await async::with_timeout(patience, read_text(*stream, 1));
    if (nothing || nothing.error() != Errc::timed_out) co_return fail(Errc::internal, "too early");
  }
  if (auto sent = co_await stream->send(as_bytes("?")); !sent) {
    co_return fail(std::move(sent).error(), "send");
  }
  co_return co_await read_text(*stream);
}

// BORROWS: the setting.
Task<Result<std::string>> change_keys(Setting& setting, Duration patience) {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  if (!listener) co_return fail(std::move(listener).error());
  auto [answer, served] =
      co_await async::gather(receive_impatiently(listener->endpoint(), setting, patience),
                             serve_for(30s, *listener, setting, change_keys_and_listen));
  co_return std::move(answer);
}

TEST(TlsStream, ACancelledReceiveStillAnswersTheServer) {
  Setting setting;
  for (const Duration patience : {100us, 333us, 1000us, 7000us}) {
    sim::SimOptions options = sim::calm_options(3);
    options.network.deferred = 0.9;  // operations take their time
    sim::World world(options);
    const auto answer = world.run(change_keys(setting, patience));
    ASSERT_TRUE(answer) << answer.error().to_string();
    EXPECT_EQ(*answer, "answer to ?");
  }
}

TEST(TlsStream, CarriesBytesAndTheEnd) {
  for (const bool tls12 : {false, true}) {
    Setting setting({.tls12 = tls12});
    sim::World world = sim::World::calm();
    const auto answer = world.run(converse(setting, answer_politely));
    ASSERT_TRUE(answer) << answer.error().to_string();
    EXPECT_EQ(*answer, "answer to ?");
    EXPECT_EQ(world.driver().buffers_lent(), 0u);
    EXPECT_EQ(PlainBlock::lent(), 0u);
  }
}

TEST(TlsStream, DistinguishesAHangUpFromTheEnd) {
  Setting setting;
  sim::World world = sim::World::calm();
  const auto answer = world.run(converse(setting, answer_and_hang_up));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), Errc::peer_closed);
  EXPECT_EQ(answer.error().to_string(), "peer_closed: truncated, answer");
}

TEST(TlsStream, ReportsAReset) {
  Setting setting;
  sim::World world = sim::World::calm();
  const auto answer = world.run(converse(setting, answer_and_reset));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), Errc::reset);
}

TEST(TlsStream, CarriesMegabytesInASlowWorld) {
  Setting setting;
  std::string much(kMuch, 'x');
  for (std::size_t i = 0; i < much.size(); i += 253) much[i] = static_cast<char>(i);
  sim::SimOptions options = sim::calm_options(7);
  options.network.segment_bytes = {1, 40'000};
  options.network.short_receive = 0.2;
  options.network.deferred = 0.5;
  sim::World world(options);
  const auto answer = world.run(converse(setting, echo_much, much));
  ASSERT_TRUE(answer) << answer.error().to_string();
  EXPECT_TRUE(*answer == much);
}

TEST(TlsStream, WorksByteByByte) {
  Setting setting;
  sim::SimOptions options = sim::calm_options();
  options.network.segment_bytes = {1, 1};
  options.network.lent_buffer_bytes = 1;
  sim::World world(options);
  EXPECT_EQ(world.run(converse(setting, answer_politely)).value(), "answer to ?");
}

// An unread request decides between FIN and RST when the server closes.
TEST(TlsStream, IsNeverCompleteWhenCutShort) {
  for (const Script script : {answer_politely, answer_without_reading}) {
    Setting setting;
    setting.context = setting.world.context(without_sessions(setting.world.options()));
    {
      sim::World world = sim::World::calm();
      ASSERT_TRUE(world.run(converse(setting, answer_politely)));
    }
    const std::size_t whole = setting.bytes_sent;
    ASSERT_GT(whole, 500u);
    for (std::size_t at = 0; at < whole; at += async::kSanitized ? 3 : 1) {
      SCOPED_TRACE("cut after byte " + std::to_string(at) + " of " + std::to_string(whole));
      setting.cut_after = at;
      sim::World world = sim::World::calm();
      const auto answer = world.run(converse(setting, script));
      ASSERT_FALSE(answer);
      EXPECT_TRUE(answer.error() == Errc::peer_closed || answer.error() == Errc::reset)
          << answer.error().to_string();
    }
  }
}

// BORROWS: the setting.
Task<Result<std::string>> ask_the_silent(Setting& setting) {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  if (!listener) co_return fail(std::move(listener).error());
  co_return co_await ask_for(10s, listener->endpoint(), setting, "?");
}

TEST(TlsStream, HoldsADeadlineInTheHandshake) {
  Setting setting;
  sim::World world = sim::World::calm();
  const auto answer = world.run(ask_the_silent(setting));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), Errc::timed_out);
  EXPECT_EQ(world.driver().now().time_since_epoch(), 10s);
}

// BORROWS: the end.
Task<Result<void>> read_nothing(TestServerEnd&) { co_return co_await async::sleep(20s); }

// What a client does that is connected to a server which reads nothing. BORROWS: the stream.
using Client = Task<Result<void>> (*)(Stream& stream);

// BORROWS: the setting.
Task<Result<void>> connect_and(Client client, async::Endpoint server, Setting& setting) {
  auto socket = co_await async::Socket::connect(server);
  if (!socket) co_return fail(std::move(socket).error());
  auto stream = co_await tls_client_handshake(std::move(*socket), setting.context, test_peer());
  if (!stream) co_return fail(std::move(stream).error());
  co_return co_await client(*stream);
}

// BORROWS: the setting.
Task<Result<void>> talk_to_the_deaf(Setting& setting, Client client) {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  if (!listener) co_return fail(std::move(listener).error());
  auto [done, served] = co_await async::gather(connect_and(client, listener->endpoint(), setting),
                                               serve_for(30s, *listener, setting, read_nothing));
  co_return std::move(done);
}

Task<Result<void>> send_after_a_torn_send(Stream& stream) {
  const auto sent = co_await async::with_timeout(1s, send_text(stream, std::string(kMuch, 'x')));
  EXPECT_TRUE(!sent && sent.error() == Errc::timed_out);
  for (int i = 0; i < 2; ++i) {
    const auto again = co_await send_text(stream, "more");
    EXPECT_TRUE(!again &&
                again.error().to_string() == "not_connected: an earlier send was interrupted");
  }
  const auto ended = co_await stream.finish();
  EXPECT_TRUE(!ended && ended.error() == Errc::not_connected);
  co_return {};
}

// The peer may have received half of a record, so nothing that follows could be read.
TEST(TlsStream, NothingIsSentAfterATornSend) {
  Setting setting;
  const auto done = sim::World::calm().run(talk_to_the_deaf(setting, send_after_a_torn_send));
  EXPECT_TRUE(done) << done.error().to_string();
}

Task<Result<void>> finish_while_sending(Stream& stream) {
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(send_text(stream, std::string(kMuch, 'x')));
  if (auto slept = co_await async::sleep(1s); !slept) co_return slept;
  const Instant begun = async::Loop::current().now();
  const auto ended = co_await stream.finish();
  EXPECT_TRUE(!ended && ended.error() == Errc::timed_out);
  EXPECT_EQ(async::Loop::current().now() - begun, Stream::kFinishMax);
  scope.cancel();
  co_return co_await scope.join();
}

TEST(TlsStream, EndsInTimeAlthoughThePeerReadsNothing) {
  Setting setting;
  const auto done = sim::World::calm().run(talk_to_the_deaf(setting, finish_while_sending));
  EXPECT_TRUE(done) << done.error().to_string();
}

Task<Result<void>> expect_protocol(Stream& stream) {
  EXPECT_EQ(stream.alpn(), "h2");
  EXPECT_EQ(stream.tls_facts().alpn, "h2");
  EXPECT_EQ(stream.tls_names().protocol, "TLSv1.3");
  stream.close();
  EXPECT_EQ(stream.alpn(), "");
  EXPECT_EQ(stream.tls_names().protocol, "");
  co_return {};
}

TEST(TlsStream, TellsTheProtocolThatTheServerChose) {
  Setting setting({.alpn = {"h2"}});
  TlsOptions options = setting.world.options();
  options.alpn = {"http/1.1", "h2"};
  setting.context = TestWorld::context(options);
  const auto done = sim::World::calm().run(talk_to_the_deaf(setting, expect_protocol));
  EXPECT_TRUE(done) << done.error().to_string();
}

TEST(TlsStream, CanBeCutAnywhere) {
  Setting setting;
  sim::for_every_cancellation_point([&] { return converse(setting, answer_politely); });
  sim::for_every_failing_operation([&] { return converse(setting, answer_politely); }, ECONNRESET);
  EXPECT_EQ(PlainBlock::lent(), 0u);
}

TEST(TlsStream, SurvivesStorms) {
  Setting setting;
  int complete = 0;
  for (std::uint64_t seed = 0; seed < (async::kSanitized ? 60 : 300); ++seed) {
    sim::World world(seed);
    SCOPED_TRACE(world.describe());
    const auto answer = world.run(converse(setting, answer_politely));
    if (answer) {
      EXPECT_EQ(*answer, "answer to ?");
      ++complete;
    }
    EXPECT_TRUE(world.driver().ledger().balanced());
    EXPECT_EQ(world.driver().buffers_lent(), 0u);
  }
  EXPECT_GT(complete, 10);
}

}  // namespace
}  // namespace gossamer::net
