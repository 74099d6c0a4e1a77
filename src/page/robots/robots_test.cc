#include "robots/robots.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace gossamer::robots {
namespace {

bool allows(std::string_view file, std::string_view target, std::string_view agent = "gossamer") {
  return Robots::parse(file, agent).allows(target);
}

TEST(Robots, AllowEverythingWhereThereIsNoRule) {
  EXPECT_TRUE(Robots().allows("/"));
  EXPECT_TRUE(allows("", "/a"));
  EXPECT_TRUE(allows("<html>not found</html>", "/a"));
  EXPECT_TRUE(allows("User-agent: *\nDisallow:\n", "/a"));
  EXPECT_TRUE(allows("Disallow: /\n", "/a"));
}

TEST(Robots, DisallowEverythingIfConfigured) {
  EXPECT_FALSE(Robots::disallow_all().allows("/a"));
  EXPECT_TRUE(Robots::disallow_all().allows("/robots.txt"));
}

TEST(Robots, ObeyTheGroupThatNamesUsAndNoOther) {
  const char* file =
      "User-agent: *\nDisallow: /\n\nUser-agent: other\nDisallow: /x\n\n"
      "User-agent: Gossamer/2.0\nDisallow: /a\n";
  EXPECT_EQ(Robots::parse(file, "gossamer").group(), Group::own);
  EXPECT_TRUE(allows(file, "/x"));
  EXPECT_FALSE(allows(file, "/a"));
  EXPECT_FALSE(allows(file, "/b", "someone"));
  EXPECT_EQ(Robots::parse(file, "someone").group(), Group::all);
}

TEST(Robots, MergeTheGroupsOfOneAgent) {
  const char* file =
      "User-agent: gossamer\nUser-agent: b\nDisallow: /1\n\nUser-agent: c\nDisallow: /2\n"
      "User-agent: gossamer\nDisallow: /3\n";
  EXPECT_FALSE(allows(file, "/1"));
  EXPECT_TRUE(allows(file, "/2"));
  EXPECT_FALSE(allows(file, "/3"));
}

TEST(Robots, AreNotConfusedByOtherRecordsWithinAGroup) {
  const char* file =
      "User-agent: gossamer\nSitemap: /s\nNonsense: 1\nUser-agent: b\nDisallow: /1\n";
  EXPECT_FALSE(allows(file, "/1"));
}

TEST(Robots, LetTheLongestRuleDecideAndAllowOnATie) {
  const char* file = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /a/b/c\n";
  EXPECT_FALSE(allows(file, "/a"));
  EXPECT_TRUE(allows(file, "/a/b"));
  EXPECT_TRUE(allows(file, "/a/b/c/d"));
}

TEST(Robots, SayWhichLineDecided) {
  const Robots robots = Robots::parse("# hello\r\nUser-agent: *\r\nDisallow: /a*b$ # why\r\n", "x");
  const Decision decision = robots.decide("/axxb");
  EXPECT_FALSE(decision.allowed);
  EXPECT_EQ(decision.line, 3U);
  EXPECT_EQ(decision.pattern, "/a*b$");
  EXPECT_EQ(robots.decide("/c").line, 0U);
}

TEST(Robots, KnowStarsAndTheEnd) {
  const char* file = "User-agent: *\nDisallow: /*.php$\nDisallow: /p*/q*/r\nDisallow: *x*y\n";
  EXPECT_FALSE(allows(file, "/a.php"));
  EXPECT_TRUE(allows(file, "/a.php5"));
  EXPECT_FALSE(allows(file, "/a.php.php"));
  EXPECT_FALSE(allows(file, "/p1/q2/3/r"));
  EXPECT_TRUE(allows(file, "/p/r/q"));
  EXPECT_FALSE(allows(file, "/--x--y--"));
  EXPECT_TRUE(allows(file, "/y-x"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /a$\n", "/a"));
  EXPECT_TRUE(allows("User-agent: *\nDisallow: /a$\n", "/ab"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /a**b\n", "/acb"));
  EXPECT_TRUE(allows("User-agent: *\nDisallow: /a*a$\n", "/a"));
}

TEST(Robots, CompareEscapesByWhatTheyMean) {
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /%7Ejoe\n", "/~joe"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /~joe\n", "/%7ejoe"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /\xC3\xBC\n", "/%c3%bc"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /a%3cb\n", "/a%3Cb"));
  EXPECT_TRUE(allows("User-agent: *\nDisallow: /a%2fb\n", "/a/b"));
  EXPECT_TRUE(allows("User-agent: *\nDisallow: /a%3cb\n", "/a%3Eb"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /a%2A\n", "/a*"));
  EXPECT_TRUE(allows("User-agent: *\nDisallow: /a%2A\n", "/abc"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /a%24\n", "/a$b"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /a b\n", "/a%20b"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /100%\n", "/100%"));
}

TEST(Robots, ReadEveryLineEndingAndAMark) {
  for (const char* end : {"\n", "\r", "\r\n"}) {
    const std::string file = std::string("\xEF\xBB\xBFUser-agent: *") + end + "Disallow: /x" + end;
    const Decision decision = Robots::parse(file, "a").decide("/x");
    EXPECT_FALSE(decision.allowed);
    EXPECT_EQ(decision.line, 2U);
  }
  EXPECT_FALSE(allows("user-AGENT : * \n dissalow:/x", "/x"));
  EXPECT_FALSE(allows("User-agent *\nDisallow /x", "/x"));
}

TEST(Robots, ForgetTheLineThatTheLimitCuts) {
  const RobotsOptions options = {.bytes_max = 40};
  const Robots robots =
      Robots::parse("User-agent: *\nDisallow: /a\nDisallow: /abcdef\n", "x", options);
  EXPECT_EQ(robots.rule_count(), 1U);
  EXPECT_FALSE(robots.allows("/a"));
}

TEST(Robots, HaveACrawlDelayForTheAgentsJustAbove) {
  const char* file =
      "User-agent: a\nCrawl-delay: 2\nUser-agent: b\nCrawl-delay: 0.5\nDisallow: /x\n"
      "User-agent: *\nCrawl-delay: 1e3\nCrawl-delay: -1\n";
  EXPECT_EQ(Robots::parse(file, "a").crawl_delay(), 2s);
  EXPECT_EQ(Robots::parse(file, "b").crawl_delay(), 500ms);
  EXPECT_EQ(Robots::parse(file, "c").crawl_delay(), std::nullopt);
  const std::string huge = "User-agent: *\nCrawl-delay: 9" + std::string(400, '9');
  EXPECT_EQ(Robots::parse(huge, "a").crawl_delay(), 24h);
}

// The folder of an index page is the same page. Only an Allow extends to it: a rule that forbids
// more than it says would hide pages.
TEST(Robots, LetARuleForAnIndexPageAllowItsFolderButNotForbidIt) {
  EXPECT_TRUE(allows("User-agent: *\nDisallow: /index.html\n", "/"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /index.html\n", "/index.html"));
  const char* file = "User-agent: *\nDisallow: /\nAllow: /a/index.html\nAllow: /b/index.php\n";
  EXPECT_TRUE(allows(file, "/a/index.html"));
  EXPECT_TRUE(allows(file, "/a/"));
  EXPECT_FALSE(allows(file, "/a/other"));
  EXPECT_FALSE(allows(file, "/a"));
  EXPECT_FALSE(allows(file, "/b/"));
}

// RFC 9309 section 2.2.2: the end mark is an octet of the rule.
TEST(Robots, CountTheEndMarkAsPartOfARule) {
  const char* file = "User-agent: *\nAllow: /a\nDisallow: /a$\n";
  EXPECT_FALSE(allows(file, "/a"));
  EXPECT_TRUE(allows(file, "/ab"));
}

TEST(Robots, NameTheFirstOfEqualRules) {
  const Robots robots =
      Robots::parse("User-agent: *\nDisallow: /a\nDisallow: /a\nDisallow: /a\n", "x");
  EXPECT_EQ(robots.decide("/a").line, 2U);
  EXPECT_EQ(robots.decide("/a").pattern, "/a");
  const Robots two = Robots::parse("User-agent: *\nDisallow: /a\nDisallow: /bcd$\n", "x");
  EXPECT_EQ(two.decide("/a").pattern, "/a");
  EXPECT_EQ(two.decide("/bcd").pattern, "/bcd$") << "as it was written";
}

TEST(Robots, CompareEveryByteOfShortAndLongRules) {
  const std::string path = "/abcdefghijklmnop";
  for (std::size_t size = 1; size <= path.size(); ++size) {
    const std::string file = "User-agent: *\nDisallow: " + path.substr(0, size) + "\n";
    EXPECT_FALSE(allows(file, path)) << size;
    EXPECT_FALSE(allows(file, path.substr(0, size))) << size;
    EXPECT_EQ(allows(file, path.substr(0, size - 1)), size > 1) << size;  // the empty path is "/"
    std::string other = path;
    other[size - 1] = '-';
    EXPECT_TRUE(allows(file, other)) << size;
  }
}

TEST(Robots, ReadAnEmptyTargetAsTheRoot) {
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /$\n", ""));
  EXPECT_TRUE(allows("User-agent: *\nDisallow: /a\n", ""));
}

TEST(Robots, ObeyAGroupWithoutRulesThatNamesUs) {
  const char* file = "User-agent: *\nDisallow: /\n\nUser-agent: gossamer\n";
  EXPECT_TRUE(allows(file, "/a"));
  EXPECT_EQ(Robots::parse(file, "gossamer").group(), Group::own);
}

TEST(Robots, TakeAnEmptyNameForNobody) {
  EXPECT_EQ(Robots::parse("User-agent:\nDisallow: /\n", "").group(), Group::none);
  EXPECT_TRUE(allows("User-agent:\nDisallow: /\n", "/a", ""));
}

TEST(Robots, NeedNameAndValueInALine) {
  EXPECT_TRUE(allows("User-agent: *\nDisallow\n", "/a"));
  EXPECT_TRUE(allows("User-agent: *\nDisallow / and more\n", "/a"));
  EXPECT_TRUE(allows("User-agent: *\n# Disallow: /\n", "/a"));
  EXPECT_TRUE(allows("User-agent: *\nDisallow: # /\n", "/a"));
  EXPECT_TRUE(Robots::parse("Sitemap:\nSitemap: # /s\n", "x").sitemaps().empty());
}

TEST(Robots, ReadEscapesThatAreCutOffOrInvalid) {
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /a%4\n", "/a%4"));
  EXPECT_TRUE(allows("User-agent: *\nDisallow: /a%4\n", "/aA"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /a%zzb\n", "/a%zzb"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /a%4zb\n", "/a%4zb"));
  EXPECT_FALSE(allows("User-agent: *\nDisallow: /a%41\n", "/aA"));
  EXPECT_TRUE(allows("User-agent: *\nDisallow: /a%2541\n", "/aA")) << "decoded once, not twice";
  EXPECT_TRUE(allows("User-agent: *\nDisallow: /a%25\n", "/a"));
  for (const char c : std::string("-._~azAZ09")) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "%%%02x", static_cast<unsigned char>(c));
    EXPECT_FALSE(
        allows("User-agent: *\nDisallow: /" + std::string(escape) + "\n", std::string("/") + c))
        << c;
  }
}

TEST(Robots, AreReadWholeUpToTheLimit) {
  const std::string file = "User-agent: *\nDisallow: /abcdef";
  EXPECT_FALSE(Robots::parse(file, "x", {.bytes_max = file.size()}).allows("/abcdef"));
  EXPECT_TRUE(Robots::parse(file, "x", {.bytes_max = file.size() - 1}).allows("/abcdef"));
}

TEST(Robots, KeepTheFirstDelayOfAGroup) {
  EXPECT_EQ(Robots::parse("User-agent: *\nCrawl-delay: 3\nCrawl-delay: 5\n", "a").crawl_delay(),
            3s);
  EXPECT_EQ(Robots::parse("User-agent: *\nCrawl-delay: x\nCrawl-delay: 5\n", "a").crawl_delay(),
            5s);
}

// A delay is for the agents above it, but not a rule: RFC 9309 section 2.2.4 says that other
// records must not end a group.
TEST(Robots, EndTheAgentsOfADelayButNotOfTheRulesAtACrawlDelay) {
  const char* file =
      "User-agent: a\nCrawl-delay: 2\nUser-agent: b\nDisallow: /x\nUser-agent: c\nDisallow: /y\n"
      "Crawl-delay: 7\n";
  EXPECT_FALSE(allows(file, "/x", "a"));
  EXPECT_TRUE(allows(file, "/y", "a"));
  EXPECT_FALSE(allows(file, "/x", "b"));
  EXPECT_EQ(Robots::parse(file, "a").crawl_delay(), 2s);
  EXPECT_EQ(Robots::parse(file, "b").crawl_delay(), std::nullopt);
  EXPECT_EQ(Robots::parse(file, "c").crawl_delay(), 7s);
}

TEST(Robots, TakeOnlyNumbersForADelay) {
  const auto delay = [](std::string_view value) {
    return Robots::parse("User-agent: *\nCrawl-delay: " + std::string(value) + "\n", "a")
        .crawl_delay();
  };
  EXPECT_EQ(delay("0"), 0s);
  EXPECT_EQ(delay("1.5"), 1500ms);
  EXPECT_EQ(delay("86400"), 24h);
  EXPECT_EQ(delay("86401"), 24h);
  EXPECT_EQ(delay("86399"), 24h - 1s);
  for (const char* const value : {"", "soon", "-1", "-0", "inf", "nan", "1.2.3", "1e3", "1E3"}) {
    EXPECT_EQ(delay(value), std::nullopt) << value;
  }
}

TEST(ProductToken, IsTheFirstWordOfAnAgent) {
  EXPECT_EQ(product_token("  gossamer/1.0 (x)"), "gossamer");
  EXPECT_EQ(product_token("gossamer"), "gossamer");
  EXPECT_EQ(product_token("   "), "");
  EXPECT_FALSE(allows("User-agent: Gossamer bot\nDisallow: /\n", "/a"));
}

TEST(Robots, ListSitemapsOnceEach) {
  const Robots robots = Robots::parse(
      "Sitemap: https://a/2\nUser-agent: b\nsitemap: /1\nSitemap: https://a/2\n", "x");
  EXPECT_EQ(robots.sitemaps(), (std::vector<std::string>{"https://a/2", "/1"}));
}

TEST(Robots, TakeLinearTimeForHostilePatterns) {
  std::string file = "User-agent: *\n";
  for (int i = 0; i < 200; ++i) file += "Disallow: *" + std::string(1000, 'a') + "*b*c$\n";
  const std::string target = "/" + std::string(60'000, 'a');
  EXPECT_TRUE(allows(file, target));
}

}  // namespace
}  // namespace gossamer::robots
