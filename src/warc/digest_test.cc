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

}  // namespace
}  // namespace gossamer::warc
