#include "frontier/site_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace gossamer::crawler {
namespace {

TEST(SiteNumber, TheHostOfAUrlHasNoPortUserOrPath) {
  EXPECT_EQ(host_in("https://a.example:8443/b"), "a.example");
  EXPECT_EQ(host_in("https://a.example"), "a.example");
  EXPECT_EQ(host_in("http://user:password@a.example:80/"), "a.example");
  EXPECT_EQ(host_in("http://a.example/b@c.example:1/"), "a.example");
  EXPECT_EQ(host_in("http://a.example?b@c.example"), "a.example");
  EXPECT_EQ(host_in("http://a.example#b@c.example"), "a.example");
  EXPECT_EQ(host_in("http://[2001:db8::1]:8080/"), "[2001:db8::1]");
  EXPECT_EQ(host_in("http://user@[2001:db8::1]/"), "[2001:db8::1]");
}

TEST(SiteNumber, TextWithoutAHostIsUnchanged) {
  EXPECT_EQ(host_in("a.example"), "a.example");
  EXPECT_EQ(host_in("mailto:me@a.example"), "mailto:me@a.example");
  EXPECT_EQ(host_in(""), "");
}

TEST(SiteNumber, HostsOfOneSiteHaveOneNumber) {
  EXPECT_EQ(site_number("www.a.example"), site_number("a.example"));
  EXPECT_EQ(site_number("a.co.uk"), site_number("b.a.co.uk"));
  EXPECT_NE(site_number("a.co.uk"), site_number("b.co.uk")) << "co.uk is a public suffix";
  EXPECT_NE(site_number("10.0.0.1"), site_number("10.0.0.2"));
}

TEST(SiteNumber, EachSiteBelongsToOneShare) {
  for (std::uint16_t site = 0; site < 9; ++site) {
    for (std::uint32_t index = 0; index < 3; ++index) {
      const SiteShare share = {.index = index, .count = 3};
      EXPECT_EQ(share.has(site), index == site % 3u) << site;
    }
  }
  EXPECT_TRUE(SiteShare().has(7)) << "one loop has all";
}

}  // namespace
}  // namespace gossamer::crawler
