#include "warc/digest.h"

#include <gtest/gtest.h>

namespace gossamer::warc {
namespace {

TEST(Digest, IsTheKnownOneForAnEmptyText) {
  EXPECT_EQ(digest_of(DigestAlgorithm::sha1, {}).to_string(),
            "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  EXPECT_EQ(digest_of(DigestAlgorithm::md5, {}).to_string(), "md5:2QOYZWMPACZAJ2MABGMOZ6CCPY");
  EXPECT_EQ(digest_of(DigestAlgorithm::sha256, {}).to_string(),
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Digest, IsTheSameInPieces) {
  Digester digester(DigestAlgorithm::sha1);
  digester.update(as_bytes("gos"));
  const Digest part = digester.digest();
  digester.update(as_bytes("samer"));
  EXPECT_EQ(digester.digest(), digest_of(DigestAlgorithm::sha1, as_bytes("gossamer")));
  EXPECT_EQ(part, digest_of(DigestAlgorithm::sha1, as_bytes("gos")));
}

TEST(Digest, IsReadInAllTheWaysItIsWritten) {
  const Digest nothing = digest_of(DigestAlgorithm::sha1, {});
  for (const std::string_view text :
       {"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj",
        "SHA-1: da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
        "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1:2jmj7l5rSw0yVb_vlWAYkK_YBwk"}) {
    EXPECT_EQ(parse_digest(text), nothing) << text;
  }
  const Digest other = digest_of(DigestAlgorithm::sha256, as_bytes("x"));
  EXPECT_EQ(parse_digest("sha256:" + base32(other.value()) + "===="), other);
}

TEST(Digest, IsNothingIfInvalid) {
  for (const std::string_view text :
       {"", "sha1", "sha1:", "sha3:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:3I42",
        "sha1:0I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha256:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", ":::", "averylongalgorithm:00"}) {
    EXPECT_FALSE(parse_digest(text).has_value()) << text;
  }
}

TEST(Digest, IsReadForEveryAlgorithmInEveryBase) {
  const auto base64 = std::pair("sha256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
                                digest_of(DigestAlgorithm::sha256, {}));
  EXPECT_EQ(parse_digest(base64.first), base64.second);
  for (const auto algorithm : {DigestAlgorithm::md5, DigestAlgorithm::sha1, DigestAlgorithm::sha256,
                               DigestAlgorithm::sha512}) {
    const Digest digest = digest_of(algorithm, as_bytes("some text"));
    const std::string prefix = std::string(name(algorithm)) + ':';
    EXPECT_EQ(parse_digest(digest.to_string()), digest);
    EXPECT_EQ(parse_digest(prefix + base16(digest.value())), digest) << prefix;
    EXPECT_EQ(parse_digest(prefix + base32(digest.value())), digest) << prefix;
    EXPECT_FALSE(parse_digest(prefix + base16(digest.value()) + "0").has_value());
    EXPECT_FALSE(parse_digest(prefix + base32(digest.value()).substr(1)).has_value());
  }
}

TEST(Digest, HasDigitsOfItsBaseOnly) {
  const std::string base32_rest = "I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
  for (const char c : std::string_view("AZaz27")) {
    EXPECT_TRUE(parse_digest(std::string("sha1:") + c + base32_rest).has_value()) << c;
  }
  for (const char c : std::string_view("@[`{0189-_+/ =")) {
    EXPECT_FALSE(parse_digest(std::string("sha1:") + c + base32_rest).has_value()) << c;
  }
  const std::string base16_rest = "a39a3ee5e6b4b0d3255bfef95601890afd80709";
  for (const char c : std::string_view("09afAF")) {
    EXPECT_TRUE(parse_digest(std::string("sha1:") + c + base16_rest).has_value()) << c;
  }
  for (const char c : std::string_view("/:`g@G")) {
    EXPECT_FALSE(parse_digest(std::string("sha1:") + c + base16_rest).has_value()) << c;
  }
}

TEST(DigestAlgorithm, IsKnownByItsSpellings) {
  for (const char* const text : {"sha256", "SHA256", "SHA-256", "sha_256", "-s-h-a-2-5-6-"}) {
    EXPECT_EQ(algorithm_named(text), DigestAlgorithm::sha256) << text;
  }
  EXPECT_EQ(algorithm_named("MD5"), DigestAlgorithm::md5);
  EXPECT_EQ(algorithm_named("SHA-512"), DigestAlgorithm::sha512);
  for (const char* const text : {"", "sha", "sha25", "sha2567", "sha25678", "sha256789", "sha 1"}) {
    EXPECT_EQ(algorithm_named(text), std::nullopt) << text;
  }
}

// RFC 4648 section 10, without padding.
TEST(Base32, IsThatOfTheStandard) {
  const std::pair<std::string_view, std::string_view> vectors[] = {{"", ""},
                                                                   {"f", "MY"},
                                                                   {"fo", "MZXQ"},
                                                                   {"foo", "MZXW6"},
                                                                   {"foob", "MZXW6YQ"},
                                                                   {"fooba", "MZXW6YTB"},
                                                                   {"foobar", "MZXW6YTBOI"}};
  for (const auto& [text, encoded] : vectors) EXPECT_EQ(base32(as_bytes(text)), encoded);
}

}  // namespace
}  // namespace gossamer::warc
