// Valid and invalid certificates, and the error for each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>
#include <tests/support/tls_test_conversation.h>

#include <string>

#include "net/tls_verdict.h"

namespace gossamer::net {
namespace {

struct BadCertificate {
  std::string name;
  TlsFailure failure;
  std::string detail;
  std::string alert;  // what the server receives
};

class TlsVerificationTest : public testing::TestWithParam<BadCertificate> {
 protected:
  TestIdentity identity() const {
    const TestIdentity* const issuer = &world_.authority;
    switch (GetParam().failure) {
      case TlsFailure::expired:
        return make_identity({.valid_from = -7200, .valid_until = -3600}, issuer);
      case TlsFailure::not_yet_valid:
        return make_identity({.valid_from = 3600, .valid_until = 7200}, issuer);
      case TlsFailure::wrong_name:
        return make_identity({.alternative_names = "DNS:other.example"}, issuer);
      case TlsFailure::self_signed: return make_identity({}, nullptr);
      case TlsFailure::unknown_issuer: return make_identity({}, &unknown_authority_);
      default: return make_identity({.alternative_names = "DNS:server.example"}, &no_authority_);
    }
  }

  TestWorld world_;
  TestIdentity unknown_authority_ = make_authority("an unknown authority");
  TestIdentity no_authority_ = make_identity({.common_name = "no authority"}, &world_.authority);
};

INSTANTIATE_TEST_SUITE_P(
    Of, TlsVerificationTest,
    testing::Values(BadCertificate{"Expired", TlsFailure::expired, "certificate has expired",
                                   "sslv3 alert certificate expired"},
                    BadCertificate{"NotYetValid", TlsFailure::not_yet_valid,
                                   "certificate is not yet valid", "sslv3 alert bad certificate"},
                    BadCertificate{"WrongName", TlsFailure::wrong_name,
                                   "certificate is for another name: hostname mismatch",
                                   "sslv3 alert bad certificate"},
                    BadCertificate{"SelfSigned", TlsFailure::self_signed,
                                   "certificate is self-signed", "tlsv1 alert unknown ca"},
                    BadCertificate{
                        "UnknownIssuer", TlsFailure::unknown_issuer,
                        "certificate has an unknown issuer: unable to get local issuer certificate",
                        "tlsv1 alert unknown ca"},
                    BadCertificate{"SignedByNoAuthority", TlsFailure::bad_certificate,
                                   "certificate is not acceptable: invalid CA certificate",
                                   "tlsv1 alert unknown ca"}),
    [](const auto& each) { return each.param.name; });

TEST_P(TlsVerificationTest, FailsWithTheReason) {
  const TestIdentity bad = identity();
  TestServer server(
      bad, {.intermediate =
                GetParam().failure == TlsFailure::bad_certificate ? &no_authority_ : nullptr});
  Conversation talk(server, world_.context());
  const auto shaken = talk.handshake();
  ASSERT_FALSE(shaken);
  EXPECT_EQ(shaken.error().code(), Errc::tls_failed);
  EXPECT_EQ(shaken.error().detail(), GetParam().detail);
  EXPECT_EQ(tls_failure(shaken.error()), GetParam().failure);
  EXPECT_EQ(talk.server_says(), GetParam().alert);
}

TEST_P(TlsVerificationTest, AcceptsAndReportsFaultsIfInsecure) {
  const TestIdentity bad = identity();
  TestServer server(
      bad, {.intermediate =
                GetParam().failure == TlsFailure::bad_certificate ? &no_authority_ : nullptr});
  TlsOptions options = world_.options();
  options.insecure = true;
  const auto context = world_.context(options);
  for (const bool resumed : {false, true}) {
    Conversation talk(server, context);
    const auto shaken = talk.handshake();
    ASSERT_TRUE(shaken) << shaken.error().to_string();
    talk.server().encrypt("answer");
    EXPECT_EQ(talk.client_reads().value(), "answer");
    EXPECT_EQ(talk.client().facts().resumed, resumed);
    EXPECT_EQ(talk.client().facts().verification, GetParam().failure);
  }
}

TEST(TlsVerification, TakesAChainThroughAnIntermediate) {
  const TestWorld world;
  const TestIdentity between = make_identity(
      {.common_name = "between", .alternative_names = "", .is_authority = true}, &world.authority);
  const TestIdentity leaf = make_identity({}, &between);
  TestServer whole(leaf, {.intermediate = &between});
  Conversation talk(whole, world.context());
  EXPECT_TRUE(talk.handshake().value());
  TestServer broken(leaf, {});
  Conversation other(broken, world.context());
  const auto shaken = other.handshake();
  ASSERT_FALSE(shaken);
  EXPECT_EQ(tls_failure(shaken.error()), TlsFailure::unknown_issuer);
}

TEST(TlsVerification, TakesWildcardsForOneLabelOnly) {
  const TestWorld world;
  const TestIdentity wild = make_identity(
      {.alternative_names = "DNS:*.shop.example,DNS:f*.partial.example"}, &world.authority);
  TestServer server(wild, {});
  const std::pair<const char*, bool> cases[] = {{"server.shop.example", true},
                                                {"a.server.shop.example", false},
                                                {"shop.example", false},
                                                {"foo.partial.example", false}};
  for (const auto& [name, fits] : cases) {
    Conversation talk(server, world.context(), {.server_name = name});
    EXPECT_EQ(talk.handshake().has_value(), fits) << name;
  }
}

TEST(TlsVerification, IgnoresTheCommonName) {
  const TestWorld world;
  TestServer server(
      make_identity({.common_name = "server.example", .alternative_names = ""}, &world.authority),
      {});
  Conversation talk(server, world.context());
  const auto shaken = talk.handshake();
  ASSERT_FALSE(shaken);
  EXPECT_EQ(tls_failure(shaken.error()), TlsFailure::wrong_name);
}

TEST(TlsVerification, UsesTheTimeItIsGiven) {
  const TestWorld world;
  TestServer server(world.identity, {});
  TlsOptions options = world.options();
  options.verification_time = WallTime{.seconds = 4'000'000'000, .nanoseconds = 0};
  Conversation talk(server, world.context(options));
  const auto shaken = talk.handshake();
  ASSERT_FALSE(shaken);
  EXPECT_EQ(tls_failure(shaken.error()), TlsFailure::expired);
}

TEST(TlsVerification, TrustsNobodyWithoutAFile) {
  const TestWorld world;
  TestServer server(world.identity, {});
  Conversation talk(server, world.context({.trust_system = false}));
  EXPECT_FALSE(talk.handshake());
}

TEST(TlsVerification, ACertificateOfTheClientNeedsItsKey) {
  const TestWorld world;
  const TestFile certificate(world.identity.certificate_pem());
  const TestFile key(world.identity.key_pem());
  TlsOptions options = world.options();
  options.client_certificate_file = certificate.path();
  EXPECT_EQ(TlsContext::make(options).error(), Errc::invalid_argument);
  options.client_key_file = key.path();
  EXPECT_TRUE(TlsContext::make(options));
  options.client_certificate_file.clear();
  const auto made = TlsContext::make(options);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().detail(),
            "a client certificate requires two files, the certificate and its key");
}

TEST(TlsVerdict, HasAWordForEveryResult) {
  EXPECT_EQ(failure_of_verification(X509_V_OK), TlsFailure::none);
  EXPECT_EQ(failure_of_verification(X509_V_ERR_CERT_REVOKED), TlsFailure::revoked);
  EXPECT_EQ(failure_of_verification(X509_V_ERR_EE_KEY_TOO_SMALL), TlsFailure::weak);
  EXPECT_EQ(failure_of_verification(X509_V_ERR_CERT_SIGNATURE_FAILURE),
            TlsFailure::bad_certificate);
  for (long result = 1; result < 100; ++result) {
    const Error error = verification_error(result);
    EXPECT_EQ(error.code(), Errc::tls_failed);
    EXPECT_EQ(tls_failure(error), failure_of_verification(result)) << error.to_string();
  }
}

TEST(TlsFailureWords, AreDistinguishedByTheDetail) {
  for (int i = 1; i <= static_cast<int>(TlsFailure::protocol); ++i) {
    const auto failure = static_cast<TlsFailure>(i);
    EXPECT_EQ(tls_failure(Error(Errc::tls_failed, std::string(text(failure)) + ": why")), failure);
    EXPECT_EQ(tls_failure(Error(Errc::reset, std::string(text(failure)))), TlsFailure::none);
    EXPECT_FALSE(name(failure).empty());
  }
}

}  // namespace
}  // namespace gossamer::net
