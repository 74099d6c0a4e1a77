#include "url/crawl_identity.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/hash.h"

namespace gossamer::url {
namespace {

std::string normal(std::string_view text, const IdentityRules& rules = {}) {
  Url url;
  EXPECT_EQ(url.assign(text), UrlFailure::none) << text;
  CrawlIdentity identity(rules);
  const std::string form(identity.normal_form(url));
  EXPECT_EQ(identity.fingerprint(url), base::hash64(form));
  Url again;
  EXPECT_EQ(again.assign(form), UrlFailure::none) << form;
  EXPECT_EQ(CrawlIdentity(rules).normal_form(again), form) << "the normal form is its own";
  return form;
}

TEST(CrawlIdentity, TakesSpellingsOfOnePageForOne) {
  const std::string_view page = "http://example.com/a/b?q=1";
  EXPECT_EQ(normal("HTTP://Example.COM:80/a/b?q=1#top"), page);
  EXPECT_EQ(normal("http://example.com/a/./c/../b?q=1"), page);
  EXPECT_EQ(normal("http://example.com/%61/b?%71=1"), page);
  EXPECT_EQ(normal("http:\\\\example.com\\a\\b?q=1"), page);
}

TEST(CrawlIdentity, DropsTheFragmentAndTheEmptyQuery) {
  EXPECT_EQ(normal("http://h/?"), "http://h/");
  EXPECT_EQ(normal("http://h/?#x"), "http://h/");
  EXPECT_EQ(normal("http://h/%3a?#x"), "http://h/%3A");
  EXPECT_EQ(normal("http://h/??"), "http://h/??");
  EXPECT_EQ(normal("mailto:x?"), "mailto:x");
}

TEST(CrawlIdentity, WritesEscapesInUpperCaseAndOnlyWhereTheyMatter) {
  EXPECT_EQ(normal("http://h/%7euser/%2f%c3%a4/%"), "http://h/~user/%2F%C3%A4/%");
  EXPECT_EQ(normal("http://h/a%zz%4"), "http://h/a%zz%4");
  EXPECT_EQ(normal("http://h/?a=%2d%26"), "http://h/?a=-%26");
  EXPECT_EQ(normal("http://us%3aer@h/"), "http://us%3Aer@h/");
}

TEST(CrawlIdentity, MakesNoEscapeOfWhatWasNone) {
  EXPECT_EQ(normal("http://h/%%66A"), "http://h/%%66A");
  EXPECT_EQ(normal("http://h/%6%66"), "http://h/%6%66");
  EXPECT_EQ(normal("http://h/%zz%66"), "http://h/%zzf");
  EXPECT_EQ(normal("http://h/%70%30%2d%5F%7e%2e%5a"), "http://h/p0-_~.Z");
  EXPECT_EQ(normal("http://h/%"), "http://h/%");
  EXPECT_EQ(normal("http://h/%6"), "http://h/%6");
  EXPECT_EQ(normal("http://h/%2%35"), "http://h/%2%35");
  EXPECT_EQ(normal("file:///%43|/x?"), "file:///%43|/x");
}

TEST(CrawlIdentity, LeavesEverythingElseByDefault) {
  const std::string_view url =
      "http://www.example.com/index.html;jsessionid=1?utm_source=x&b=2&a=1&PHPSESSID=3";
  EXPECT_EQ(normal(url), url);
}

TEST(CrawlIdentity, DropsSessions) {
  const IdentityRules rules = {.drop_sessions = true};
  EXPECT_EQ(normal("http://h/a;jsessionid=E85FAC04E331/b", rules), "http://h/a/b");
  EXPECT_EQ(normal("http://h/?a=1&PHPSESSID=9682&b=2", rules), "http://h/?a=1&b=2");
  EXPECT_EQ(normal("http://h/?phpsessid=9682", rules), "http://h/");
  EXPECT_EQ(normal("http://h/?ASPSESSIONIDAQBS=EOHB&x", rules), "http://h/?x");
  EXPECT_EQ(normal("http://h/(S(4hqa0555fwsecu455xqckv45))/x.aspx", rules), "http://h/x.aspx");
  EXPECT_EQ(normal("http://h/(S(4hqa0555fwsecu455xqckv45))", rules), "http://h/");
  EXPECT_EQ(normal("http://h/?sid=0123456789abcdef", rules), "http://h/");
  EXPECT_EQ(normal("http://h/(4hqa0555fwsecu455xqckv45)/x", rules), "http://h/x");
  EXPECT_EQ(normal("http://h/(A(4hqa0555fwsecu455xqckv45)S(4hqa0555fwsecu455xqckv45))/x", rules),
            "http://h/x");
  for (const std::string_view url :
       {"http://h/(S(4hqa0555fwsecu455xqckv4))/x", "http://h/(S(4hqa0555fwsecu455xqckv45)/x",
        "http://h/(S)/x", "http://h/()/x", "http://h/(S(4hqa0555fwsecu455xqck-45))/x",
        "http://h/(1(4hqa0555fwsecu455xqckv45))/x", "http://h/?sid=0123456789abcd-f",
        "http://h/?xsid=0123456789abcdef"}) {
    EXPECT_EQ(normal(url, rules), url) << "not a session";
  }
  EXPECT_EQ(normal("http://h/a;v=1.2/(x)/?sid=12&aspx=1", rules),
            "http://h/a;v=1.2/(x)/?sid=12&aspx=1");
}

TEST(CrawlIdentity, LeavesWhatNoRuleLooksFor) {
  const IdentityRules every[] = {
      {.drop_sessions = true}, {.drop_tracking = true},
      {.sort_query = true},    {.collapse_index = true},
      {.strip_www = true},     {.drop_sessions = true, .strip_www = true}};
  for (const IdentityRules& rules : every) {
    EXPECT_EQ(normal("http://example.com/a/b.html", rules), "http://example.com/a/b.html");
    EXPECT_EQ(normal("http://example.com/a/b.html?#c;d", rules), "http://example.com/a/b.html");
    EXPECT_EQ(normal("http://example.com/%7ea/b", rules), "http://example.com/~a/b");
    EXPECT_EQ(normal("http://example.com/a?b=1", rules), "http://example.com/a?b=1");
  }
}

TEST(CrawlIdentity, DropsTracking) {
  const IdentityRules rules = {.drop_tracking = true};
  EXPECT_EQ(normal("http://h/?utm_source=a&q=1&UTM_medium=b&gclid=c&fbclid", rules),
            "http://h/?q=1");
  EXPECT_EQ(normal("http://h/?utm=1&a&&b=", rules), "http://h/?utm=1&a&b=");
}

TEST(CrawlIdentity, LeavesNoEmptyQueryBehind) {
  EXPECT_EQ(normal("http://h/?&", {.drop_tracking = true}), "http://h/");
  EXPECT_EQ(normal("http://h/?&&gclid=1&", {.drop_tracking = true}), "http://h/");
  EXPECT_EQ(normal("http://h/?&", {.sort_query = true}), "http://h/");
}

TEST(CrawlIdentity, SortsTheQueryByNameAndKeepsTheOrderOfValues) {
  const IdentityRules rules = {.sort_query = true};
  EXPECT_EQ(normal("http://h/?b=2&a=2&a=1&B&%61", rules), "http://h/?B&a=2&a=1&a&b=2");
}

TEST(CrawlIdentity, CollapsesIndexPages) {
  const IdentityRules rules = {.collapse_index = true};
  EXPECT_EQ(normal("http://h/a/index.html", rules), "http://h/a/");
  EXPECT_EQ(normal("http://h/index.php?x=1", rules), "http://h/?x=1");
  EXPECT_EQ(normal("http://h/index.html/a", rules), "http://h/index.html/a");
  EXPECT_EQ(normal("http://h/my-index.html", rules), "http://h/my-index.html");
}

TEST(CrawlIdentity, StripsWww) {
  const IdentityRules rules = {.strip_www = true};
  EXPECT_EQ(normal("http://user@www.example.com:81/", rules), "http://user@example.com:81/");
  EXPECT_EQ(normal("http://www.com/", rules), "http://www.com/");
  EXPECT_EQ(normal("http://www.com./", rules), "http://www.com./");
  EXPECT_EQ(normal("http://www2.example.com/", rules), "http://www2.example.com/");
}

TEST(CrawlIdentity, GuessesAboutTheWebOnly) {
  const IdentityRules all = {.drop_sessions = true,
                             .drop_tracking = true,
                             .sort_query = true,
                             .collapse_index = true,
                             .strip_www = true};
  EXPECT_EQ(normal("ftp://www.example.com/index.html?b&a", all),
            "ftp://www.example.com/index.html?b&a");
  EXPECT_EQ(normal("http://www.example.com/index.html?b&a", all), "http://example.com/?a&b");
}

TEST(CrawlIdentity, FingerprintsNeverChange) {
  Url url;
  ASSERT_EQ(url.assign("https://example.com/"), UrlFailure::none);
  EXPECT_EQ(CrawlIdentity().fingerprint(url), 0x4CA4CA394042CCEBU);
}

}  // namespace
}  // namespace gossamer::url
