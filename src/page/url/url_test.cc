#include "url/url.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "url/query_encoder.h"

namespace gossamer::url {
namespace {

// From a heap block of exactly the text's size, so that AddressSanitizer sees an overread.
Url parsed(std::string_view text, const Url* base = nullptr) {
  const std::vector<char> block(text.begin(), text.end());
  Url url;
  EXPECT_EQ(url.assign({block.data(), block.size()}, base), UrlFailure::none) << text;
  return url;
}

UrlFailure failure_of(std::string_view text, const Url* base = nullptr) {
  const std::vector<char> block(text.begin(), text.end());
  Url url = parsed("https://before.example/");
  const UrlFailure failure = url.assign({block.data(), block.size()}, base);
  EXPECT_EQ(url.empty(), failure != UrlFailure::none);
  return failure;
}

std::string resolved(std::string_view base, std::string_view reference) {
  const Url base_url = parsed(base);
  return parsed(reference, &base_url).href();
}

TEST(Url, HasThePartsThatBrowsersShow) {
  const Url url = parsed("https://user:word@example.com:8080/a/b?q#top");
  EXPECT_EQ(url.href(), "https://user:word@example.com:8080/a/b?q#top");
  EXPECT_EQ(url.protocol(), "https:");
  EXPECT_EQ(url.scheme(), "https");
  EXPECT_EQ(url.username(), "user");
  EXPECT_EQ(url.password(), "word");
  EXPECT_EQ(url.host(), "example.com:8080");
  EXPECT_EQ(url.hostname(), "example.com");
  EXPECT_EQ(url.port(), "8080");
  EXPECT_EQ(url.pathname(), "/a/b");
  EXPECT_EQ(url.search(), "?q");
  EXPECT_EQ(url.hash(), "#top");
  EXPECT_EQ(url.origin(), "https://example.com:8080");
}

TEST(Url, HasThePartsThatAClientNeeds) {
  const Url url = parsed("https://example.com/a?q#top");
  EXPECT_EQ(url.request_target(), "/a?q");
  EXPECT_EQ(url.without_fragment(), "https://example.com/a?q");
  EXPECT_EQ(url.effective_port(), 443);
  EXPECT_EQ(parsed("http://example.com:81").effective_port(), 81);
  EXPECT_EQ(parsed("mailto:a@b").effective_port(), 0);
  EXPECT_TRUE(url.is_http_or_https());
  EXPECT_FALSE(parsed("ftp://example.com/").is_http_or_https());
}

TEST(Url, DistinguishesAnEmptyQueryFromNone) {
  EXPECT_EQ(parsed("http://h/").query(), std::nullopt);
  EXPECT_EQ(parsed("http://h/?").query(), "");
  EXPECT_EQ(parsed("http://h/?").search(), "");
  EXPECT_EQ(parsed("http://h/#").fragment(), "");
  EXPECT_EQ(parsed("http://h/#").hash(), "");
  EXPECT_EQ(parsed("http://h/?#").href(), "http://h/?#");
}

TEST(Url, KnowsWhatKindOfHostItHas) {
  EXPECT_EQ(parsed("http://example.com/").host_kind(), HostKind::domain);
  EXPECT_EQ(parsed("http://0x7f.1/").host_kind(), HostKind::ipv4);
  EXPECT_EQ(parsed("http://[::1]/").host_kind(), HostKind::ipv6);
  EXPECT_EQ(parsed("foo://Example/").host_kind(), HostKind::opaque);
  EXPECT_EQ(parsed("file:///x").host_kind(), HostKind::none);
  EXPECT_EQ(parsed("file://localhost/x").host_kind(), HostKind::none);
  EXPECT_EQ(parsed("mailto:x").host_kind(), HostKind::none);
}

TEST(Url, WritesHostsInTheirNormalForm) {
  EXPECT_EQ(parsed("HTTP://EXAMPLE.com:80").href(), "http://example.com/");
  EXPECT_EQ(parsed("http://ex%41mple.com/").hostname(), "example.com");
  EXPECT_EQ(parsed("http://b\xC3\xBC"
                   "cher.example/")
                .hostname(),
            "xn--bcher-kva.example");
  EXPECT_EQ(parsed("http://3279880203/").hostname(), "195.127.0.11");
  EXPECT_EQ(parsed("http://[1:0::0:2]/").hostname(), "[1::2]");
}

TEST(Url, SaysWhyItDoesNotParse) {
  EXPECT_EQ(failure_of("page.html"), UrlFailure::relative_without_base);
  EXPECT_EQ(failure_of(""), UrlFailure::relative_without_base);
  EXPECT_EQ(failure_of("http://"), UrlFailure::host_missing);
  EXPECT_EQ(failure_of("http://user@/"), UrlFailure::host_missing);
  EXPECT_EQ(failure_of("http://a b/"), UrlFailure::host_invalid);
  EXPECT_EQ(failure_of("http://a%00b/"), UrlFailure::host_invalid);
  EXPECT_EQ(failure_of("http://\xF0\x9F/"), UrlFailure::domain_invalid);
  EXPECT_EQ(failure_of("http://256.1.1.1/"), UrlFailure::ipv4_invalid);
  EXPECT_EQ(failure_of("http://[::g]/"), UrlFailure::ipv6_invalid);
  EXPECT_EQ(failure_of("http://h:65536/"), UrlFailure::port_invalid);
  EXPECT_EQ(failure_of("http://h:x/"), UrlFailure::port_invalid);
  const auto failed = Url::parse("http://h:x/");
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code(), Errc::malformed);
  EXPECT_EQ(failed.error().detail(), describe(UrlFailure::port_invalid));
}

TEST(Url, HasAMaximumLength) {
  std::string text(kUrlBytesMax, '/');
  Url url;
  EXPECT_EQ(url.assign(text), UrlFailure::relative_without_base) << "it is read";
  text.push_back('/');
  EXPECT_EQ(url.assign(text), UrlFailure::too_long);
}

TEST(Url, RejectsAddressesThatDoNotFit) {
  EXPECT_EQ(failure_of("http://0x10000000000000001/"), UrlFailure::ipv4_invalid);
  EXPECT_EQ(failure_of("http://[::1:]/"), UrlFailure::ipv6_invalid);
  EXPECT_EQ(failure_of("http://[::1/"), UrlFailure::ipv6_invalid);
  EXPECT_EQ(parsed("http://[::ffff:255.255.255.255]/").hostname(), "[::ffff:ffff:ffff]");
  EXPECT_EQ(parsed("http://h:65535/").port_number(), 65535);
  EXPECT_EQ(parsed("http://h:00080/").port(), "");
  EXPECT_EQ(parsed("http://h:/").port(), "");
}

// https://url.spec.whatwg.org/#special-scheme
TEST(Url, LeavesOutTheDefaultPortOfItsSchemeOnly) {
  EXPECT_EQ(parsed("https://h:443/").href(), "https://h/");
  EXPECT_EQ(parsed("ws://h:80/").href(), "ws://h/");
  EXPECT_EQ(parsed("wss://h:443/").href(), "wss://h/");
  EXPECT_EQ(parsed("ftp://h:21/").href(), "ftp://h/");
  EXPECT_EQ(parsed("http://h:443/").href(), "http://h:443/");
  EXPECT_EQ(parsed("https://h:80/").href(), "https://h:80/");
  EXPECT_EQ(parsed("foo://h:80/").href(), "foo://h:80/");
  EXPECT_EQ(parsed("ftp://h/").effective_port(), 21);
  EXPECT_EQ(parsed("ws://h/").effective_port(), 80);
  EXPECT_EQ(parsed("wss://h/").effective_port(), 443);
}

// https://url.spec.whatwg.org/#is-special: other schemes may have no host, no path and any port.
TEST(Url, OfAnotherSchemeKeepsWhatItHas) {
  for (const char* const text : {"foo://h", "foo://h?q", "foo://h#f", "foo://h:0/", "foo://",
                                 "foo:///x", "foo:/x", "foo://h/\\x"}) {
    EXPECT_EQ(parsed(text).href(), text);
  }
  EXPECT_EQ(parsed("foo://h?q").pathname(), "");
  EXPECT_EQ(parsed("http://h:0/").href(), "http://h:0/");
  EXPECT_EQ(resolved("foo://a/b", "//g/x"), "foo://g/x");
  EXPECT_EQ(resolved("foo://a/b", "/x"), "foo://a/x");
  EXPECT_EQ(failure_of("foo://h\\x/"), UrlFailure::host_invalid);
  EXPECT_EQ(parsed("file:x").href(), "file:///x");
  EXPECT_EQ(parsed("file:").href(), "file:///");
}

TEST(Url, TakesTheQueryOfTheBaseOnlyForAnEmptyReferenceOrAFragment) {
  const Url base = parsed("http://h/a?q=1#f");
  EXPECT_EQ(parsed("#s", &base).search(), "?q=1");
  EXPECT_EQ(parsed("#s", &base).hash(), "#s");
  EXPECT_EQ(parsed("", &base).search(), "?q=1");
  EXPECT_EQ(parsed("", &base).fragment(), std::nullopt);
  EXPECT_EQ(parsed("?", &base).query(), "");
  EXPECT_EQ(parsed("b", &base).query(), std::nullopt);
}

// The common part comes from the other URL, which must not affect anything else.
TEST(Url, IsTheSameWhateverItIsReadBeside) {
  const std::vector<std::string> others = {"",
                                           "http://a/",
                                           "http://a/b/c?d#e",
                                           "http://a:80/b",
                                           "http://a:8080/b",
                                           "https://a/b",
                                           "http://u:p@a/b",
                                           "http://127.0.0.1/x",
                                           "http://127.0.0.1:81/x",
                                           "http://[::1]/x",
                                           "ws://a/b",
                                           "file:///a/b",
                                           "data:x",
                                           "x://a/b"};
  const std::vector<std::string> texts = {"http://a/",
                                          "http://a",
                                          "http://a/../x/./y",
                                          "http://a//x",
                                          "http://a\\x",
                                          "http://ab/x",
                                          "http://a:8080/x",
                                          "http://a:80/x",
                                          "http://a:808/x",
                                          "http://a/x?y#z",
                                          "http://a?x",
                                          " http://a/ x\t",
                                          "HTTP://A/x",
                                          "http://u:p@a/x/..",
                                          "http://u@a/x",
                                          "http://127.0.0.1/y",
                                          "http://127.1/y",
                                          "http://127.0.0.1:81/%zz",
                                          "http://[::1]/y",
                                          "file:///a/../..",
                                          "x://a/b/..",
                                          "data:x",
                                          "/x",
                                          "x",
                                          ""};
  for (const std::string& other_text : others) {
    Url other;
    static_cast<void>(other.assign(other_text));
    for (const std::string& text : texts) {
      Url plain;
      Url beside;
      EXPECT_EQ(beside.assign_beside(text, other), plain.assign(text)) << text;
      EXPECT_EQ(beside.href(), plain.href()) << text << " beside " << other_text;
      EXPECT_EQ(beside.host(), plain.host()) << text << " beside " << other_text;
      EXPECT_EQ(beside.pathname(), plain.pathname()) << text << " beside " << other_text;
      EXPECT_EQ(beside.search(), plain.search()) << text << " beside " << other_text;
      EXPECT_EQ(beside.effective_port(), plain.effective_port()) << text;
      EXPECT_EQ(beside.port(), plain.port()) << text << " beside " << other_text;
      EXPECT_EQ(beside.username(), plain.username()) << text << " beside " << other_text;
      EXPECT_EQ(beside.password(), plain.password()) << text << " beside " << other_text;
      EXPECT_EQ(beside.hash(), plain.hash()) << text << " beside " << other_text;
      EXPECT_EQ(beside.host_kind(), plain.host_kind()) << text << " beside " << other_text;
    }
  }
}

TEST(Url, ResolvesReferences) {
  constexpr std::string_view kBase = "http://a/b/c/d;p?q#f";
  EXPECT_EQ(resolved(kBase, "g"), "http://a/b/c/g");
  EXPECT_EQ(resolved(kBase, "./g/"), "http://a/b/c/g/");
  EXPECT_EQ(resolved(kBase, "/g"), "http://a/g");
  EXPECT_EQ(resolved(kBase, "//G/x"), "http://g/x");
  EXPECT_EQ(resolved(kBase, "\\\\g\\x"), "http://g/x");
  EXPECT_EQ(resolved(kBase, "?y"), "http://a/b/c/d;p?y");
  EXPECT_EQ(resolved(kBase, "#s"), "http://a/b/c/d;p?q#s");
  EXPECT_EQ(resolved(kBase, ""), "http://a/b/c/d;p?q");
  EXPECT_EQ(resolved(kBase, "../../../g"), "http://a/g");
  EXPECT_EQ(resolved(kBase, ".."), "http://a/b/");
  EXPECT_EQ(resolved(kBase, "."), "http://a/b/c/");
  EXPECT_EQ(resolved(kBase, "g;x=1/../y"), "http://a/b/c/y");
  EXPECT_EQ(resolved(kBase, "http:g"), "http://a/b/c/g");
  EXPECT_EQ(resolved(kBase, "https:g"), "https://g/");
  EXPECT_EQ(resolved(kBase, "mailto:x@y"), "mailto:x@y");
}

TEST(Url, TakesTheAuthorityOfTheBase) {
  const Url base = parsed("https://user:word@h:81/x");
  const Url url = parsed("y", &base);
  EXPECT_EQ(url.href(), "https://user:word@h:81/y");
  EXPECT_EQ(url.username(), "user");
  EXPECT_EQ(url.password(), "word");
  EXPECT_EQ(url.host(), "h:81");
  EXPECT_EQ(url.port_number(), 81);
  EXPECT_EQ(url.pathname(), "/y");
}

TEST(Url, RemovesDotsPlainAndEscaped) {
  EXPECT_EQ(parsed("http://h/a/./b/../c").pathname(), "/a/c");
  EXPECT_EQ(parsed("http://h/a/%2e/b/.%2E/c").pathname(), "/a/c");
  EXPECT_EQ(parsed("http://h/a/..").pathname(), "/");
  EXPECT_EQ(parsed("http://h/../../a").pathname(), "/a");
  EXPECT_EQ(parsed("http://h/a/...").pathname(), "/a/...");
  EXPECT_EQ(parsed("http://h/.a/%2Fb/%").pathname(), "/.a/%2Fb/%");
  EXPECT_EQ(parsed("http://h//a//..//b").pathname(), "//a//b");
}

TEST(Url, IgnoresWhiteSpaceAroundAndTabsAndLineEndsWithin) {
  EXPECT_EQ(parsed(" \t\n http://ex\nam\tple.com/a\r\n/b \x01").href(), "http://example.com/a/b");
  const std::string long_path(5000, 'x');
  EXPECT_EQ(parsed("http://h/\n" + long_path).pathname(), "/" + long_path);
}

TEST(Url, EscapesWhatMustBe) {
  EXPECT_EQ(parsed("http://h/a b\"<>`{}^|[]").pathname(), "/a%20b%22%3C%3E%60%7B%7D%5E|[]");
  EXPECT_EQ(parsed("http://h/?a b'\"").search(), "?a%20b%27%22");
  EXPECT_EQ(parsed("foo://h/?a'").search(), "?a'");
  EXPECT_EQ(parsed("http://h/#a b`").hash(), "#a%20b%60");
  EXPECT_EQ(parsed("http://h/\xC3\xA4?\xE2\x82\xAC#\xF0\x9F\x98\x80").href(),
            "http://h/%C3%A4?%E2%82%AC#%F0%9F%98%80");
}

TEST(Url, TakesWhatIsNotUtf8ForReplacementCharacters) {
  EXPECT_EQ(parsed("http://h/\xFF").pathname(), "/%EF%BF%BD");
  EXPECT_EQ(parsed("http://h/\xE2\x82").pathname(), "/%EF%BF%BD");
  EXPECT_EQ(parsed("http://h/\xE2\x82x").pathname(), "/%EF%BF%BDx");
  EXPECT_EQ(parsed("http://h/\xC0\xAF").pathname(), "/%EF%BF%BD%EF%BF%BD");
  EXPECT_EQ(parsed("http://h/\xED\xA0\x80").pathname(), "/%EF%BF%BD%EF%BF%BD%EF%BF%BD");
  // The worst case for the room that the parser reserves.
  EXPECT_EQ(parsed("x:" + std::string(300, '\xFF')).pathname().size(), 2700U);
}

TEST(Url, KeepsOpaquePaths) {
  const Url base = parsed("mailto:a@b.example?subject=x");
  EXPECT_TRUE(base.has_opaque_path());
  EXPECT_EQ(base.pathname(), "a@b.example");
  EXPECT_EQ(parsed("#f", &base).href(), "mailto:a@b.example?subject=x#f");
  EXPECT_EQ(failure_of("x", &base), UrlFailure::relative_without_base);
  EXPECT_EQ(parsed("x:a  #f").href(), "x:a %20#f");
}

TEST(Url, KeepsAPathFromBecomingAHost) {
  const Url url = parsed("web+demo:/.//not-a-host/");
  EXPECT_EQ(url.href(), "web+demo:/.//not-a-host/");
  EXPECT_EQ(url.pathname(), "//not-a-host/");
  EXPECT_EQ(parsed("x", &url).href(), "web+demo:/.//not-a-host/x");
  EXPECT_EQ(parsed("/x", &url).href(), "web+demo:/x");
  EXPECT_EQ(parsed("..//x", &url).href(), "web+demo:/.///x");
}

TEST(Url, KnowsDriveLettersInFileUrls) {
  EXPECT_EQ(parsed("file:///C|/x/..").href(), "file:///C:/");
  EXPECT_EQ(parsed("file:///C:/../..").href(), "file:///C:/");
  const Url base = parsed("file:///C:/a/b");
  EXPECT_EQ(parsed("/x", &base).href(), "file:///C:/x");
  EXPECT_EQ(parsed("D|/x", &base).href(), "file:///D:/x");
  EXPECT_EQ(parsed("file://D:/x").href(), "file:///D:/x");
}

TEST(Url, HasAnOpaqueOriginUnlessItIsAPageOnTheWeb) {
  EXPECT_EQ(parsed("file:///x").origin(), "null");
  EXPECT_EQ(parsed("data:text/plain,x").origin(), "null");
  EXPECT_EQ(parsed("blob:https://h:8443/uuid").origin(), "https://h:8443");
  EXPECT_EQ(parsed("blob:ftp://h/uuid").origin(), "null");
}

TEST(Url, IsEmptyAfterMoveAndFailure) {
  Url url = parsed("https://example.com/a?b#c");
  const Url moved = std::move(url);
  EXPECT_EQ(moved.hash(), "#c");
  EXPECT_TRUE(url.empty());  // NOLINT(bugprone-use-after-move)
  for (const std::string_view part : {url.protocol(), url.username(), url.password(), url.host(),
                                      url.pathname(), url.search(), url.hash(), url.scheme()}) {
    EXPECT_EQ(part, "");
  }
  EXPECT_EQ(url.query(), std::nullopt);
  EXPECT_EQ(url.fragment(), std::nullopt);
  url = parsed("http://other/");
  EXPECT_EQ(url.host(), "other");
}

TEST(Url, AnEmptyBaseIsNone) {
  const Url none;
  EXPECT_EQ(failure_of("x", &none), UrlFailure::relative_without_base);
  EXPECT_EQ(parsed("http://h", &none).href(), "http://h/");
}

TEST(Url, KeepsItsBufferWhenAssignedTo) {
  const Url base = parsed("https://example.com/some/folder/page.html");
  Url url;
  ASSERT_EQ(url.assign("https://example.com/\xC3\xA4" + std::string(300, 'x')), UrlFailure::none);
  const char* const memory = url.href().data();
  for (const std::string_view link : {"a", "../b?c#d", "https://other.example/", "//x/\xC3\xA4"}) {
    ASSERT_EQ(url.assign(link, &base), UrlFailure::none);
    EXPECT_EQ(url.href().data(), memory);
  }
}

// Accepts one-byte characters and rejects all others.
class LatinEncoder final : public QueryEncoder {
 public:
  Step encode(std::string_view text, std::string& bytes) override {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      if (byte < 0x80) {
        bytes.push_back(text[i]);
      } else if (byte == 0xC3) {
        bytes.push_back(static_cast<char>(0xC0 | (text[++i] & 0x3F)));
      } else {
        return {.consumed = i + 3, .refused = U'\u20AC'};
      }
    }
    return {.consumed = text.size(), .refused = std::nullopt};
  }
};

TEST(Url, WritesQueriesInTheEncodingOfThePage) {
  LatinEncoder encoder;
  Url url;
  ASSERT_EQ(url.assign("http://h/\xC3\xA4?a=\xC3\xA4&b=\xE2\x82\xAC'#\xC3\xA4", nullptr, &encoder),
            UrlFailure::none);
  EXPECT_EQ(url.href(), "http://h/%C3%A4?a=%E4&b=%26%238364%3B%27#%C3%A4");
  // Whatever the base has of it already.
  const Url base = parsed("http://h/x?y");
  ASSERT_EQ(url.assign("http://h/\xC3\xA4?\xC3\xA4", &base, &encoder), UrlFailure::none);
  EXPECT_EQ(url.href(), "http://h/%C3%A4?%E4");
  // Not for schemes whose queries are not forms.
  ASSERT_EQ(url.assign("ws://h/?\xC3\xA4", nullptr, &encoder), UrlFailure::none);
  EXPECT_EQ(url.href(), "ws://h/?%C3%A4");
  ASSERT_EQ(url.assign("foo://h/?\xC3\xA4", nullptr, &encoder), UrlFailure::none);
  EXPECT_EQ(url.href(), "foo://h/?%C3%A4");
}

TEST(Url, OrdersAndComparesBySpelling) {
  EXPECT_EQ(parsed("http://H/"), parsed("http://h"));
  EXPECT_NE(parsed("http://h/"), parsed("http://h/#"));
  EXPECT_LT(parsed("http://a/"), parsed("http://b/"));
}

}  // namespace
}  // namespace gossamer::url
