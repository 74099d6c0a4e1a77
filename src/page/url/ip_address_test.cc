#include "url/ip_address.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::url {
namespace {

std::string ipv6(std::string_view text) {
  const auto pieces = parse_ipv6(text);
  if (!pieces) return "failure";
  char memory[kIpv6TextBytesMax];
  Writer out(memory, sizeof memory);
  write_ipv6(*pieces, out);
  return std::string(out.from(0));
}

std::string ipv4(std::string_view text) {
  const auto address = parse_ipv4(text);
  if (!address) return "failure";
  char memory[kIpv4TextBytesMax];
  Writer out(memory, sizeof memory);
  write_ipv4(*address, out);
  return std::string(out.from(0));
}

TEST(Ipv4, ReadsDecimalOctalAndHexadecimalNumbers) {
  EXPECT_EQ(ipv4("192.168.0.1"), "192.168.0.1");
  EXPECT_EQ(ipv4("0xC0.0250.0.1."), "192.168.0.1");
  EXPECT_EQ(ipv4("0x"), "0.0.0.0");
  EXPECT_EQ(ipv4("0"), "0.0.0.0");
  EXPECT_EQ(ipv4("00"), "0.0.0.0");
  EXPECT_EQ(ipv4("0XfF.255.0377.9"), "255.255.255.9");
  EXPECT_EQ(ipv4("0xFFFFFFFF"), "255.255.255.255");
}

TEST(Ipv4, LetsTheLastNumberFillTheRest) {
  EXPECT_EQ(ipv4("127.1"), "127.0.0.1");
  EXPECT_EQ(ipv4("1.2.65535"), "1.2.255.255");
  EXPECT_EQ(ipv4("1.16777215"), "1.255.255.255");
  EXPECT_EQ(ipv4("1.2.3.255"), "1.2.3.255");
  EXPECT_EQ(ipv4("255.255.255.0"), "255.255.255.0");
  EXPECT_EQ(ipv4("4294967295"), "255.255.255.255");
}

TEST(Ipv4, RejectsNumbersThatDoNotFit) {
  for (const char* text : {"4294967296", "1.2.3.256", "1.2.65536", "256.1", "1.2.3.4.5", "1..2", "",
                           "09", "0xg", "1.2.3.99999999999999999999999999", "0x10000000000000001",
                           "0x100000000", "040000000000", "1.256.1", "1.2.256.1", "1.16777216",

                           "a.1", "1.2.3.x", "08"}) {
    EXPECT_EQ(ipv4(text), "failure") << text;
  }
}

TEST(Ipv4, IsExpectedWhereTheLastLabelIsANumber) {
  EXPECT_TRUE(ends_in_a_number("1.2.3.4"));
  EXPECT_TRUE(ends_in_a_number("a.1"));
  EXPECT_TRUE(ends_in_a_number("a.0x1F."));
  EXPECT_TRUE(ends_in_a_number("a.09"));
  EXPECT_FALSE(ends_in_a_number("1.2.3.4a"));
  EXPECT_FALSE(ends_in_a_number("1.a"));
  EXPECT_FALSE(ends_in_a_number("a.1.."));
  EXPECT_FALSE(ends_in_a_number("."));
  EXPECT_FALSE(ends_in_a_number(""));
}

TEST(Ipv6, IsWrittenInItsShortestForm) {
  EXPECT_EQ(ipv6("0:0:0:0:0:0:0:0"), "::");
  EXPECT_EQ(ipv6("::1"), "::1");
  EXPECT_EQ(ipv6("1::"), "1::");
  EXPECT_EQ(ipv6("2001:DB8:0:0:1:0:0:1"), "2001:db8::1:0:0:1");
  EXPECT_EQ(ipv6("1:0:2:3:4:5:6:7"), "1:0:2:3:4:5:6:7");
  EXPECT_EQ(ipv6("1:2:3:4:5:6:7::"), "1:2:3:4:5:6:7:0");
  EXPECT_EQ(ipv6("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
}

TEST(Ipv6, MayEndAsAnIpv4Address) {
  EXPECT_EQ(ipv6("::127.0.0.1"), "::7f00:1");
  EXPECT_EQ(ipv6("1:2:3:4:5:6:1.2.3.4"), "1:2:3:4:5:6:102:304");
  EXPECT_EQ(ipv6("::ffff:255.255.255.255"), "::ffff:ffff:ffff");
  EXPECT_EQ(ipv6("::0.0.0.10"), "::a");
  EXPECT_EQ(ipv6("1::10.20.30.40"), "1::a14:1e28");
}

TEST(Ipv6, RejectsInvalidAddresses) {
  for (const char* text : {"",
                           ":",
                           ":1",
                           "1",
                           "1:",
                           "1:2:3:4:5:6:7",
                           "1:2:3:4:5:6:7:8:9",
                           "1::2::3",
                           "::12345",
                           "::g",
                           ":::",
                           "1:2:3:4:5:6:7:1.2.3.4",
                           "::1.2.3",
                           "::1.2.3.4.5",
                           "::1.2.3.256",
                           "::01.2.3.4",
                           "::1..2.3",
                           "::.1.2.3",
                           "::1.2.3.4:5",
                           "::1:",
                           "1:2:3:4:5:6:7:",
                           "1:2:3:4:5:1.2.3.4",
                           "::1.2.3.4.",
                           "::00.1.2.3",
                           "::1.2.3.-4",
                           "::1.2.3.",
                           "::f.1.2.3",
                           "::1.2.3.4x"}) {
    EXPECT_EQ(ipv6(text), "failure") << text;
  }
}

}  // namespace
}  // namespace gossamer::url
