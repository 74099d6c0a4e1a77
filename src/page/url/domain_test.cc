#include "url/domain.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::url {
namespace {

std::string ascii(std::string_view domain) {
  std::string out = ">";
  if (domain_to_ascii(domain, out)) return out.substr(1);
  EXPECT_EQ(out, ">") << "a refused domain must leave nothing behind";
  return "failure";
}

TEST(Domain, IsFoldedToLowerCaseIfItIsAscii) {
  EXPECT_EQ(ascii("Example.COM"), "example.com");
  EXPECT_EQ(ascii(""), "");
  // Invalid labels, which occur on the web.
  EXPECT_EQ(ascii("XN--A.xn--zn7c.com"), "xn--a.xn--zn7c.com");
}

TEST(Domain, BecomesPunycodeIfNotAscii) {
  EXPECT_EQ(ascii("b\xC3\xBC"
                  "cher.example"),
            "xn--bcher-kva.example");
  EXPECT_EQ(ascii("B\xC3\x9C"
                  "CHER.example"),
            "xn--bcher-kva.example");
  EXPECT_EQ(ascii("fa\xC3\x9F.de"), "xn--fa-hia.de");
  EXPECT_EQ(ascii("\xE6\x97\xA5\xE6\x9C\xAC\xE3\x80\x82jp"), "xn--wgv71a.jp");
}

TEST(Domain, FollowsMappingsYoungerThanIcu) {
  EXPECT_EQ(ascii("\xE1\xBA\x9E.com"), "xn--zca.com");         // capital sharp s
  EXPECT_EQ(ascii("\xE1\x82\xA0.com"), "xn--rkj.com");         // Georgian capital an
  EXPECT_EQ(ascii("look\xE1\xA0\x8Eout.net"), "lookout.net");  // Mongolian vowel separator
}

TEST(Domain, IsRejectedIfIdnaRejectsIt) {
  EXPECT_EQ(ascii("\xE2\x92\x88.com"), "failure");  // digit one full stop
  EXPECT_EQ(ascii("a\xE2\x80\x8D"
                  "b.com"),
            "failure");  // joiner without reason
  EXPECT_EQ(ascii("\xD7\x90"
                  "a.com"),
            "failure");                                  // mixed directions
  EXPECT_EQ(ascii("\xFF.com"), "failure");               // not UTF-8
  EXPECT_EQ(ascii("xn--a.\xC3\xBC"), "failure");         // broken beside other scripts
  EXPECT_EQ(ascii("xn--ascii-.\xC3\xBC"), "failure");    // nothing to encode
  EXPECT_EQ(ascii("xn--xn---epa.\xC3\xBC"), "failure");  // encoded twice
  EXPECT_EQ(ascii("xn--.\xC3\xBC"), "failure");
}

TEST(Domain, IsRejectedIfFarTooLong) {
  std::string domain = "\xC3\xBC";
  domain.append(kDomainBytesMax, 'a');
  EXPECT_EQ(ascii(domain), "failure");
  EXPECT_EQ(ascii(domain.substr(0, 500)).substr(0, 4), "xn--");
}

}  // namespace
}  // namespace gossamer::url
