#include "scope/scope.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/processor_time.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gossamer::crawler {
namespace {

url::Url parse(std::string_view text) { return url::Url::parse(text).value(); }

Scope make(ScopeOptions options, std::initializer_list<std::string_view> roots) {
  EXPECT_TRUE(validate(options).has_value());
  Scope scope(std::move(options), url::PublicSuffixList::built_in());
  for (const std::string_view root : roots) scope.add_root(parse(root));
  return scope;
}

Scope make(ScopeKind kind, std::initializer_list<std::string_view> roots) {
  return make(ScopeOptions{.kind = kind}, roots);
}

SkipReason judge(const Scope& scope, std::string_view text, const LinkFacts& facts = {.depth = 1}) {
  return scope.judge(parse(text), facts);
}

void expect_inside(const Scope& scope, std::initializer_list<std::string_view> urls) {
  for (const std::string_view url : urls) EXPECT_EQ(judge(scope, url), SkipReason::none) << url;
}

void expect_outside(const Scope& scope, std::initializer_list<std::string_view> urls) {
  for (const std::string_view url : urls) {
    EXPECT_EQ(judge(scope, url), SkipReason::out_of_scope) << url;
  }
}

TEST(Scope, OfAPageIsOnlyTheRoots) {
  const Scope scope = make(ScopeKind::page, {"http://example.com/a/b?q", "http://example.com/c"});
  expect_inside(scope, {"http://example.com/a/b?q", "https://www.example.com/c#part"});
  expect_outside(scope, {"http://example.com/a/b", "http://example.com/a/", "http://other.com/c"});
}

TEST(Scope, OfAPrefixIsTheFolderOfTheRoot) {
  const Scope scope = make(ScopeKind::prefix, {"https://example.com/docs/index.html"});
  expect_inside(scope, {"https://example.com/docs/", "http://www.example.com/docs/a/b?c",
                        "https://example.com/docs/index.html"});
  expect_outside(scope, {"https://example.com/docs", "https://example.com/docs2/",
                         "https://example.com/", "https://other.com/docs/"});
  expect_inside(make(ScopeKind::prefix, {"http://example.com/docs"}), {"http://example.com/other"});
}

TEST(Scope, OfAPrefixIncludesTheFoldersOfAllRoots) {
  const Scope scope = make(ScopeKind::prefix, {"http://h/b/c/x", "http://h/b/", "http://h/b/d/",
                                               "http://h/m/n/", "http://h/b-/", "http://i/"});
  expect_inside(scope, {"http://h/b/", "http://h/b/c/", "http://h/b/d/e", "http://h/b/zzz",
                        "http://h/m/n/o", "http://h/b-/x", "http://i/anything"});
  expect_outside(scope, {"http://h/", "http://h/a/", "http://h/b", "http://h/b-", "http://h/m/",
                         "http://h/m/n", "http://h/zzz"});
}

TEST(Scope, OfAHostIgnoresSchemeAndWww) {
  for (const std::string_view root : {"http://example.com/x", "https://www.example.com/"}) {
    const Scope scope = make(ScopeKind::host, {root});
    expect_inside(scope, {"http://example.com/", "https://example.com/", "http://www.example.com/y",
                          "https://www.example.com:443/", "http://example.com:80/"});
    expect_outside(scope, {"http://sub.example.com/", "http://example.org/", "http://com/",
                           "http://wwww.example.com/", "http://www.www.example.com/"});
  }
}

TEST(Scope, OfAHostTreatsAnotherPortAsAnotherHost) {
  const Scope scope = make(ScopeKind::host, {"http://example.com:8080/"});
  expect_inside(scope, {"http://example.com:8080/x", "https://www.example.com:8080/"});
  expect_outside(scope, {"http://example.com/", "http://example.com:8081/"});
  expect_outside(make(ScopeKind::host, {"http://example.com/"}), {"http://example.com:8080/"});
}

TEST(Scope, OfAHostMayBeAnAddress) {
  const Scope scope = make(ScopeKind::host, {"http://127.0.0.1:9/", "http://[::1]/"});
  expect_inside(scope, {"http://127.1:9/x", "http://[0:0::1]/y"});
  expect_outside(scope, {"http://127.0.0.1/", "http://127.0.0.2:9/", "http://[::2]/"});
}

TEST(Scope, OfADomainIncludesAllItsHosts) {
  const Scope scope = make(ScopeKind::domain, {"https://shop.example.co.uk/"});
  expect_inside(scope, {"http://shop.example.co.uk/", "http://example.co.uk/",
                        "http://a.b.example.co.uk:8080/", "https://www.example.co.uk/"});
  expect_outside(scope, {"http://other.co.uk/", "http://co.uk/", "http://badexample.co.uk/",
                         "http://example.com/"});
}

TEST(Scope, OfAPublicSuffixIsOnlyTheHost) {
  const Scope scope =
      make(ScopeKind::domain, {"http://github.io/", "http://10.0.0.1:81/", "http://localhost/"});
  expect_inside(scope, {"http://github.io/x", "http://10.0.0.1:81/x", "http://localhost/x"});
  expect_outside(scope, {"http://other.github.io/", "http://10.0.0.1/", "http://20.0.0.1:81/",
                         "http://a.localhost/", "http://localhost:8080/"});
}

TEST(Scope, RemembersVerdictsOnHostsOnlyUntilARootIsAdded) {
  Scope scope = make(ScopeKind::domain, {"http://a.com/"});
  expect_outside(scope, {"http://x.b.com/", "http://x.b.com/"});
  scope.add_root(parse("http://b.com/"));
  expect_inside(scope, {"http://x.b.com/", "http://x.b.com/", "http://y.a.com/"});
}

TEST(Scope, OfADomainStaysRightWithThousandsOfHosts) {
  const Scope scope = make(ScopeKind::domain, {"http://a.com/"});
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 2000; ++i) {
      const std::string host = "http://h" + std::to_string(i);
      ASSERT_EQ(judge(scope, host + ".a.com/"), SkipReason::none);
      ASSERT_EQ(judge(scope, host + ".b.com/"), SkipReason::out_of_scope);
    }
  }
}

TEST(Scope, OfAnyIncludesAllHttpUrls) {
  const Scope scope = make(ScopeKind::any, {"http://a.com/"});
  expect_inside(scope, {"http://b.org/", "https://[::1]:5/"});
}

// The worst order for a sorted container: each comes before all others.
std::string nth_root(ScopeKind kind, std::size_t n) {
  const std::size_t number = 99'999'999 - n;
  switch (kind) {
    case ScopeKind::page: return fmt::format("http://a.com/{}.html", number);
    case ScopeKind::prefix: return fmt::format("http://a.com/{}/index.html", number);
    default: return fmt::format("http://a{}.com/", number);
  }
}

TEST(Scope, TakesTwiceAsLongForTwiceTheRoots) {
  for (const auto kind :
       {ScopeKind::page, ScopeKind::prefix, ScopeKind::host, ScopeKind::domain, ScopeKind::any}) {
    const auto cost = [kind](std::size_t count) {
      std::vector<url::Url> roots;
      for (std::size_t i = 0; i < count; ++i) roots.push_back(parse(nth_root(kind, i)));
      const Duration before = processor_time();
      Scope scope = make(kind, {});
      for (const url::Url& root : roots) {
        scope.add_root(root);
        EXPECT_EQ(scope.judge(root, {}), SkipReason::none);
      }
      return processor_time() - before;
    };
    EXPECT_LT(growth(20'000, cost), 3) << static_cast<int>(kind);
  }
}

TEST(Scope, OfFoldersMayHaveFoldersWithinOthers) {
  const Scope scope =
      make(ScopeKind::prefix, {"http://h/a/b/c/x", "http://h/a/b/d/x", "http://h/a-b/",
                               "http://h/a/b/", "http://h/a/z/", "http://h/a/b/c/d/"});
  expect_inside(scope, {"http://h/a/b/", "http://h/a/b/c/y", "http://h/a/b/q", "http://h/a/z/1",
                        "http://h/a-b/1"});
  expect_outside(scope, {"http://h/a/", "http://h/a/y/", "http://h/a-c/", "http://h/"});
}

TEST(Scope, HasOnlyHttpAndHttps) {
  for (const auto kind : {ScopeKind::host, ScopeKind::any}) {
    const Scope scope = make(kind, {"http://example.com/", "ftp://example.org/"});
    for (const std::string_view url : {"mailto:a@example.com", "javascript:void(0)", "data:,x",
                                       "ftp://example.com/", "file:///etc/passwd", "tel:1"}) {
      EXPECT_EQ(judge(scope, url), SkipReason::not_http) << url;
      EXPECT_EQ(judge(scope, url, {.is_root = true}), SkipReason::not_http) << url;
    }
  }
  EXPECT_EQ(judge(make(ScopeKind::host, {"ftp://a/"}), "http://a/"), SkipReason::out_of_scope);
}

TEST(Scope, ExcludeWinsOverIncludeAndIncludeNarrowsTheKind) {
  const Scope scope =
      make({.include = {"/docs/", "/blog/"}, .exclude = {"private", R"(\?print=)"}}, {"http://h/"});
  EXPECT_EQ(judge(scope, "http://h/docs/a"), SkipReason::none);
  EXPECT_EQ(judge(scope, "http://h/blog/"), SkipReason::none);
  EXPECT_EQ(judge(scope, "http://h/shop/"), SkipReason::not_included);
  EXPECT_EQ(judge(scope, "http://h/docs/private"), SkipReason::excluded);
  EXPECT_EQ(judge(scope, "http://h/docs/?print=1"), SkipReason::excluded);
  EXPECT_EQ(judge(scope, "http://h/private"), SkipReason::excluded);
  EXPECT_EQ(judge(scope, "http://other/docs/"), SkipReason::out_of_scope);
  EXPECT_EQ(judge(scope, "http://h/docs/#private"), SkipReason::none) << "no fragments";
}

TEST(Scope, OnlyExcludeAppliesToRoots) {
  const Scope scope = make({.kind = ScopeKind::prefix,
                            .include = {"/docs/"},
                            .exclude = {"private"},
                            .depth_max = 0,
                            .skipped_extensions = {"zip"}},
                           {"http://h/docs/"});
  const LinkFacts root = {.is_root = true};
  EXPECT_EQ(judge(scope, "http://h/", root), SkipReason::none);
  EXPECT_EQ(judge(scope, "http://where.it/redirects/to.zip", root), SkipReason::none);
  EXPECT_EQ(judge(scope, "http://h/private/", root), SkipReason::excluded);
}

TEST(Scope, HasADepth) {
  const Scope scope = make({.depth_max = 2}, {"http://h/"});
  EXPECT_EQ(judge(scope, "http://h/a", {.depth = 2}), SkipReason::none);
  EXPECT_EQ(judge(scope, "http://h/a", {.depth = 3}), SkipReason::too_deep);
  const Scope deep = make(ScopeOptions{}, {"http://h/"});
  EXPECT_EQ(judge(deep, "http://h/a", {.depth = 1'000'000}), SkipReason::none);
}

TEST(Scope, IncludesRequisitesIfEnabled) {
  const LinkFacts requisite = {.depth = 3, .is_requisite = true};
  const ScopeOptions options = {.include = {"/docs/"},
                                .exclude = {"tracker"},
                                .depth_max = 2,
                                .assets = true,
                                .skipped_extensions = {"mp4"}};
  const Scope scope = make(options, {"http://h/"});
  EXPECT_EQ(judge(scope, "http://cdn.net/a.css", requisite), SkipReason::none);
  EXPECT_EQ(judge(scope, "http://tracker.net/a.gif", requisite), SkipReason::excluded);
  EXPECT_EQ(judge(scope, "http://cdn.net/a.mp4", requisite), SkipReason::extension);
  EXPECT_EQ(judge(scope, "http://cdn.net/docs/", {.depth = 1}), SkipReason::out_of_scope);

  const Scope without = make(ScopeOptions{}, {"http://h/"});
  EXPECT_EQ(judge(without, "http://cdn.net/a.css", requisite), SkipReason::out_of_scope);
  EXPECT_EQ(judge(without, "http://h/a.css", requisite), SkipReason::none);
}

TEST(Scope, SkipsExtensionsIfEnabled) {
  const Scope scope = make({.skipped_extensions = {"zip", "jpg"}}, {"http://h/"});
  for (const std::string_view url :
       {"http://h/a.zip", "http://h/b/A.JPG?x=y.html#z", "http://h/x.tar.zip"}) {
    EXPECT_EQ(judge(scope, url), SkipReason::extension) << url;
  }
  for (const std::string_view url :
       {"http://h/zip", "http://h/.zip", "http://h/a.zip/", "http://h/a.zip/b", "http://h/?a.zip",
        "http://h/a.", "http://h/a.zipx", "http://h/a.html",
        "http://h/a.anextensionthatisverylongindeed"}) {
    EXPECT_EQ(judge(scope, url), SkipReason::none) << url;
  }
  EXPECT_EQ(judge(make(ScopeOptions{}, {"http://h/"}), "http://h/a.zip"), SkipReason::none);
}

TEST(Scope, SkipsTheUsualExtensions) {
  ScopeOptions options;
  options.skipped_extensions.assign(kUsualSkippedExtensions.begin(), kUsualSkippedExtensions.end());
  const Scope scope = make(options, {"http://h/"});
  EXPECT_EQ(judge(scope, "http://h/film.mp4"), SkipReason::extension);
  EXPECT_EQ(judge(scope, "http://h/feed.xml"), SkipReason::none);
  EXPECT_EQ(judge(scope, "http://h/paper.pdf"), SkipReason::none);
}

TEST(Scope, RejectsUrlsThatAreTooLong) {
  const Scope scope = make({.url_bytes_max = 20}, {"http://h/"});
  EXPECT_EQ(judge(scope, "http://h/34567890123"), SkipReason::none);
  EXPECT_EQ(judge(scope, "http://h/345678901234"), SkipReason::url_too_long);
  EXPECT_EQ(judge(scope, "http://h/#4567890123456"), SkipReason::none);
}

TEST(Scope, CanExcludeMoreLater) {
  Scope scope = make(ScopeOptions{.exclude = {"/a$"}}, {"http://h/"});
  EXPECT_EQ(judge(scope, "http://h/b"), SkipReason::none);
  EXPECT_EQ(scope.exclude("b(").error(), Errc::invalid_argument);
  EXPECT_EQ(judge(scope, "http://h/b"), SkipReason::none) << "the wrong pattern has no effect";
  EXPECT_TRUE(scope.exclude("/b$"));
  EXPECT_TRUE(scope.exclude("/c$"));
  for (const std::string_view url : {"http://h/a", "http://h/b", "http://h/c#d"}) {
    EXPECT_EQ(judge(scope, url), SkipReason::excluded) << url;
  }
  EXPECT_FALSE(scope.is_excluded_later(parse("http://h/a")));
  EXPECT_TRUE(scope.is_excluded_later(parse("http://h/b")));
}

TEST(Scope, CanIncludeAgainWhatItExcludedLater) {
  Scope scope = make(ScopeOptions{.exclude = {"/a$"}}, {"http://h/"});
  ASSERT_TRUE(scope.exclude("/b$") && scope.exclude("/c$"));
  EXPECT_TRUE(scope.unexclude("/b$"));
  EXPECT_EQ(judge(scope, "http://h/b"), SkipReason::none);
  EXPECT_EQ(judge(scope, "http://h/c"), SkipReason::excluded);
  EXPECT_EQ(scope.unexclude("/b$").error(), Errc::not_found);
  EXPECT_EQ(scope.unexclude("/a$").error(), Errc::not_found) << "an option stays";
  EXPECT_TRUE(scope.unexclude("/c$"));
  EXPECT_EQ(judge(scope, "http://h/c"), SkipReason::none);
  EXPECT_EQ(judge(scope, "http://h/a"), SkipReason::excluded);
}

TEST(Scope, ExcludesAHundredPatternsLater) {
  Scope scope = make(ScopeOptions{}, {"http://h/"});
  for (std::size_t i = 0; i < Scope::kLaterExcludesMax; ++i) {
    ASSERT_TRUE(scope.exclude(fmt::format("/x{}$", i)));
    ASSERT_TRUE(scope.exclude("/x0$")) << "the same pattern counts once";
  }
  EXPECT_EQ(scope.exclude("/z$").error(), Errc::over_limit);
  EXPECT_TRUE(scope.exclude("/x1$")) << "it is known";
}

TEST(ScopeOptions, AreCheckedBeforeTheyAreUsed) {
  EXPECT_TRUE(validate(ScopeOptions{}).has_value());
  for (const ScopeOptions& bad :
       {ScopeOptions{.include = {"a("}}, ScopeOptions{.exclude = {"ok", "[z-a]"}},
        ScopeOptions{.url_bytes_max = 0}, ScopeOptions{.skipped_extensions = {".zip"}},
        ScopeOptions{.skipped_extensions = {"ZIP"}}, ScopeOptions{.skipped_extensions = {""}}}) {
    const auto result = validate(bad);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error(), Errc::invalid_argument);
  }
  EXPECT_THAT(validate(ScopeOptions{.exclude = {"ok", "[z-a]"}}).error().to_string(),
              testing::HasSubstr("[z-a]"));
}

TEST(Scope, SkipsExtensionsOfUpToSixteenLettersAndDigits) {
  const std::string longest = "0123456789abcdez";
  const Scope scope = make({.skipped_extensions = {longest, "7z", "mp09"}}, {"http://h/"});
  EXPECT_EQ(judge(scope, "http://h/a." + longest), SkipReason::extension);
  EXPECT_EQ(judge(scope, "http://h/a.mp09"), SkipReason::extension);
  for (const std::string& bad : {longest + "x", std::string("a/"), std::string("a:")}) {
    EXPECT_FALSE(validate(ScopeOptions{.skipped_extensions = {bad}})) << bad;
  }
}

TEST(Scope, AHostMayHaveItsOwnPatterns) {
  const std::vector<HostOptions> hosts = {{.name = "h", .exclude = std::vector<std::string>{"/b"}}};
  Scope scope({.kind = ScopeKind::any, .exclude = {"/a"}}, url::PublicSuffixList::built_in(),
              hosts);
  EXPECT_EQ(judge(scope, "http://h/a"), SkipReason::none);
  EXPECT_EQ(judge(scope, "http://h/b"), SkipReason::excluded);
  EXPECT_EQ(judge(scope, "http://i/a"), SkipReason::excluded);
  EXPECT_EQ(judge(scope, "http://i/b"), SkipReason::none);
}

TEST(ScopeTest, WhatIsExcludedDoesNotBecomeALeaf) {
  Scope scope({.exclude = {"/private/"}}, url::PublicSuffixList::built_in());
  scope.add_root(url::Url::parse("http://a.example/").value());
  const LinkFacts leaf = {.depth = 1, .may_become_leaf = true};
  EXPECT_EQ(judge(scope, "http://b.example/", leaf), SkipReason::out_of_scope);
  EXPECT_EQ(judge(scope, "http://b.example/private/", leaf), SkipReason::excluded);
  EXPECT_EQ(judge(scope, "http://b.example/private/"), SkipReason::out_of_scope);
}

}  // namespace
}  // namespace gossamer::crawler
