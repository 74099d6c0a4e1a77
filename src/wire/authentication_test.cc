#include "wire/authentication.h"

#include <vector>

namespace gossamer::wire {
namespace {

TEST(AuthenticationTest, ReadsSeveralChallengesOfOneHeader) {
  const auto challenges = parse_challenges(
      "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\", "
      "Negotiate, NTLM TlRMTVNTUAAB==");
  ASSERT_EQ(challenges.size(), 4U);
  EXPECT_EQ(challenges[0].scheme, "newauth");
  EXPECT_EQ(challenges[0].parameter("title"), "Login to \"apps\"");
  EXPECT_EQ(challenges[0].parameter("type"), "1");
  EXPECT_EQ(challenges[1].scheme, "basic");
  EXPECT_EQ(challenges[1].parameter("realm"), "simple");
  EXPECT_EQ(challenges[2].scheme, "negotiate");
  EXPECT_EQ(challenges[3].token68, "TlRMTVNTUAAB==");
  EXPECT_TRUE(parse_challenges(" , ,\"x").empty());
}

TEST(AuthenticationTest, WritesBasic) {
  EXPECT_EQ(*basic_authorization({"Aladdin", "open sesame"}), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  EXPECT_EQ(*basic_authorization({"a", ""}), "Basic YTo=");
  EXPECT_EQ(basic_authorization({"a:b", ""}).error(), Errc::invalid_argument);
  EXPECT_EQ(basic_authorization({"a", "b\n"}).error(), Errc::invalid_argument);
}

// RFC 7616 section 3.9.1
constexpr std::string_view kNonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
constexpr std::string_view kClientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";

Challenge rfc_challenge(std::string_view algorithm) {
  return parse_challenges(
      "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=" +
      std::string(algorithm) + ", nonce=\"" + std::string(kNonce) +
      "\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"")[0];
}

std::string response_of(const Challenge& challenge) {
  const auto header = digest_authorization(
      challenge, {"Mufasa", "Circle of Life"},
      {.method = "GET", .target = "/dir/index.html", .client_nonce = kClientNonce});
  if (!header) return header.error().to_string();
  return std::string(*parse_challenges(*header)[0].parameter("response"));
}

TEST(AuthenticationTest, WritesTheDigestsOfTheStandard) {
  EXPECT_EQ(response_of(rfc_challenge("MD5")), "8ca523f5e9506fed4657c9700eebdbec");
  EXPECT_EQ(response_of(rfc_challenge("SHA-256")),
            "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1");
  const auto header = digest_authorization(
      rfc_challenge("MD5"), {"Mufasa", "Circle of Life"},
      {.method = "GET", .target = "/dir/index.html", .client_nonce = kClientNonce});
  EXPECT_TRUE(header->contains("qop=auth, nc=00000001"));
  EXPECT_TRUE(header->contains("opaque=\"FQhe"));
  EXPECT_FALSE(header->contains("Circle"));
}

TEST(AuthenticationTest, ReadsParametersWithBlanksAndChallengesWithout) {
  const auto challenges = parse_challenges("Digest realm = \"a\" , nonce\t=\tb,, Basic , Other x=");
  ASSERT_EQ(challenges.size(), 3U);
  EXPECT_EQ(challenges[0].parameter("realm"), "a");
  EXPECT_EQ(challenges[0].parameter("nonce"), "b");
  EXPECT_EQ(challenges[1].scheme, "basic");
  EXPECT_EQ(challenges[1].parameter("realm"), std::nullopt);
  EXPECT_EQ(challenges[2].scheme, "other");
  const auto tokens = parse_challenges("A abc/d==, B e=f, C g");
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[0].token68, "abc/d==");
  EXPECT_EQ(tokens[1].parameter("e"), "f");
  EXPECT_EQ(tokens[2].token68, "g");
}

// RFC 7616 section 3.4: the algorithm is that of the challenge, and must be sent back.
TEST(AuthenticationTest, NamesTheAlgorithmOfTheChallenge) {
  const auto header = [](std::string_view challenge) {
    return *digest_authorization(parse_challenges(challenge)[0], {"u", "p"},
                                 {.method = "GET", .target = "/", .client_nonce = "c"});
  };
  EXPECT_TRUE(header("Digest realm=a, nonce=b, algorithm=SHA-256").contains("algorithm=SHA-256"));
  EXPECT_FALSE(header("Digest realm=a, nonce=b").contains("algorithm="));
  EXPECT_FALSE(header("Digest realm=a, nonce=b").contains("cnonce=")) << "RFC 2069 has none";
  EXPECT_TRUE(header("Digest realm=a, nonce=b, algorithm=MD5-sess").contains("cnonce="));
  EXPECT_FALSE(header("Digest realm=a, nonce=b").contains("opaque="));
}

TEST(AuthenticationTest, RejectsUnknownDigests) {
  const auto answer = [](std::string_view challenge) {
    return digest_authorization(parse_challenges(challenge)[0], {"a", "b"}, {.method = "GET"})
        .error()
        .code();
  };
  EXPECT_EQ(answer("Digest realm=a, nonce=b, algorithm=SHA-512-256"), Errc::unsupported);
  EXPECT_EQ(answer("Digest realm=a, nonce=b, qop=auth-int"), Errc::unsupported);
  EXPECT_EQ(answer("Digest realm=a"), Errc::malformed);
}

TEST(AuthenticationTest, ChoosesTheStrongestThatItCanAnswer) {
  const auto challenges = parse_challenges(
      "Basic realm=x, Digest realm=x, nonce=y, Digest realm=x, nonce=z, algorithm=SHA-256, "
      "Negotiate");
  const Challenge* best = choose_challenge(challenges);
  ASSERT_NE(best, nullptr);
  EXPECT_EQ(best->parameter("nonce"), "z");
  EXPECT_EQ(choose_challenge(parse_challenges("Negotiate")), nullptr);
}

}  // namespace
}  // namespace gossamer::wire
