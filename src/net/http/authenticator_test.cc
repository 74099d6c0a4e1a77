#include "http/authenticator.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::http {
namespace {

Request request_to(const std::string& url) {
  Request request;
  request.url = *url::Url::parse(url);
  return request;
}

wire::ResponseHead challenge(const std::string& value) {
  return *wire::ResponseHead::parse(
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: " + value + "\r\n\r\n", 100);
}

// Empty: none.
std::string authorization(const Request& request) {
  std::string found;
  for (const Field& field : request.fields) {
    if (field.name == "Authorization") found += field.value;
  }
  return found;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class AuthenticatorTest : public testing::Test {
 protected:
  static CredentialStore store() {
    CredentialStore store;
    store.add(*url::Url::parse("https://a.example/"), {"jan", "word"});
    return store;
  }
  std::string told(const std::string& url) {
    Request request = request_to(url);
    authenticator_.authorize(request);
    return authorization(request);
  }

  int nonces_ = 0;
  Authenticator authenticator_{store(), [this] { return "mine" + std::to_string(++nonces_); }};
};

constexpr const char* kDigest = "Digest realm=\"r\", nonce=\"n1\", qop=\"auth\", algorithm=SHA-256";

TEST_F(AuthenticatorTest, SaysNothingUnasked) {
  EXPECT_EQ(told("https://a.example/"), "");
  Request request = request_to("https://a.example/x/y");
  EXPECT_TRUE(authenticator_.answer(request, challenge("Basic realm=\"r\"")));
  EXPECT_EQ(authorization(request), "Basic amFuOndvcmQ=");
}

TEST_F(AuthenticatorTest, BasicHoldsForTheFolderAndAllBelow) {
  Request request = request_to("https://a.example/x/y");
  ASSERT_TRUE(authenticator_.answer(request, challenge("Basic realm=\"r\"")));
  EXPECT_NE(told("https://a.example/x/"), "");
  EXPECT_NE(told("https://a.example/x/z/w?q"), "");
  EXPECT_EQ(told("https://a.example/other"), "");
  EXPECT_EQ(told("https://a.example/xy"), "");
}

TEST_F(AuthenticatorTest, SendsThePasswordToNoOtherOrigin) {
  Request request = request_to("https://a.example/");
  ASSERT_TRUE(authenticator_.answer(request, challenge("Basic realm=\"r\"")));
  for (const char* other : {"http://a.example/", "https://a.example:8443/", "https://b.example/",
                            "https://sub.a.example/", "https://a.example.evil.example/"}) {
    EXPECT_EQ(told(other), "") << other;
    Request asked = request_to(other);
    EXPECT_FALSE(authenticator_.answer(asked, challenge("Basic realm=\"r\""))) << other;
    EXPECT_EQ(authorization(asked), "") << other;
  }
}

TEST_F(AuthenticatorTest, CountsTheUsesOfANonce) {
  Request request = request_to("https://a.example/x/y");
  ASSERT_TRUE(authenticator_.answer(request, challenge(kDigest)));
  EXPECT_TRUE(has(authorization(request), "Digest ")) << authorization(request);
  EXPECT_TRUE(has(authorization(request), "nc=00000001")) << authorization(request);
  EXPECT_FALSE(has(authorization(request), "word"));
  EXPECT_TRUE(has(told("https://a.example/anywhere"), "nc=00000002"));
  EXPECT_TRUE(has(told("https://a.example/"), "nc=00000003"));
  EXPECT_EQ(nonces_, 3) << "a new one for every request";
}

TEST_F(AuthenticatorTest, DigestHoldsWhereTheServerSays) {
  Request request = request_to("https://a.example/x/y");
  const std::string domain = std::string(kDigest) + ", domain=\"/x/ https://b.example/ /z\"";
  ASSERT_TRUE(authenticator_.answer(request, challenge(domain)));
  EXPECT_NE(told("https://a.example/x/1"), "");
  EXPECT_NE(told("https://a.example/z/1"), "");
  EXPECT_EQ(told("https://a.example/"), "");
  EXPECT_EQ(told("https://b.example/"), "");
}

TEST_F(AuthenticatorTest, KeepsTheRealmsOfAServerApart) {
  Request basic = request_to("https://a.example/x/y");
  Request digest = request_to("https://a.example/z");
  ASSERT_TRUE(authenticator_.answer(digest, challenge(kDigest)));
  ASSERT_TRUE(authenticator_.answer(basic, challenge("Basic realm=\"r\"")));
  EXPECT_TRUE(told("https://a.example/x/2").starts_with("Basic "));
  EXPECT_TRUE(told("https://a.example/z/2").starts_with("Digest "));
}

TEST_F(AuthenticatorTest, DoesNotRepeatARejectedPassword) {
  for (const char* text : {"Basic realm=\"r\"", kDigest}) {
    Authenticator authenticator(store(), [] { return std::string("mine"); });
    Request request = request_to("https://a.example/");
    ASSERT_TRUE(authenticator.answer(request, challenge(text)));
    EXPECT_FALSE(authenticator.answer(request, challenge(text)));
    Request next = request_to("https://a.example/next");
    authenticator.authorize(next);
    EXPECT_EQ(authorization(next), "");
    EXPECT_FALSE(authenticator.answer(next, challenge(text))) << text;
  }
}

TEST_F(AuthenticatorTest, TakesANewNonceWhenTheOldOneIsStale) {
  Request first = request_to("https://a.example/");
  ASSERT_TRUE(authenticator_.answer(first, challenge(kDigest)));
  const std::string renewed = "Digest realm=\"r\", nonce=\"n2\", qop=\"auth\", algorithm=SHA-256";
  EXPECT_FALSE(authenticator_.answer(first, challenge(renewed))) << "that was its first use";

  Authenticator other(store(), [] { return std::string("mine"); });
  Request asked = request_to("https://a.example/");
  ASSERT_TRUE(other.answer(asked, challenge(kDigest)));
  // Several requests were in flight when the nonce expired, and each gets a new one.
  Request second = request_to("https://a.example/2");
  Request third = request_to("https://a.example/3");
  other.authorize(second);
  other.authorize(third);
  EXPECT_TRUE(other.answer(second, challenge(renewed)));
  EXPECT_TRUE(has(authorization(second), "nonce=\"n2\"")) << authorization(second);
  EXPECT_TRUE(other.answer(third, challenge("Digest realm=\"r\", nonce=\"n3\", qop=\"auth\"")));
  EXPECT_TRUE(has(authorization(third), "nonce=\"n3\"")) << authorization(third);
  EXPECT_TRUE(other.answer(third, challenge(renewed + ", stale=TRUE")));
}

// RFC 7616 section 3.4: nc is the number of requests with this nonce.
TEST_F(AuthenticatorTest, CountsFromOneForANewNonce) {
  Request first = request_to("https://a.example/");
  ASSERT_TRUE(authenticator_.answer(first, challenge(kDigest)));
  Request second = request_to("https://a.example/2");
  authenticator_.authorize(second);
  EXPECT_TRUE(has(authorization(second), "nc=00000002"));
  ASSERT_TRUE(authenticator_.answer(
      second, challenge("Digest realm=\"r\", nonce=\"n2\", qop=\"auth\", stale=true")));
  EXPECT_TRUE(has(authorization(second), "nc=00000001")) << authorization(second);
  EXPECT_TRUE(has(told("https://a.example/3"), "nc=00000002"));
}

TEST_F(AuthenticatorTest, ForgetsTheFoldersOfAnOldChallenge) {
  Request request = request_to("https://a.example/x/y");
  ASSERT_TRUE(authenticator_.answer(request, challenge(std::string(kDigest) + ", domain=\"/x/\"")));
  EXPECT_NE(told("https://a.example/x/1"), "");
  ASSERT_TRUE(authenticator_.answer(
      request,
      challenge("Digest realm=\"r\", nonce=\"n2\", qop=\"auth\", stale=true, domain=\"/z/\"")));
  EXPECT_EQ(told("https://a.example/x/1"), "");
  EXPECT_NE(told("https://a.example/z/1"), "");
}

TEST_F(AuthenticatorTest, HasABoundForFolders) {
  const auto url = [](int i) { return "https://a.example/f" + std::to_string(i) + "/"; };
  for (int i = 0; i < 257; ++i) {
    Request request = request_to(url(i));
    EXPECT_TRUE(authenticator_.answer(request, challenge("Basic realm=\"r\"")));
    EXPECT_NE(authorization(request), "") << "answered anyway";
  }
  EXPECT_NE(told(url(0)), "");
  EXPECT_NE(told(url(255)), "");
  EXPECT_EQ(told(url(256)), "");
}

TEST_F(AuthenticatorTest, HasABoundForRealms) {
  const auto url = [](int i) { return "https://a.example/r" + std::to_string(i) + "/"; };
  const auto answer = [&](int i) {
    Request request = request_to(url(i));
    return authenticator_.answer(request, challenge("Basic realm=\"r" + std::to_string(i) + "\""));
  };
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(answer(i));
  EXPECT_NE(told(url(0)), "");
  EXPECT_TRUE(answer(16));
  EXPECT_EQ(told(url(0)), "") << "the others are forgotten";
  EXPECT_NE(told(url(16)), "");
}

TEST_F(AuthenticatorTest, AnswersDigestAfterBasic) {
  Request request = request_to("https://a.example/");
  request.fields.push_back({"authorization", "Basic amFuOndvcmQ="});
  ASSERT_TRUE(authenticator_.answer(request, challenge(kDigest)));
  ASSERT_EQ(request.fields.size(), 1u);
  EXPECT_TRUE(request.fields[0].value.starts_with("Digest "));
}

TEST_F(AuthenticatorTest, LeavesWhatItDoesNotUnderstand) {
  for (const char* text : {"Bearer", "Digest realm=\"r\"", "", "Negotiate abc",
                           "Digest realm=\"r\", nonce=\"n\", algorithm=NONE"}) {
    Request request = request_to("https://a.example/");
    EXPECT_FALSE(authenticator_.answer(request, challenge(text))) << text;
    EXPECT_EQ(authorization(request), "") << text;
  }
}

}  // namespace
}  // namespace gossamer::http
