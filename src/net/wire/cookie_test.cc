#include "wire/cookie.h"

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "wire/cookies_txt.h"

namespace gossamer::wire {
namespace {

constexpr WallTime kSetAt = {.seconds = 1'700'000'000};
constexpr std::int64_t kDays400 = 400 * 86'400;

std::optional<Cookie> cookie_from(std::string_view url, std::string_view value) {
  return parse_set_cookie(value, *url::Url::parse(url), kSetAt);
}

// The lifetime in seconds; nothing for a cookie of the session.
std::optional<std::int64_t> lifetime(std::string_view attributes) {
  const auto cookie = cookie_from("https://a.example/", "a=b; " + std::string(attributes));
  if (!cookie || !cookie->expires) return std::nullopt;
  return cookie->expires->seconds - kSetAt.seconds;
}

// RFC 6265bis section 5.6.2; the limit is that of section 5.5.
TEST(CookieTest, LivesForItsMaxAgeButAtMost400Days) {
  EXPECT_EQ(lifetime("Max-Age=1"), 1);
  EXPECT_EQ(lifetime("max-age=34559999"), kDays400 - 1);
  EXPECT_EQ(lifetime("Max-Age=34560001"), kDays400);
  EXPECT_EQ(lifetime("Max-Age=99999999999999999999999"), kDays400);
  for (const char* const past : {"Max-Age=0", "Max-Age=-1", "Max-Age=-99999999999999999999999"}) {
    EXPECT_LT(lifetime(past).value_or(0), 0) << past;
  }
  for (const char* const ignored : {"Max-Age", "Max-Age=", "Max-Age=-", "Max-Age=1x", "Max-Age=+1",
                                    "Max-Age=1.5", "Max-Age=--1"}) {
    EXPECT_EQ(lifetime(ignored), std::nullopt) << ignored;
  }
}

TEST(CookieTest, ExpiresAtItsDateUnlessItHasAMaxAge) {
  EXPECT_EQ(lifetime("Expires=Tue, 14 Nov 2023 22:13:30 GMT"), 10);
  EXPECT_EQ(lifetime("Expires=Tue, 14 Nov 2033 22:13:30 GMT"), kDays400);
  EXPECT_EQ(lifetime("Max-Age=7; Expires=Tue, 14 Nov 2023 22:13:30 GMT"), 7);
  EXPECT_EQ(lifetime("Expires=Tue, 14 Nov 2023 22:13:30 GMT; Max-Age=7"), 7);
  EXPECT_EQ(lifetime("Expires=soon"), std::nullopt);
  EXPECT_EQ(lifetime("Expires=Tue, 14 Nov 2023 22:13:30 GMT; Expires=soon"), 10);
}

TEST(CookieTest, HasTheAttributesOfItsHeader) {
  const auto cookie = cookie_from("https://a.example/dir/page",
                                  " name = va=lue ; SECURE; httponly ;SameSite=Strict; Path=/x ");
  ASSERT_TRUE(cookie);
  EXPECT_EQ(cookie->name, "name");
  EXPECT_EQ(cookie->value, "va=lue");
  EXPECT_EQ(cookie->path, "/x");
  EXPECT_TRUE(cookie->secure && cookie->http_only && cookie->host_only);
  EXPECT_EQ(cookie->same_site, SameSite::strict);
  EXPECT_EQ(cookie_from("https://a.example/", "a=b; SameSite=LAX")->same_site, SameSite::lax);
  EXPECT_EQ(cookie_from("https://a.example/", "a=b; SameSite=none")->same_site, SameSite::none);
  EXPECT_EQ(cookie_from("https://a.example/", "a=b; SameSite=x")->same_site, SameSite::unspecified);
  const auto plain = cookie_from("https://a.example/dir/page", "a=b; Path=relative; Other=1");
  EXPECT_EQ(plain->path, "/dir");
  EXPECT_FALSE(plain->secure || plain->http_only);
}

TEST(CookieTest, IgnoresAttributesBeyond1024Bytes) {
  const auto path_of = [](std::size_t bytes) {
    return cookie_from("https://a.example/", "a=b; Path=/" + std::string(bytes - 1, 'x'))->path;
  };
  EXPECT_EQ(path_of(1024).size(), 1024U);
  EXPECT_EQ(path_of(1025), "/");
}

TEST(CookieTest, MayHaveNoName) {
  EXPECT_EQ(cookie_from("https://a.example/", "value")->value, "value");
  EXPECT_EQ(cookie_from("https://a.example/", "value")->name, "");
  EXPECT_EQ(cookie_from("https://a.example/", "=value")->value, "value");
  EXPECT_EQ(cookie_from("https://a.example/", "name=")->name, "name");
  for (const char* const nothing : {"", "=", " ; Secure", ";"}) {
    EXPECT_FALSE(cookie_from("https://a.example/", nothing)) << nothing;
  }
  for (const char* const disguised : {"__Secure-a=b", "__Host-a", "__host-a", "__SECURE-a"}) {
    EXPECT_FALSE(cookie_from("https://a.example/", "=" + std::string(disguised))) << disguised;
  }
}

TEST(CookieTest, MayHoldTabsButNoOtherControlCharacters) {
  for (int c = 1; c < 256; ++c) {
    if (c == ';') continue;
    const std::string value = std::string("a=b") + static_cast<char>(c) + "c";
    const bool is_allowed = c == '\t' || (c >= 0x20 && c != 0x7F);
    EXPECT_EQ(cookie_from("https://a.example/", value).has_value(), is_allowed) << c;
  }
}

TEST(CookieTest, BelongsToADomainOfItsHost) {
  const auto domain_of = [](std::string_view url, std::string_view domain) {
    const auto cookie = cookie_from(url, "a=b; Domain=" + std::string(domain));
    if (!cookie) return std::string("(none)");
    return (cookie->host_only ? "only " : "below ") + cookie->domain;
  };
  EXPECT_EQ(domain_of("https://www.a.example/", "a.example"), "below a.example");
  EXPECT_EQ(domain_of("https://www.a.example/", ".www.a.example"), "below www.a.example");
  EXPECT_EQ(domain_of("https://www.a.example/", ""), "only www.a.example");
  EXPECT_EQ(domain_of("https://www.a.example/", "."), "(none)");
  EXPECT_EQ(domain_of("https://www.a.example/", "..a.example"), "(none)");
  EXPECT_EQ(domain_of("https://192.0.2.1/", "192.0.2.1"), "below 192.0.2.1");
  EXPECT_EQ(domain_of("https://192.0.2.1/", "2.1"), "(none)");
  EXPECT_EQ(domain_of("https://[::1]/", "[::1]"), "below [::1]");
  EXPECT_EQ(domain_of("https://localhost/", "localhost"), "only localhost");
}

TEST(CookieTest, MatchesDomainsAtTheirDots) {
  EXPECT_TRUE(domain_matches("a.example", "a.example"));
  EXPECT_TRUE(domain_matches("b.a.example", "a.example"));
  EXPECT_FALSE(domain_matches("ba.example", "a.example"));
  EXPECT_FALSE(domain_matches("a.example", "b.a.example"));
  EXPECT_FALSE(domain_matches("a.example", ""));
  EXPECT_FALSE(domain_matches("a.example", "b.example"));
  EXPECT_FALSE(domain_matches("10.0.0.1", "0.0.1")) << "an address has no domain";
  EXPECT_FALSE(domain_matches("::ffff:1.2.3.4", "2.3.4"));
}

TEST(CookieTest, MatchesPathsAtTheirSlashes) {
  EXPECT_TRUE(path_matches("/a", "/a"));
  EXPECT_TRUE(path_matches("/a/b", "/a"));
  EXPECT_TRUE(path_matches("/a/b", "/a/"));
  EXPECT_FALSE(path_matches("/ab", "/a"));
  EXPECT_FALSE(path_matches("/a", "/a/"));
  EXPECT_FALSE(path_matches("/b", "/a"));
  EXPECT_EQ(default_cookie_path("/a/b/c"), "/a/b");
  EXPECT_EQ(default_cookie_path("/a"), "/");
  EXPECT_EQ(default_cookie_path("/"), "/");
  EXPECT_EQ(default_cookie_path(""), "/");
  EXPECT_EQ(default_cookie_path("a/b"), "/");
}

// A line of a file with one field replaced.
std::size_t rejected(std::size_t field, std::string_view text, CookieJar& jar) {
  std::string fields[] = {"a.example", "FALSE", "/", "FALSE", "0", "name", "value"};
  fields[field] = text;
  std::string line = fields[0];
  for (const std::string& one : std::span(fields).subspan(1)) line += "\t" + one;
  return read_cookies_txt(line + "\n", kSetAt, jar);
}

TEST(CookiesTxt, RejectsFieldsThatNoCookieCanHave) {
  const std::pair<std::size_t, std::string_view> invalid[] = {
      {0, ""},       {0, "."},        {0, "a.example."}, {0, "a b"}, {0, "a/b"},   {0, "a;b"},
      {0, "a,b"},    {0, "a\x7F"},    {1, "yes"},        {1, ""},    {3, "1"},     {4, ""},
      {4, "x"},      {5, "a=b"},      {5, "a;b"},        {6, "a;b"}, {6, "a\x01"}, {2, "/\x01"},
      {5, "a\x01b"}, {5, "__Host-a"}, {5, "__Secure-a"},
  };
  for (const auto& [field, text] : invalid) {
    CookieJar jar;
    EXPECT_EQ(rejected(field, text, jar), 1U) << field << " " << text;
    EXPECT_EQ(jar.size(), 0U);
  }
  const std::pair<std::size_t, std::string_view> valid[] = {
      {0, "A.Example"}, {0, ".a.example"}, {0, "localhost"},  {1, "true"},
      {1, "False"},     {3, "TRUE"},       {4, "1800000000"}, {5, ""},
      {6, ""},          {6, "a=b"},        {6, "a\tb"},       {2, "relative"},
  };
  for (const auto& [field, text] : valid) {
    CookieJar jar;
    EXPECT_EQ(rejected(field, text, jar), 0U) << field << " " << text;
    EXPECT_EQ(jar.size(), 1U) << field << " " << text;
  }
}

TEST(CookiesTxt, BoundsNameAndValueTogether) {
  for (const std::size_t bytes : {4096U, 4097U}) {
    CookieJar jar;
    EXPECT_EQ(rejected(6, std::string(bytes - 4, 'x'), jar), bytes == 4096U ? 0U : 1U);
  }
  CookieJar jar;
  EXPECT_EQ(read_cookies_txt("a.example\tFALSE\t/\tFALSE\t0\t\t", kSetAt, jar), 1U)
      << "neither name nor value";
  EXPECT_EQ(read_cookies_txt("a.example\tFALSE\t/\tFALSE\t0", kSetAt, jar), 1U) << "no name";
  EXPECT_EQ(read_cookies_txt("com\tFALSE\t/\tFALSE\t0\ta\tb\r\n", kSetAt, jar), 0U)
      << "a public suffix can have a cookie for itself";
}

TEST(CookiesTxt, WritesNoCookieThatWouldBeReadDifferently) {
  CookieJar jar;
  jar.put({.name = "a\tb", .value = "1", .domain = "a.example", .path = "/"}, kSetAt);
  jar.put({.name = "a", .value = "1", .domain = "a.example", .path = "/\t"}, kSetAt);
  jar.put({.name = "ok", .value = "1\t2", .domain = "a.example", .path = "/"}, kSetAt);
  EXPECT_EQ(write_cookies_txt(jar, kSetAt),
            "# Netscape HTTP Cookie File\na.example\tFALSE\t/\tFALSE\t0\tok\t1\t2\n");
}

TEST(CookieJar, ListsTheCookiesOfAHost) {
  CookieJar jar;
  jar.put({.name = "own", .value = "1", .domain = "www.a.example", .path = "/"}, kSetAt);
  jar.put({.name = "above", .value = "1", .domain = "a.example", .path = "/", .host_only = false},
          kSetAt);
  jar.put({.name = "sibling", .value = "1", .domain = "b.a.example", .path = "/"}, kSetAt);
  jar.put({.name = "short",
           .value = "1",
           .domain = "www.a.example",
           .path = "/",
           .expires = kSetAt + 1s},
          kSetAt);
  const auto names = [&](std::string_view host, WallTime now) {
    std::string joined;
    for (const Cookie& cookie : jar.of_host(host, now)) joined += cookie.name + " ";
    return joined;
  };
  EXPECT_EQ(names("www.a.example", kSetAt), "own above short ");
  EXPECT_EQ(names("www.a.example", kSetAt + 1s), "own above ");
  EXPECT_EQ(names("a.example", kSetAt), "above ");
  EXPECT_EQ(names("c.example", kSetAt), "");
}

}  // namespace
}  // namespace gossamer::wire
