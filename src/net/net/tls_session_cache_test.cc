#include "net/tls_session_cache.h"

#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <tests/support/tls_test_conversation.h>

#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace gossamer::net {
namespace {

SslSession session_of(int version) {
  SslSession session(SSL_SESSION_new());
  SSL_SESSION_set_protocol_version(session.get(), version);
  return session;
}

TEST(TlsSessionCache, GivesATicketOutOnceTheNewestFirst) {
  TlsSessionCache cache(10);
  SslSession first = session_of(TLS1_3_VERSION);
  SslSession second = session_of(TLS1_3_VERSION);
  const SSL_SESSION* const second_is = second.get();
  cache.put("a", std::move(first));
  cache.put("a", std::move(second));
  EXPECT_EQ(cache.origins(), 1u);
  EXPECT_EQ(cache.take("b"), nullptr);
  EXPECT_EQ(cache.take("a").get(), second_is);
  EXPECT_NE(cache.take("a"), nullptr);
  EXPECT_EQ(cache.take("a"), nullptr);
  EXPECT_EQ(cache.origins(), 0u);
}

TEST(TlsSessionCache, GivesASessionOfTls12OutAgainAndAgain) {
  TlsSessionCache cache(10);
  cache.put("a", session_of(TLS1_2_VERSION));
  const SslSession newer = session_of(TLS1_2_VERSION);
  SSL_SESSION_up_ref(newer.get());
  cache.put("a", SslSession(newer.get()));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(cache.take("a"), newer);
}

TEST(TlsSessionCache, IsBounded) {
  TlsSessionCache cache(3);
  for (const char* key : {"a", "b", "c"}) {
    for (int i = 0; i < 10; ++i) cache.put(key, session_of(TLS1_3_VERSION));
  }
  EXPECT_NE(cache.take("a"), nullptr);  // used: b is the oldest now
  cache.put("d", session_of(TLS1_3_VERSION));
  EXPECT_EQ(cache.origins(), 3u);
  EXPECT_EQ(cache.take("b"), nullptr);
  std::size_t left = 0;
  while (cache.take("c") != nullptr) ++left;
  EXPECT_EQ(left, TlsSessionCache::kPerOrigin);
  cache.clear();
  EXPECT_EQ(cache.take("d"), nullptr);

  TlsSessionCache none(0);
  none.put("a", session_of(TLS1_3_VERSION));
  EXPECT_EQ(none.origins(), 0u);
}

TEST(TlsSessionCache, ForgetsTheOriginThatWasNotSeenForTheLongestTime) {
  TlsSessionCache cache(2);
  for (const char* key : {"a", "b", "a", "c"}) cache.put(key, session_of(TLS1_3_VERSION));
  EXPECT_EQ(cache.take("b"), nullptr);
  EXPECT_NE(cache.take("a"), nullptr);
  EXPECT_NE(cache.take("c"), nullptr);
}

class TlsResumptionTest : public testing::TestWithParam<bool> {
 protected:
  // One connection; returns whether it resumed an earlier session.
  bool resumes(TlsPeer peer = test_peer()) {
    Conversation talk(server_, context_, std::move(peer));
    const auto shaken = talk.handshake();
    EXPECT_TRUE(shaken) << shaken.error().to_string();
    talk.server().encrypt("answer");
    EXPECT_EQ(talk.client_reads().value(), "answer");
    const TlsFacts facts = talk.client().facts();
    EXPECT_EQ(facts.resumed, talk.server().resumed());
    EXPECT_EQ(facts.verification, TlsFailure::none);
    EXPECT_TRUE(facts.certificate && facts.certificate->subject == "CN=test");
    return facts.resumed;
  }

  TestWorld world_;
  TestIdentity identity_ = make_identity(
      {.alternative_names = "DNS:server.example,DNS:alias.example"}, &world_.authority);
  TestServer server_{identity_, {.tls12 = GetParam()}};
  std::shared_ptr<TlsContext> context_ = world_.context();
};

INSTANTIATE_TEST_SUITE_P(With, TlsResumptionTest, testing::Values(false, true),
                         [](const auto& with) { return with.param ? "Tls12" : "Tls13"; });

TEST_P(TlsResumptionTest, ResumesAgainAndAgainWithoutGoodbyes) {
  EXPECT_FALSE(resumes());
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(resumes());
  EXPECT_EQ(context_->session_origins(), 1u);
  context_->forget_sessions();
  EXPECT_FALSE(resumes());
}

TEST_P(TlsResumptionTest, KeepsKeysNamesAndContextsApart) {
  EXPECT_FALSE(resumes());
  EXPECT_FALSE(resumes({.server_name = "server.example", .session_key = "another"}));
  EXPECT_FALSE(resumes({.server_name = "alias.example", .session_key = "origin"}));
  EXPECT_FALSE(resumes({.server_name = "server.example", .session_key = ""}));
  EXPECT_TRUE(resumes());
  EXPECT_EQ(context_->session_origins(), 3u);
  context_ = world_.context();
  EXPECT_FALSE(resumes());
}

TEST_P(TlsResumptionTest, StartsAnewWhenTheServerForgot) {
  EXPECT_FALSE(resumes());
  TestServer other(identity_, {.tls12 = GetParam()});
  Conversation talk(other, context_);
  ASSERT_TRUE(talk.handshake().value());
  EXPECT_FALSE(talk.client().facts().resumed);
}

// The time of day in the sessions is OpenSSL's.
WallTime now() { return {.seconds = std::time(nullptr)}; }

TEST_P(TlsResumptionTest, ALaterProcessResumes) {
  EXPECT_FALSE(resumes());
  EXPECT_FALSE(resumes({.server_name = "alias.example", .session_key = "another"}));
  const std::vector<TlsTicket> tickets = context_->take_tickets(now());
  EXPECT_EQ(context_->session_origins(), 0u) << "no ticket is used twice";
  ASSERT_EQ(tickets.size(), 2u);
  EXPECT_EQ(tickets[0].host, "alias.example") << "the most recently used first";
  EXPECT_GT(tickets[1].expires, now());
  EXPECT_LE(tickets[1].expires, now() + TlsContext::kTicketLifeMax);

  context_ = world_.context();
  context_->remember(tickets[1], now());
  EXPECT_FALSE(resumes({.server_name = "server.example", .session_key = "another"}));
  EXPECT_FALSE(resumes({.server_name = "alias.example", .session_key = "origin"}));
  EXPECT_TRUE(resumes()) << "the certificate is still known";
}

// A server sends new tickets when a session is resumed, without a check of its certificate.
TEST_P(TlsResumptionTest, AResumedSessionLivesNoLongerThanTheOneBefore) {
  EXPECT_FALSE(resumes());
  std::vector<TlsTicket> tickets = context_->take_tickets(now());
  ASSERT_EQ(tickets.size(), 1u);
  tickets[0].expires = now() + 1min;
  context_ = world_.context();
  context_->remember(tickets[0], now());
  EXPECT_TRUE(resumes());
  const std::vector<TlsTicket> later = context_->take_tickets(now());
  ASSERT_EQ(later.size(), 1u);
  EXPECT_LE(later[0].expires, tickets[0].expires);
}

TEST_P(TlsResumptionTest, ALaterProcessChecksWhatItWasGiven) {
  EXPECT_FALSE(resumes());
  const std::vector<TlsTicket> tickets = context_->take_tickets(now());
  ASSERT_EQ(tickets.size(), 1u);
  context_->remember(tickets[0], tickets[0].expires);
  EXPECT_EQ(context_->session_origins(), 0u) << "it has expired";
  TlsTicket broken = tickets[0];
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, broken.session.size() / 2}) {
    broken.session.resize(size);
    context_->remember(broken, now());
    EXPECT_EQ(context_->session_origins(), 0u) << size;
    broken = tickets[0];
  }
  TlsOptions careless = world_.options();
  careless.insecure = true;
  context_ = world_.context(careless);
  context_->remember(tickets[0], now());
  EXPECT_FALSE(resumes());
  EXPECT_TRUE(context_->take_tickets(now()).empty()) << "its certificate counts as unchecked";
}

TEST(TlsContext, RejectsInvalidFiles) {
  const TestWorld world;
  const TestFile garbage("garbage");
  const TestFile certificate(world.identity.certificate_pem());
  const TestFile other_key(world.authority.key_pem());
  const TlsOptions cases[] = {
      {.ca_file = "/nowhere/ca.pem"},
      {.ca_file = garbage.path()},
      {.client_certificate_file = certificate.path()},
      {.client_certificate_file = certificate.path(), .client_key_file = garbage.path()},
      {.client_certificate_file = certificate.path(), .client_key_file = other_key.path()},
      {.client_certificate_file = garbage.path(), .client_key_file = other_key.path()},
      {.alpn = {""}},
      {.alpn = {std::string(256, 'x')}},
  };
  for (const TlsOptions& options : cases) {
    const auto made = TlsContext::make(options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code(), Errc::invalid_argument) << made.error().to_string();
  }
  EXPECT_EQ(TlsContext::make(cases[0]).error().message(),
            "cannot load /nowhere/ca.pem: No such file or directory, in the TLS settings");
  EXPECT_EQ(TlsContext::make({.key_log_file = "/nowhere/keys"}).error().code(), Errc::not_found);
}

TEST(TlsContext, LogsKeysIfConfigured) {
  const TestWorld world;
  TestServer server(world.identity, {});
  const TestFile log("");
  TlsOptions options = world.options();
  options.key_log_file = log.path();
  Conversation talk(server, world.context(options));
  ASSERT_TRUE(talk.handshake().value());
  EXPECT_NE(log.read().find("CLIENT_TRAFFIC_SECRET_0 "), std::string::npos);
  EXPECT_NE(log.read().find("SERVER_HANDSHAKE_TRAFFIC_SECRET "), std::string::npos);
}

}  // namespace
}  // namespace gossamer::net
