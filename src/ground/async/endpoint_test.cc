#include "async/endpoint.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::async {
namespace {

TEST(EndpointTest, ReadsAndWritesBothFamilies) {
  for (const char* text : {"127.0.0.1:80", "0.0.0.0:0", "255.255.255.255:65535", "[::1]:443",
                           "[2001:db8::1]:8080", "[::ffff:1.2.3.4]:1"}) {
    const auto endpoint = Endpoint::parse(text);
    ASSERT_TRUE(endpoint.has_value()) << text;
    EXPECT_EQ(endpoint->to_string(), text);
  }
}

TEST(EndpointTest, RejectsInvalidAddresses) {
  for (const char* text :
       {"", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:8x",
        "127.0.0.1: 80", "127.0.0:80", "256.0.0.1:80", "::1:80", "[::1]", "[::1:80", "[1.2.3.4]:80",
        "localhost:80", "[]:80", "127.0.0.1:+80"}) {
    const auto endpoint = Endpoint::parse(text);
    ASSERT_FALSE(endpoint.has_value()) << text;
    EXPECT_EQ(endpoint.error(), Errc::malformed) << text;
  }
}

TEST(EndpointTest, ReadsAndWritesAddressesAlone) {
  for (const char* text : {"127.0.0.1", "0.0.0.0", "::", "::1", "2001:db8::1", "::ffff:1.2.3.4"}) {
    const auto endpoint = Endpoint::parse_address(text);
    ASSERT_TRUE(endpoint.has_value()) << text;
    EXPECT_EQ(endpoint->address_text(), text);
    EXPECT_EQ(endpoint->port, 0);
  }
}

TEST(EndpointTest, KnowsOnlyOneSpellingOfAnAddress) {
  const std::string with_nul("127.0.0.1\0", 10);
  for (const std::string& text :
       {std::string(), std::string("127.1"), std::string("0x7f.0.0.1"), std::string("0177.0.0.1"),
        std::string("2130706433"), std::string("[::1]"), std::string("::1%lo"),
        std::string("127.0.0.1:80"), std::string("1.2.3.4."), with_nul}) {
    const auto endpoint = Endpoint::parse_address(text);
    ASSERT_FALSE(endpoint.has_value()) << text;
    EXPECT_EQ(endpoint.error(), Errc::malformed) << text;
  }
}

TEST(EndpointTest, LoopbackIsThisMachine) {
  EXPECT_EQ(Endpoint::loopback(8080).to_string(), "127.0.0.1:8080");
  EXPECT_EQ(Endpoint::loopback(8080), Endpoint::v4(127, 0, 0, 1, 8080));
  EXPECT_NE(Endpoint::loopback(8080), Endpoint::loopback(8081));
}

}  // namespace
}  // namespace gossamer::async
