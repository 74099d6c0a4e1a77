#include "url/surt.h"

#include <gtest/gtest.h>

namespace gossamer::url {
namespace {

Url url_of(std::string_view text) {
  Url url;
  EXPECT_EQ(url.assign(text), UrlFailure::none) << text;
  return url;
}

TEST(Surt, TurnsTheHostRound) {
  EXPECT_EQ(surt(url_of("http://www.example.org/a?b#c")), "http://(org,example,www,)/a?b#c");
  EXPECT_EQ(surt(url_of("https://user:word@example.org:81/")), "https://(org,example,:81)/");
}

TEST(Surt, LeavesAddressesAndHostlessUrls) {
  EXPECT_EQ(surt(url_of("http://10.1.2.3:81/")), "http://(10.1.2.3:81)/");
  EXPECT_EQ(surt(url_of("http://[::1]/")), "http://([::1])/");
  EXPECT_EQ(surt(url_of("mailto:a@b")), "mailto:a@b");
  EXPECT_EQ(surt(url_of("file:///x")), "file:///x");
}

TEST(CdxKey, HasNoSchemeNoWwwAndNoFragment) {
  EXPECT_EQ(cdx_key(url_of("https://www.example.org/")), "org,example)/");
  EXPECT_EQ(cdx_key(url_of("http://www12.example.org/#x")), "org,example)/");
  EXPECT_EQ(cdx_key(url_of("http://www2foo.com/")), "com,www2foo)/");
  EXPECT_EQ(cdx_key(url_of("http://example.org:8080/")), "org,example:8080)/");
  EXPECT_EQ(cdx_key(url_of("http://192.168.1.254/info/")), "254,1,168,192)/info");
}

TEST(CdxKey, IsInLowerCaseWithoutNeedlessEscapes) {
  EXPECT_EQ(cdx_key(url_of("http://h/A%2541/%20%C3%BC")), "h)/aa/%20%c3%bc");
  EXPECT_EQ(cdx_key(url_of("http://h/%2525252525")), "h)/%25");
}

TEST(CdxKey, HasNoEmptySegmentsAndNoLastSlash) {
  EXPECT_EQ(cdx_key(url_of("http://h//a//b/")), "h)/a/b");
  EXPECT_EQ(cdx_key(url_of("http://h///")), "h)/");
}

TEST(CdxKey, SortsTheQueryAndDropsSessions) {
  EXPECT_EQ(cdx_key(url_of("http://h/?b=2&A=1&PHPSESSID=x")), "h)/?a=1&b=2");
  EXPECT_EQ(cdx_key(url_of("http://h/?jsessionid=x")), "h)/");
  EXPECT_EQ(cdx_key(url_of("http://h/?")), "h)/");
  EXPECT_EQ(cdx_key(url_of("http://h/?&b&a")), "h)/?&a&b");
  EXPECT_EQ(cdx_key(url_of("http://h/a;jsessionid=1?x")), "h)/a?x");
}

TEST(CdxKey, IsTheUrlForOtherSchemes) {
  EXPECT_EQ(cdx_key(url_of("dns:Example.org")), "dns:Example.org");
}

TEST(CdxKey, LosesWwwOnlyIfANameIsLeft) {
  const auto key = [](std::string_view text) { return cdx_key(*Url::parse(text)); };
  EXPECT_EQ(key("http://www.a/"), "a)/");
  EXPECT_EQ(key("http://www12.a.example/"), "example,a)/");
  EXPECT_EQ(key("http://www/"), "www)/");
  EXPECT_EQ(key("http://wwwx.example/"), "example,wwwx)/");
}

}  // namespace
}  // namespace gossamer::url
