// The small grammars of attributes: rel, srcset, refresh; and addresses in scripts.
#include "html/links/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "html/links/refresh.h"
#include "html/links/script_urls.h"
#include "html/links/srcset.h"
#include "html/token/names.h"

namespace gossamer::html {
namespace {

using testing::ElementsAre;

TEST(Names, AreFoundInAnyCase) {
  for (std::size_t i = 1; i < kTagNames.size(); ++i) {
    EXPECT_EQ(tag_id(kTagNames[i]), static_cast<TagId>(i)) << kTagNames[i];
  }
  for (std::size_t i = 1; i < kAttributeNames.size(); ++i) {
    EXPECT_EQ(attribute_id(kAttributeNames[i]), static_cast<AttributeId>(i)) << kAttributeNames[i];
  }
  EXPECT_EQ(tag_id("BlockQuote"), TagId::blockquote);
  EXPECT_EQ(tag_id("blockquotes"), TagId::other);
  EXPECT_EQ(tag_id("blockquo"), TagId::other);
  EXPECT_EQ(tag_id(""), TagId::other);
  EXPECT_EQ(attribute_id("HTTP-equiv"), AttributeId::http_equiv);
  EXPECT_EQ(attribute_id("http\requiv"), AttributeId::other);
}

TEST(RelSet, KnowsItsWordsInAnyCaseAndOrder) {
  const RelSet rel = parse_rel("\tSponsored  NOFOLLOW unknown ");
  EXPECT_TRUE(rel.has(Rel::sponsored));
  EXPECT_TRUE(rel.has(Rel::nofollow));
  EXPECT_FALSE(rel.has(Rel::ugc));
  EXPECT_TRUE(parse_rel("no follow").empty());
}

TEST(Srcset, KeepsCandidatesWithGoodDescriptors) {
  const auto candidates = parse_srcset(" a.png 1x, b.png 2.5x ,c.png 300w,d.png bad, e,f.png");
  ASSERT_EQ(candidates.size(), 4U);
  EXPECT_EQ(candidates[1].url, "b.png");
  EXPECT_EQ(candidates[1].density, 2.5);
  EXPECT_EQ(candidates[2].width, 300);
  EXPECT_EQ(candidates[3].url, "e,f.png");
}

TEST(Srcset, ACommaInParenthesesEndsNoCandidate) {
  const auto candidates = parse_srcset("a.png (1x, 2x), b.png 2x");
  ASSERT_EQ(candidates.size(), 1U);
  EXPECT_EQ(candidates[0].url, "b.png");
}

// https://html.spec.whatwg.org/#parse-a-srcset-attribute
TEST(Srcset, LeavesOutCandidatesWhoseDescriptorsContradict) {
  for (const char* bad : {"a 1x 2x", "a 10w 20w", "a 1x 10w", "a 10w 1x", "a 0w", "a -1x", "a 5h",
                          "a 10w 5h 5h", "a 1x 5h", "a 5h 1x", "a 10w 0h", "a 1.5w", "a +1w"}) {
    EXPECT_TRUE(parse_srcset(bad).empty()) << bad;
  }
  for (const char* good : {"a", "a 0x", "a 10w 5h", "a 5h 10w", "a 1e2x", "a .5x"}) {
    EXPECT_EQ(parse_srcset(good).size(), 1U) << good;
  }
}

TEST(Refresh, IsReadAsBrowsersDo) {
  EXPECT_EQ(parse_refresh("5")->seconds, 5U);
  EXPECT_FALSE(parse_refresh("5")->url);
  EXPECT_EQ(parse_refresh(" 0.9 ; URL = 'a b' c")->url, "a b");
  EXPECT_EQ(parse_refresh("1,x")->url, "x");
  EXPECT_FALSE(parse_refresh("x"));
  EXPECT_FALSE(parse_refresh("1x"));
  EXPECT_GT(parse_refresh("99999999999999999999999999")->seconds, 1000000000U);
}

std::vector<std::string> script_urls(std::string_view script) {
  std::vector<std::string> found;
  ScriptUrls urls(script);
  while (urls.next()) found.emplace_back(urls.url());
  return found;
}

TEST(ScriptUrls, AreStringsThatAreNothingButAnAddress) {
  EXPECT_THAT(script_urls(R"(a("https:\/\/a.example\/b", '//c.example/d', "/e/f.html", "/g/"))"),
              ElementsAre("https://a.example/b", "//c.example/d", "/e/f.html", "/g/"));
  EXPECT_THAT(script_urls(R"("text https://a.example" 'http://' "http://${host}/" "/x" "//")"),
              ElementsAre());
  EXPECT_THAT(script_urls("// it's 'https://a.example/'\n/* \"http://b.example\" */ "
                          "x = 'https://c.example/\\u0061'"),
              ElementsAre("https://c.example/a"));
  EXPECT_THAT(script_urls(R"(if(/^https?:\/\//i.test(u))go("/a.html");x=/\"/;go('/b/'))"),
              ElementsAre("/a.html", "/b/"))
      << "regular expressions are not comments";
}

// The steps that it takes, and the URLs that it finds in them.
std::pair<std::size_t, std::size_t> steps_and_urls(std::string_view script, std::size_t bytes) {
  std::size_t steps = 0;
  std::size_t found = 0;
  ScriptUrls urls(script);
  while (!urls.is_over()) {
    ++steps;
    if (urls.next(bytes)) ++found;
  }
  return {steps, found};
}

TEST(ScriptUrls, ReadsHostileScriptsInBoundedSteps) {
  constexpr std::size_t kBytes = 1024 * 1024;
  constexpr std::size_t kStep = 64 * 1024;
  std::string mixed;
  while (mixed.size() < kBytes) mixed += "/'/\\\"/`";
  for (const std::string& script :
       {std::string(kBytes, '/'), std::string(kBytes, '"'), std::string(kBytes, '\\'),
        "'" + std::string(kBytes, 'a'), "`" + std::string(kBytes, '\n'),
        "/*" + std::string(kBytes, '*'), mixed}) {
    const auto [steps, found] = steps_and_urls(script, kStep);
    EXPECT_LE(steps, kBytes / kStep + 2) << script.substr(0, 10);
    EXPECT_EQ(found, 0U) << script.substr(0, 10);
  }
}

TEST(ScriptUrls, FindsTheSameInSmallSteps) {
  const std::string script = R"(a("https:\/\/a.example\/b", '//c.example/d', "/e/f.html", `/g/`))";
  for (std::size_t bytes = 1; bytes < 20; ++bytes) {
    EXPECT_EQ(steps_and_urls(script, bytes).second, 4U) << bytes;
  }
}

}  // namespace
}  // namespace gossamer::html
