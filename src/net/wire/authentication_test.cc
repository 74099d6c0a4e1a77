#include "wire/authentication.h"

#include <algorithm>
#include <memory>
#include <string>
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

TEST(AuthenticationTest, WritesBase64OfEveryLength) {
  EXPECT_EQ(*basic_authorization({"", ""}), "Basic Og==");
  EXPECT_EQ(*basic_authorization({"", "o"}), "Basic Om8=");
  EXPECT_EQ(*basic_authorization({"", "oo"}), "Basic Om9v");
  EXPECT_EQ(*basic_authorization({"", "\xFF\xFE\xFD"}), "Basic Ov/+/Q==");
}

TEST(AuthenticationTest, ReadsABoundedNumberOfChallengesAndParameters) {
  std::string many;
  for (int i = 0; i < 20; ++i) many += "Scheme" + std::to_string(i) + ", ";
  const auto challenges = parse_challenges(many);
  ASSERT_EQ(challenges.size(), 16U);
  EXPECT_EQ(challenges.back().scheme, "scheme15");
  std::string parameters = "Digest ";
  for (int i = 0; i < 40; ++i) parameters += "p" + std::to_string(i) + "=" + "v, ";
  const auto one = parse_challenges(parameters);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].parameters.size(), 32U);
  EXPECT_EQ(one[0].parameter("p31"), "v");
}

// RFC 7616 section 3.4.2: A1 of a session contains both nonces.
TEST(AuthenticationTest, WritesTheDigestOfASession) {
  const auto header = digest_authorization(
      parse_challenges("Digest realm=\"r\", nonce=\"n\", algorithm=MD5-sess, qop=auth")[0],
      {"u", "p"}, {.method = "GET", .target = "/", .client_nonce = "c"});
  ASSERT_TRUE(header);
  // MD5(MD5(MD5("u:r:p") ":n:c") ":n:00000001:c:auth:" MD5("GET:/"))
  EXPECT_TRUE(header->contains("response=\"6e4aac8b22e97762f88ccd0d5ccf5b1d\"")) << *header;
  EXPECT_TRUE(header->contains("algorithm=MD5-sess"));
}

TEST(AuthenticationTest, WritesTheDigestOfRfc2069) {
  for (const char* const qop : {"", ", qop=\"\"", ", qop=\" \""}) {
    const auto header = digest_authorization(
        parse_challenges("Digest realm=\"r\", nonce=\"n\"" + std::string(qop))[0], {"u", "p"},
        {.method = "GET", .target = "/", .client_nonce = "c"});
    ASSERT_TRUE(header);
    // MD5(MD5("u:r:p") ":n:" MD5("GET:/"))
    EXPECT_TRUE(header->contains("response=\"f23121ca97143c6b358da620220c83b4\"")) << *header;
    EXPECT_FALSE(header->contains("qop")) << *header;
  }
}

TEST(AuthenticationTest, QuotesAndChecksWhatItSends) {
  const Challenge challenge = parse_challenges(R"(Digest realm="a\"b\\c", nonce=n)")[0];
  const auto written = digest_authorization(challenge, {"u\"", "p"},
                                            {.method = "GET", .target = "/", .client_nonce = "c"});
  EXPECT_TRUE(written->starts_with(R"(Digest username="u\"", realm="a\"b\\c", nonce="n")"))
      << *written;
  const auto error_of = [&](const Credentials& credentials, const DigestRequest& request) {
    return digest_authorization(challenge, credentials, request).error().code();
  };
  EXPECT_EQ(error_of({"u\n", "p"}, {.method = "GET", .target = "/"}), Errc::invalid_argument);
  EXPECT_EQ(error_of({"u", "p"}, {.method = "GET", .target = "/\r"}), Errc::invalid_argument);
  EXPECT_EQ(error_of({"u", "p"}, {.method = "GET", .target = "/", .client_nonce = "\x01"}),
            Errc::invalid_argument);
  EXPECT_TRUE(digest_authorization(challenge, {"u", "\n"}, {.method = "GET", .target = "/"}))
      << "the password is only hashed";
  EXPECT_EQ(basic_authorization({"u\n", ""}).error(), Errc::invalid_argument);
  const auto no_nonce = parse_challenges("Digest nonce=n");
  EXPECT_EQ(digest_authorization(no_nonce[0], {"u", "p"}, {.method = "GET"}).error(),
            Errc::malformed);
}

TEST(AuthenticationTest, ChoosesTheFirstOfEquallyStrongChallenges) {
  const auto chosen = [](std::string_view header) -> std::string {
    const auto challenges = parse_challenges(header);
    const Challenge* const best = choose_challenge(challenges);
    return best == nullptr ? "(none)" : std::string(best->parameter("realm").value_or(""));
  };
  EXPECT_EQ(chosen("Basic realm=a, Basic realm=b"), "a");
  EXPECT_EQ(chosen("Digest realm=a, nonce=n, Basic realm=b"), "a");
  EXPECT_EQ(chosen("Basic realm=b, Digest realm=a, nonce=n"), "a");
  EXPECT_EQ(chosen("Digest realm=a, algorithm=SHA-256, Digest realm=b, algorithm=MD5"), "a");
  EXPECT_EQ(chosen("Digest realm=a, algorithm=other, Basic realm=b"), "b");
  EXPECT_EQ(chosen("Digest realm=a, qop=auth-int, Basic realm=b"), "b");
  EXPECT_EQ(chosen("Digest realm=a, qop=\"auth-int, AUTH\", Basic realm=b"), "a");
  EXPECT_EQ(chosen("Digest realm=a, algorithm=SHA-256-sess, Digest realm=b"), "a");
}

TEST(AuthenticationTest, ReadsNoByteBehindTheHeader) {
  EXPECT_EQ(parse_challenges(std::string_view("Basicx").substr(0, 5))[0].scheme, "basic");
  const std::string text = R"(X a="b\)";
  const auto exact = std::make_unique<char[]>(text.size());
  std::ranges::copy(text, exact.get());
  const auto challenges = parse_challenges({exact.get(), text.size()});
  ASSERT_EQ(challenges.size(), 1U);
  EXPECT_EQ(challenges[0].parameter("a"), "b\\") << "a backslash at the end is itself";
}

}  // namespace
}  // namespace gossamer::wire
