#include "net/tls_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/tls_test_conversation.h>

#include <string>

namespace gossamer::net {
namespace {

using testing::HasSubstr;

// Under TLS 1.2 and 1.3.
class TlsSessionTest : public testing::TestWithParam<bool> {
 protected:
  bool tls12() const { return GetParam(); }

  TestWorld world_;
  TestServer server_{world_.identity, {.tls12 = GetParam(), .alpn = {"h2", "http/1.1"}}};
  std::shared_ptr<TlsContext> context_ = world_.context();
};

INSTANTIATE_TEST_SUITE_P(With, TlsSessionTest, testing::Values(false, true),
                         [](const auto& with) { return with.param ? "Tls12" : "Tls13"; });

void expect_true(const Result<bool>& result) {
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_TRUE(*result);
}

TEST_P(TlsSessionTest, CarriesDataBothWays) {
  Conversation talk(server_, context_);
  expect_true(talk.handshake());
  ASSERT_TRUE(talk.client().encrypt(as_bytes("question")));
  EXPECT_EQ(talk.server_reads().value(), "question");
  talk.server().encrypt("answer");
  EXPECT_EQ(talk.client_reads().value(), "answer");
  EXPECT_FALSE(talk.client().ended());
}

TEST_P(TlsSessionTest, ReportsWhatWasNegotiated) {
  Conversation talk(server_, context_);
  expect_true(talk.handshake());
  const TlsFacts facts = talk.client().facts();
  EXPECT_EQ(facts.protocol, tls12() ? "TLSv1.2" : "TLSv1.3");
  EXPECT_THAT(facts.cipher, HasSubstr("GCM"));
  EXPECT_EQ(facts.alpn, "");
  EXPECT_FALSE(facts.resumed);
  EXPECT_EQ(facts.verification, TlsFailure::none);
  ASSERT_TRUE(facts.certificate);
  EXPECT_EQ(facts.certificate->subject, "CN=test");
  EXPECT_EQ(facts.certificate->issuer, "CN=test authority");
  EXPECT_EQ(facts.certificate->sha256.size(), 64u);
  EXPECT_EQ(facts.certificate->not_after.seconds - facts.certificate->not_before.seconds, 7200);
}

TEST_P(TlsSessionTest, WorksByteByByte) {
  Conversation talk(server_, context_);
  talk.in_pieces_of(1);
  expect_true(talk.handshake());
  ASSERT_TRUE(talk.client().encrypt(as_bytes("question")));
  EXPECT_EQ(talk.server_reads().value(), "question");
  talk.server().encrypt("answer");
  talk.server().say_goodbye();
  EXPECT_EQ(talk.client_reads().value(), "answer");
  EXPECT_TRUE(talk.client().ended());
}

TEST_P(TlsSessionTest, IsNeverCompleteWhenCutShort) {
  std::size_t whole = 0;
  {
    Conversation talk(server_, context_, {.server_name = "server.example"});
    expect_true(talk.handshake());
    talk.server().encrypt("answer");
    talk.server().say_goodbye();
    EXPECT_EQ(talk.client_reads().value(), "answer");
    EXPECT_TRUE(talk.client().ended());
    whole = talk.carried();
  }
  for (std::size_t at = 0; at < whole; ++at) {
    SCOPED_TRACE("cut after byte " + std::to_string(at) + " of " + std::to_string(whole));
    Conversation talk(server_, context_, {.server_name = "server.example"});
    talk.cut_after(at);
    const auto shaken = talk.handshake();
    ASSERT_TRUE(shaken) << shaken.error().to_string();
    if (!*shaken) continue;
    talk.server().encrypt("answer");
    talk.server().say_goodbye();
    const auto text = talk.client_reads();
    ASSERT_TRUE(text) << text.error().to_string();
    EXPECT_TRUE(*text == "" || *text == "answer");
    ASSERT_FALSE(talk.client().ended());
  }
}

TEST_P(TlsSessionTest, CarriesMegabytesThroughLittleRoom) {
  Conversation talk(server_, context_);
  expect_true(talk.handshake());
  std::string large(3 << 20, 'x');
  for (std::size_t i = 0; i < large.size(); i += 251) large[i] = static_cast<char>(i);
  talk.server().encrypt(large);
  talk.server().say_goodbye();
  talk.in_pieces_of(50'000).with_room_for(10'000);
  EXPECT_TRUE(talk.client_reads().value() == large);
  EXPECT_TRUE(talk.client().ended());

  ASSERT_TRUE(talk.client().encrypt(as_bytes(large)));
  EXPECT_TRUE(talk.server_reads().value() == large);
}

TEST_P(TlsSessionTest, SaysGoodbye) {
  Conversation talk(server_, context_);
  expect_true(talk.handshake());
  ASSERT_TRUE(talk.client().encrypt(as_bytes("last words")));
  talk.client().say_goodbye();
  EXPECT_EQ(talk.server_reads().value(), "last words");
  EXPECT_TRUE(talk.server().ended());
}

TEST_P(TlsSessionTest, ReturnsTheBytesBeforeAnInvalidRecord) {
  Conversation talk(server_, context_);
  expect_true(talk.handshake());
  talk.server().encrypt("good");
  const std::string good = talk.server().take_output();
  talk.server().encrypt("spoiled");
  std::string bad = talk.server().take_output();
  bad.back() = static_cast<char>(bad.back() ^ 1);
  std::vector<std::byte> room(1000);
  const auto first = talk.client().decrypt(as_bytes(good + bad), room);
  ASSERT_TRUE(first) << first.error().to_string();
  EXPECT_EQ(as_text(Bytes(room).first(first->size)), "good");
  EXPECT_FALSE(first->end);
  EXPECT_TRUE(talk.client().has_more());
  for (int again = 0; again < 2; ++again) {
    const auto second = talk.client().decrypt({}, room);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code(), Errc::tls_failed);
    EXPECT_THAT(second.error().to_string(), HasSubstr("bad record mac"));
  }
  EXPECT_FALSE(talk.client().encrypt(as_bytes("too late")));
}

TEST_P(TlsSessionTest, AgreesOnAProtocol) {
  TlsOptions options = world_.options();
  options.alpn = {"http/1.1"};
  Conversation one(server_, world_.context(options));
  expect_true(one.handshake());
  EXPECT_EQ(one.client().facts().alpn, "http/1.1");
  options.alpn = {"http/1.1", "h2"};  // the server's preference counts
  Conversation both(server_, world_.context(options));
  expect_true(both.handshake());
  EXPECT_EQ(both.client().facts().alpn, "h2");
  options.alpn = {"gopher"};
  Conversation none(server_, world_.context(options));
  expect_true(none.handshake());
  EXPECT_EQ(none.client().facts().alpn, "");
}

TEST_P(TlsSessionTest, OffersOnlyTheProtocolOfItsPeer) {
  TlsOptions options = world_.options();
  options.alpn = {"h2", "http/1.1"};
  for (const std::string protocol : {"http/1.1", "h2"}) {
    Conversation talk(server_, world_.context(options),
                      {.server_name = "server.example", .alpn = protocol});
    expect_true(talk.handshake());
    EXPECT_EQ(talk.client().alpn(), protocol);
  }
  Conversation either(server_, world_.context(options));
  expect_true(either.handshake());
  EXPECT_EQ(either.client().alpn(), "h2") << "without one, all of the settings";
}

TEST_P(TlsSessionTest, NamesTheServerUnlessItIsAnAddress) {
  Conversation named(server_, context_, {.server_name = "server.example."});
  expect_true(named.handshake());
  EXPECT_EQ(named.server().server_name(), "server.example");

  TestServer numbered(
      make_identity({.alternative_names = "IP:192.0.2.1,IP:2001:db8::1"}, &world_.authority),
      {.tls12 = tls12()});
  for (const char* address : {"192.0.2.1", "[2001:db8::1]"}) {
    Conversation talk(numbered, context_, {.server_name = address});
    expect_true(talk.handshake());
    EXPECT_EQ(talk.server().server_name(), "");
  }
  Conversation wrong(numbered, context_, {.server_name = "192.0.2.2"});
  const auto shaken = wrong.handshake();
  ASSERT_FALSE(shaken);
  EXPECT_EQ(tls_failure(shaken.error()), TlsFailure::wrong_name);
}

TEST_P(TlsSessionTest, RejectsInvalidNames) {
  for (const std::string& name :
       {std::string(), std::string("."), std::string("a\0b", 3), std::string(256, 'a')}) {
    const auto made = TlsSession::client(context_, {.server_name = name});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code(), Errc::invalid_argument);
  }
}

TEST_P(TlsSessionTest, CallsGarbageGarbage) {
  const std::string cases[] = {"HTTP/1.1 400 Bad Request\r\n\r\n", std::string(5, '\0'),
                               std::string("\x16\x03\x03\xff\xff") + std::string(1000, 'x'),
                               std::string("\x17\x03\x03\x00\x05hello", 10)};
  for (const std::string& garbage : cases) {
    Conversation talk(server_, context_);
    ASSERT_FALSE(talk.client().handshake({}).value());
    const auto done = talk.client().handshake(as_bytes(garbage));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code(), Errc::tls_failed);
    EXPECT_NE(tls_failure(done.error()), TlsFailure::none);
  }
}

TEST_P(TlsSessionTest, ReportsThePeersAlert) {
  Conversation talk(server_, context_);
  ASSERT_FALSE(talk.client().handshake({}).value());
  const std::string alert("\x15\x03\x03\x00\x02\x02\x28", 7);
  const auto done = talk.client().handshake(as_bytes(alert));
  ASSERT_FALSE(done);
  EXPECT_EQ(tls_failure(done.error()), TlsFailure::alert);
  EXPECT_EQ(done.error().detail(), "the peer sent an alert: handshake failure");
}

TEST_P(TlsSessionTest, CutsAnEndlessHandshake) {
  Conversation talk(server_, context_);
  ASSERT_FALSE(talk.client().handshake({}).value());
  // Records of a handshake message that never ends.
  const std::string record =
      std::string("\x16\x03\x03\x40\x00\x02\x01\xff\xff", 9) + std::string(16 * 1024 - 4, '\0');
  std::size_t fed = 0;
  for (;;) {
    const auto done = talk.client().handshake(as_bytes(record));
    fed += record.size();
    if (!done) break;
    ASSERT_FALSE(*done);
    ASSERT_LE(fed, TlsSession::kHandshakeBytesMax);
  }
}

TEST_P(TlsSessionTest, ShowsItsCertificate) {
  const TestIdentity client = make_identity({.common_name = "a client"}, &world_.authority);
  const TestFile certificate(client.certificate_pem());
  const TestFile key(client.key_pem());
  TestServer strict(world_.identity, {.tls12 = tls12(), .client_authority = &world_.authority});
  TlsOptions options = world_.options();
  {
    Conversation talk(strict, world_.context(options));
    const auto shaken = talk.handshake();
    ASSERT_FALSE(shaken);
    // With TLS 1.3 the client finishes before the server has seen that there is no certificate.
    const auto told = talk.client_reads();
    EXPECT_EQ(tls_failure(tls12() ? shaken.error() : told.error()), TlsFailure::alert);
  }
  options.client_certificate_file = certificate.path();
  options.client_key_file = key.path();
  Conversation talk(strict, world_.context(options));
  expect_true(talk.handshake());
}

TEST(TlsSession, FreesNoBuffersInVersionsThatFreeThoseInUse) {
  EXPECT_FALSE(can_free_buffers(3, 0, 13));
  EXPECT_TRUE(can_free_buffers(3, 0, 14));
  EXPECT_FALSE(can_free_buffers(3, 1, 5));
  EXPECT_TRUE(can_free_buffers(3, 1, 6));
  EXPECT_FALSE(can_free_buffers(3, 3, 0));
  EXPECT_TRUE(can_free_buffers(3, 3, 1));
  EXPECT_TRUE(can_free_buffers(3, 4, 0));
  EXPECT_TRUE(can_free_buffers(4, 0, 0));
}

TEST(TlsSessionWith13, ChangesKeysOnRequest) {
  const TestWorld world;
  TestServer server(world.identity, {});
  Conversation talk(server, world.context());
  expect_true(talk.handshake());
  for (int round = 0; round < 5; ++round) {
    talk.server().ask_for_new_keys();
    talk.server().encrypt("new keys");
    EXPECT_EQ(talk.client_reads().value(), "new keys");
    ASSERT_TRUE(talk.client().encrypt(as_bytes("too")));
    EXPECT_EQ(talk.server_reads().value(), "too");
  }
}

TEST(TlsSessionWith13, CutsMessagesWithoutData) {
  const TestWorld world;
  TestServer server(world.identity, {});
  Conversation talk(server, world.context());
  expect_true(talk.handshake());
  std::vector<std::byte> room(1000);
  std::size_t fed = 0;
  for (;;) {
    talk.server().send_ticket();
    const std::string bytes = talk.server().take_output();
    fed += bytes.size();
    const auto decrypted = talk.client().decrypt(as_bytes(bytes), room);
    if (!decrypted) {
      EXPECT_EQ(decrypted.error().code(), Errc::over_limit);
      break;
    }
    ASSERT_EQ(decrypted->size, 0u);
    ASSERT_LE(fed, TlsSession::kIdleBytesMax + 2000);
  }
  EXPECT_GT(fed, TlsSession::kIdleBytesMax);
}

TEST(TlsSessionWith12, RejectsRenegotiation) {
  const TestWorld world;
  TestServer server(world.identity, {.tls12 = true});
  Conversation talk(server, world.context());
  expect_true(talk.handshake());
  ASSERT_TRUE(talk.server().ask_to_renegotiate());
  EXPECT_EQ(talk.client_reads().value(), "");
  const auto told = talk.server_reads();  // a warning, after which OpenSSL's server gives up
  ASSERT_FALSE(told);
  EXPECT_THAT(told.error().detail(), HasSubstr("renegotiation"));
}

TEST(TlsSessionWith13, RejectsOlderServersIfItIsRequired) {
  const TestWorld world;
  TestServer server(world.identity, {.tls12 = true});
  TlsOptions options = world.options();
  options.tls13_only = true;
  Conversation talk(server, world.context(options));
  ASSERT_FALSE(talk.client().handshake({}).value());
  EXPECT_FALSE(talk.server().handshake(talk.client_output()));
  const auto done = talk.client().handshake(as_bytes(talk.server().take_output()));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().detail(), "the peer sent an alert: protocol version");
}

}  // namespace
}  // namespace gossamer::net
