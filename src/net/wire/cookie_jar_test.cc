#include "wire/cookie_jar.h"

#include <string>
#include <vector>

#include "wire/cookies_txt.h"

namespace gossamer::wire {
namespace {

constexpr WallTime kNow = {.seconds = 1'700'000'000};

url::Url url_of(std::string_view text) { return *url::Url::parse(text); }

void set(CookieJar& jar, std::string_view url, std::string_view value) {
  const std::string_view values[] = {value};
  jar.set_from_response(url_of(url), values, kNow);
}

std::string sent(CookieJar& jar, std::string_view url) { return jar.header_for(url_of(url), kNow); }

TEST(CookieJarTest, SendsACookieToItsHostAlone) {
  CookieJar jar;
  set(jar, "https://a.example/", "x=1");
  EXPECT_EQ(sent(jar, "https://a.example/any"), "x=1");
  EXPECT_EQ(sent(jar, "http://a.example:8080/"), "x=1");
  EXPECT_EQ(sent(jar, "https://www.a.example/"), "");
  EXPECT_EQ(sent(jar, "https://b.example/"), "");
}

TEST(CookieJarTest, SendsACookieOfADomainBelowIt) {
  CookieJar jar;
  set(jar, "https://www.a.example/", "x=1; Domain=.A.Example");
  EXPECT_EQ(sent(jar, "https://a.example/"), "x=1");
  EXPECT_EQ(sent(jar, "https://b.c.a.example/"), "x=1");
  EXPECT_EQ(sent(jar, "https://xa.example/"), "");
}

TEST(CookieJarTest, TakesNoCookieForAPublicSuffixOrAnotherHost) {
  CookieJar jar;
  set(jar, "https://www.example.co.uk/", "a=1; Domain=co.uk");
  set(jar, "https://www.example.co.uk/", "a=1; Domain=co.UK");
  set(jar, "https://www.example.co.uk./", "a=1; Domain=co.uk.");
  set(jar, "https://www.example.co.uk/", "a=1; Domain=uk");
  set(jar, "https://www.example.co.uk/", "a=1; Domain=other.co.uk");
  set(jar, "https://example.com/", "a=1; Domain=www.example.com");
  set(jar, "https://192.0.2.1/", "a=1; Domain=0.2.1");
  EXPECT_EQ(jar.size(), 0U);
  set(jar, "https://github.io/", "a=1; Domain=github.io");
  EXPECT_EQ(sent(jar, "https://github.io/"), "a=1");
  EXPECT_EQ(sent(jar, "https://someone.github.io/"), "");
}

TEST(CookieJarTest, KnowsAHostWithTheDotOfTheRoot) {
  CookieJar jar;
  set(jar, "https://example.co.uk./", "a=1");
  EXPECT_EQ(sent(jar, "https://example.co.uk/"), "a=1");
}

TEST(CookieJarTest, KeepsSecureCookiesToTls) {
  CookieJar jar;
  set(jar, "http://a.example/", "x=1; Secure");
  EXPECT_EQ(jar.size(), 0U);
  set(jar, "https://a.example/", "x=1; Secure");
  EXPECT_EQ(sent(jar, "http://a.example/"), "");
  EXPECT_EQ(sent(jar, "https://a.example/"), "x=1");
  set(jar, "http://a.example/", "x=stolen");
  EXPECT_EQ(sent(jar, "https://a.example/"), "x=1");
}

TEST(CookieJarTest, HoldsPrefixesToTheirPromise) {
  CookieJar jar;
  const char* const kUrl = "https://www.a.example/";
  set(jar, kUrl, "__Secure-a=1");
  set(jar, kUrl, "__Host-a=1; Secure");
  set(jar, kUrl, "__host-a=1; Secure; Path=/; Domain=a.example");
  set(jar, kUrl, "__Host-a=1; Secure; Path=/x");
  EXPECT_EQ(jar.size(), 0U);
  set(jar, kUrl, "__Host-a=1; Secure; Path=/");
  set(jar, kUrl, "__Secure-b=2; Secure; Domain=a.example");
  EXPECT_EQ(sent(jar, kUrl), "__Host-a=1; __Secure-b=2");
}

TEST(CookieJarTest, ForgetsWhatHasExpired) {
  CookieJar jar;
  set(jar, "https://a.example/", "x=1; Max-Age=10");
  EXPECT_EQ(jar.header_for(url_of("https://a.example/"), kNow + 9s), "x=1");
  EXPECT_EQ(jar.header_for(url_of("https://a.example/"), kNow + 10s), "");
  set(jar, "https://a.example/", "x=; Expires=Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(jar.size(), 0U);
}

TEST(CookieJarTest, HeedsSameSite) {
  CookieJar jar;
  set(jar, "https://a.example/", "s=1; SameSite=Strict");
  set(jar, "https://a.example/", "l=1; SameSite=Lax");
  set(jar, "https://a.example/", "n=1; SameSite=None; Secure");
  const url::Url url = url_of("https://a.example/");
  EXPECT_EQ(jar.header_for(url, kNow), "s=1; l=1; n=1");
  EXPECT_EQ(jar.header_for(url, kNow, CookieContext::cross_site_navigation), "l=1; n=1");
  EXPECT_EQ(jar.header_for(url, kNow, CookieContext::cross_site), "n=1");
}

TEST(CookieJarTest, IsNotFloodedByOneSite) {
  CookieJar jar({.per_site_max = 5, .total_max = 8});
  set(jar, "https://a.example/", "keep=1; Secure");
  for (int i = 0; i < 100; ++i) {
    set(jar, "https://a" + std::to_string(i) + ".a.example/",
        "x=1; Domain=a.example; Path=/" + std::to_string(i));
  }
  EXPECT_EQ(jar.size(), 5U);
  EXPECT_EQ(sent(jar, "https://a.example/"), "keep=1");
  for (int i = 0; i < 100; ++i) set(jar, "https://b" + std::to_string(i) + ".example/", "x=1");
  EXPECT_LE(jar.size(), 8U);
}

TEST(CookieJarTest, BoundsTheHeader) {
  CookieJar jar({.sent_max = 3});
  for (int i = 0; i < 9; ++i) set(jar, "https://a.example/", "c" + std::to_string(i) + "=1");
  EXPECT_EQ(sent(jar, "https://a.example/"), "c0=1; c1=1; c2=1");
  CookieJar narrow({.header_bytes_max = 16});
  for (int i = 0; i < 9; ++i) set(narrow, "https://a.example/", "c" + std::to_string(i) + "=1");
  EXPECT_EQ(sent(narrow, "https://a.example/"), "c0=1; c1=1; c2=1") << "exactly the bound";
  CookieJar narrower({.header_bytes_max = 15});
  for (int i = 0; i < 9; ++i) set(narrower, "https://a.example/", "c" + std::to_string(i) + "=1");
  EXPECT_EQ(sent(narrower, "https://a.example/"), "c0=1; c1=1");
  set(narrow, "https://b.example/", "long=" + std::string(30, 'x'));
  set(narrow, "https://b.example/", "short=1");
  EXPECT_EQ(sent(narrow, "https://b.example/"), "short=1");
}

TEST(CookieJarTest, CountsACookieWithoutANameByItsValue) {
  CookieJar jar({.header_bytes_max = 8});
  set(jar, "https://a.example/", "=abc");
  set(jar, "https://a.example/", "x=1");
  EXPECT_EQ(sent(jar, "https://a.example/"), "abc; x=1");
}

TEST(CookieJarTest, LetsTlsReplaceASecureCookie) {
  CookieJar jar;
  set(jar, "https://a.example/", "x=1; Secure");
  set(jar, "https://a.example/", "x=2; Secure");
  EXPECT_EQ(sent(jar, "https://a.example/"), "x=2");
  set(jar, "https://a.example/", "x=3");
  EXPECT_EQ(sent(jar, "http://a.example/"), "x=3") << "TLS may also make it insecure";
  EXPECT_EQ(jar.size(), 1U);
}

// RFC 6265bis section 5.7 step 16: same name, a domain that matches either way, and a path below.
TEST(CookieJarTest, ProtectsASecureCookieWhereAnotherWouldShadowIt) {
  CookieJar jar;
  set(jar, "https://www.a.example/", "x=1; Secure; Domain=a.example; Path=/in");
  set(jar, "http://www.a.example/", "x=2; Path=/in");
  set(jar, "http://www.a.example/", "x=2; Path=/in/deep");
  set(jar, "http://a.example/", "x=2; Path=/in");
  EXPECT_EQ(jar.size(), 1U);
  set(jar, "http://www.a.example/", "y=2; Path=/in");
  set(jar, "http://www.a.example/", "x=2; Path=/out");
  set(jar, "http://www.a.example/", "x=2; Path=/");
  set(jar, "http://b.example/", "x=2; Path=/in");
  EXPECT_EQ(jar.size(), 5U) << "these shadow nothing";
  CookieJar one_host;
  set(one_host, "https://www.a.example/", "x=1; Secure");
  set(one_host, "http://other.a.example/", "x=2");
  EXPECT_EQ(one_host.size(), 2U) << "neither host is below the other";
}

TEST(CookieJarTest, SendsACookieToItsPathAndBelow) {
  CookieJar jar;
  set(jar, "https://a.example/in/page", "x=1");
  EXPECT_EQ(sent(jar, "https://a.example/in"), "x=1");
  EXPECT_EQ(sent(jar, "https://a.example/in/"), "x=1");
  EXPECT_EQ(sent(jar, "https://a.example/in/other"), "x=1");
  EXPECT_EQ(sent(jar, "https://a.example/inside"), "");
  EXPECT_EQ(sent(jar, "https://a.example/"), "");
  set(jar, "https://a.example/", "y=2; Path=/end/");
  EXPECT_EQ(sent(jar, "https://a.example/end/x"), "y=2");
  EXPECT_EQ(sent(jar, "https://a.example/end"), "");
}

TEST(CookieJarTest, KeepsCookiesApartByNamePathDomainAndHostOnly) {
  CookieJar jar;
  set(jar, "https://a.example/", "x=1");
  set(jar, "https://a.example/", "x=2; Domain=a.example");
  set(jar, "https://a.example/", "x=3; Path=/in");
  set(jar, "https://a.example/", "y=4");
  set(jar, "https://www.a.example/", "x=5");
  EXPECT_EQ(jar.size(), 5U);
  EXPECT_EQ(sent(jar, "https://a.example/in/"), "x=3; x=1; x=2; y=4") << "longer paths first";
  EXPECT_EQ(sent(jar, "https://www.a.example/"), "x=2; x=5") << "then older cookies";
}

TEST(CookieJarTest, RemovesExpiredThenInsecureThenUnusedCookies) {
  CookieJar jar({.per_site_max = 3});
  set(jar, "https://a.example/", "secure=1; Secure");
  set(jar, "https://a.example/", "used=1; Path=/used");
  set(jar, "https://a.example/", "unused=1; Path=/unused");
  EXPECT_EQ(sent(jar, "http://a.example/used"), "used=1");
  set(jar, "https://a.example/", "new=1; Path=/new; Max-Age=1");
  EXPECT_EQ(sent(jar, "http://a.example/unused"), "") << "the least recently used";
  EXPECT_EQ(sent(jar, "http://a.example/used"), "used=1");
  EXPECT_EQ(sent(jar, "https://a.example/"), "secure=1");
  const std::string_view late[] = {"late=1; Path=/late"};
  jar.set_from_response(url_of("https://a.example/"), late, kNow + 1s);
  EXPECT_EQ(jar.size(), 3U);
  EXPECT_EQ(sent(jar, "http://a.example/new"), "") << "it has expired";
  EXPECT_EQ(sent(jar, "http://a.example/used"), "used=1");
}

TEST(CookieJarTest, RemovesTheLeastRecentlyUsedOfAllSites) {
  CookieJar jar({.total_max = 10});
  for (int i = 0; i < 10; ++i) set(jar, "https://s" + std::to_string(i) + ".example/", "x=1");
  EXPECT_EQ(jar.size(), 10U) << "exactly the bound";
  EXPECT_EQ(sent(jar, "https://s0.example/"), "x=1");
  set(jar, "https://new.example/", "x=1");
  EXPECT_EQ(jar.size(), 9U) << "a tenth more than needed";
  EXPECT_EQ(sent(jar, "https://s0.example/"), "x=1");
  EXPECT_EQ(sent(jar, "https://s1.example/"), "");
  EXPECT_EQ(sent(jar, "https://s2.example/"), "");
  EXPECT_EQ(sent(jar, "https://s3.example/"), "x=1");
  EXPECT_EQ(sent(jar, "https://new.example/"), "x=1");
}

TEST(CookieJarTest, RemovesExpiredCookiesOfAllSitesBeforeOthers) {
  CookieJar jar({.total_max = 2});
  set(jar, "https://a.example/", "x=1");
  set(jar, "https://b.example/", "x=1; Max-Age=1");
  const std::string_view values[] = {"x=1"};
  jar.set_from_response(url_of("https://c.example/"), values, kNow + 1s);
  EXPECT_EQ(jar.size(), 2U);
  EXPECT_EQ(sent(jar, "https://a.example/"), "x=1");
  EXPECT_EQ(sent(jar, "https://c.example/"), "x=1");
}

TEST(CookieJarTest, SetsNoSameSiteCookieFromAnotherSite) {
  CookieJar jar;
  const url::Url url = url_of("https://a.example/");
  const std::string_view values[] = {"s=1; SameSite=Strict", "l=1; SameSite=Lax",
                                     "n=1; SameSite=None; Secure"};
  jar.set_from_response(url, values, kNow, CookieContext::cross_site);
  EXPECT_EQ(sent(jar, "https://a.example/"), "n=1");
  jar.set_from_response(url, values, kNow, CookieContext::cross_site_navigation);
  EXPECT_EQ(jar.size(), 3U);
}

TEST(CookieJarTest, ListsWhatHasNotExpiredInTheOrderItWasSet) {
  CookieJar jar;
  set(jar, "https://b.example/", "first=1");
  set(jar, "https://a.example/", "second=1; Max-Age=10");
  set(jar, "https://c.example/", "third=1");
  const auto names = [&](WallTime now) {
    std::string joined;
    for (const Cookie& cookie : jar.all(now)) joined += cookie.name + " ";
    return joined;
  };
  EXPECT_EQ(names(kNow), "first second third ");
  EXPECT_EQ(names(kNow + 10s), "first third ");
}

TEST(CookieJarTest, RejectsControlCharactersAndTooLongCookies) {
  CookieJar jar;
  set(jar, "https://a.example/", "a=b\x01");
  set(jar, "https://a.example/", "a=b\r\nX: y");
  set(jar, "https://a.example/", std::string_view("a=b\0c", 5));
  set(jar, "https://a.example/", "a=" + std::string(4096, 'x'));
  EXPECT_EQ(jar.size(), 0U);
  set(jar, "https://a.example/", "a=" + std::string(4095, 'x'));
  EXPECT_EQ(jar.size(), 1U);
}

TEST(CookiesTxtTest, GoesOutAndComesBack) {
  CookieJar jar;
  set(jar, "https://www.a.example/x/y", "n=v; Domain=a.example; Secure; HttpOnly; Max-Age=100");
  set(jar, "https://b.example/", "s=1");
  const std::string text = write_cookies_txt(jar, kNow);
  EXPECT_EQ(text,
            "# Netscape HTTP Cookie File\n"
            "#HttpOnly_.a.example\tTRUE\t/x\tTRUE\t1700000100\tn\tv\n"
            "b.example\tFALSE\t/\tFALSE\t0\ts\t1\n");
  CookieJar other;
  EXPECT_EQ(read_cookies_txt(text, kNow, other), 0U);
  EXPECT_EQ(write_cookies_txt(other, kNow), text);
  EXPECT_EQ(sent(other, "https://a.example/x"), "n=v");
}

TEST(CookieJarTest, ReportsChangesAndNothingElse) {
  CookieJar jar({.per_site_max = 2});
  std::vector<std::string> told;
  jar.on_change([&](const Cookie& cookie, bool is_there) {
    told.push_back((is_there ? "+" : "-") + cookie.name + "=" + cookie.value);
  });
  set(jar, "https://a.example/", "x=1");
  set(jar, "https://a.example/", "x=1");
  set(jar, "https://a.example/", "x=2");
  set(jar, "https://a.example/", "x=2; Max-Age=0");
  set(jar, "https://a.example/", "x=2; Max-Age=0");
  EXPECT_EQ(told, (std::vector<std::string>{"+x=1", "+x=2", "-x=2"}));
  told.clear();
  for (const char* const name : {"p=", "q=", "r="}) set(jar, "https://a.example/", name);
  EXPECT_EQ(told, (std::vector<std::string>{"+p=", "+q=", "+r=", "-p="}));
  EXPECT_EQ(jar.size(), 2U);
}

TEST(CookiesTxtTest, PassesOverWhatMakesNoSense) {
  CookieJar jar;
  const std::string_view text =
      "# comment\r\n\r\na.example\tFALSE\t/\tFALSE\t0\tx\t1\r\n"
      "nonsense\n"
      ".com\tTRUE\t/\tFALSE\t0\tx\t1\n"
      "a.example\tFALSE\t/\tFALSE\tsoon\tx\t1\n"
      "a.example\tFALSE\t/\tFALSE\t0\tx\x01\t1\n"
      "a.example\tFALSE\t/\tFALSE\t0\t__Host-x\t1\n"
      "a.example\tFALSE\t/\tFALSE\t1\texpired\t1\n"
      "a.example\tFALSE\t/\tFALSE\t0\tempty";
  EXPECT_EQ(read_cookies_txt(text, kNow, jar), 5U);
  EXPECT_EQ(sent(jar, "http://a.example/"), "x=1; empty=");
}

TEST(CookieJarTest, CountsACookieThatIsSetAgainAsUsed) {
  CookieJar jar({.per_site_max = 2});
  set(jar, "https://a.example/", "first=1; Path=/first");
  set(jar, "https://a.example/", "second=1; Path=/second");
  set(jar, "https://a.example/", "first=2; Path=/first");
  set(jar, "https://a.example/", "third=1; Path=/third");
  EXPECT_EQ(sent(jar, "https://a.example/first"), "first=2");
  EXPECT_EQ(sent(jar, "https://a.example/second"), "");
}

}  // namespace
}  // namespace gossamer::wire
