#include "engine/page/page_links.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/link_test_case.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/page/page_link_scratch.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

// "<a href=/0>x</a><a href=/1>x</a>": so many links.
std::string links_to_all(std::size_t count, std::string_view begin = "") {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += fmt::format("<a href=/{}{}>x</a>", begin, i);
  return body;
}

class PageLinksTest : public LinkTest {
 protected:
  PageLinks::Counts add_home_links(std::string_view body) {
    if (!frontier) EXPECT_EQ(intake().add_root(url_of(kHome)), Verdict::added);
    return add_links(kHome, body);
  }
  // The paths of the URLs that the home page adds.
  std::vector<std::string> paths_from(std::string_view body) {
    add_home_links(body);
    return paths_of_all();
  }
  // The queued paths, without the home page.
  std::vector<std::string> paths_of_all() {
    std::vector<std::string> paths;
    for (const std::string& url : urls_of_all()) {
      if (url != kHome) paths.push_back(url.substr(url.find('/', url.find("//") + 2)));
    }
    return paths;
  }
  Target target_of(std::string_view url) {
    for (Target& target : take_all()) {
      if (target.url == url) return std::move(target);
    }
    ADD_FAILURE() << "not queued: " << url;
    return {};
  }
};

TEST(PageSet, TakesEachFingerprintOnce) {
  constexpr std::uint64_t kItems = 300;
  PageSet set(7);
  for (const std::uint64_t first : {0U, 1U, 5000U}) {
    set.begin(kItems);
    // Most have the same slot at first.
    const auto item = [first](std::uint64_t i) { return i == 0 ? first : i << 48 | first; };
    for (std::uint64_t i = 0; i < kItems; ++i) ASSERT_TRUE(set.insert(item(i))) << i;
    for (std::uint64_t i = 0; i < kItems; ++i) ASSERT_FALSE(set.insert(item(i))) << i;
  }
}

// --- which links are followed

TEST_F(PageLinksTest, FollowsWhatAReaderFollows) {
  EXPECT_THAT(paths_from("<a href=/a>a</a><area href=/area><iframe src=/frame></iframe>"
                         "<link rel=alternate href=/alternate><link rel=canonical href=/canonical>"
                         "<link rel=next href=/next><link rel=prev href=/prev>"
                         "<meta http-equiv=refresh content='0; url=/refresh'>"),
              UnorderedElementsAre("/a", "/area", "/frame", "/alternate", "/canonical", "/next",
                                   "/prev", "/refresh"));
}

TEST_F(PageLinksTest, FollowsNeitherFormsNorLinksForMachines) {
  EXPECT_THAT(
      paths_from("<form action=/form></form><q cite=/cite>x</q>"
                 "<link rel=pingback href=/pingback><img src=/image><script src=/s></script>"),
      IsEmpty());
}

constexpr std::string_view kRequisites =
    "<img src=/image><script src=/script></script><link rel=stylesheet href=/style>"
    "<video src=/media></video><style>p { background: url(/asset) }</style>"
    "<link rel=preload href=/preload><link rel=preconnect href=/connect><a href=/page>x</a>"
    "<link rel=dns-prefetch href=/resolve><link rel=manifest href=/manifest>";

TEST_F(PageLinksTest, AddsThePartsOfPagesIfTheyAreFetchedButNoHints) {
  options.scope.assets = true;
  EXPECT_THAT(paths_from(kRequisites),
              UnorderedElementsAre("/image", "/script", "/style", "/media", "/asset", "/manifest",
                                   "/preload", "/page"));
}

TEST_F(PageLinksTest, AsksForThePartsOfPagesAsLeavesExceptForStyles) {
  options.asks_for_leaves = true;
  add_home_links(kRequisites);
  std::vector<std::string> leaves;
  std::vector<std::string> others;
  for (const Target& target : take_all()) {
    (target.is_leaf() ? leaves : others).push_back(target.url.substr(kHome.size() - 1));
  }
  EXPECT_THAT(leaves, UnorderedElementsAre("/image", "/script", "/media", "/asset", "/manifest",
                                           "/preload"));
  EXPECT_THAT(others, UnorderedElementsAre("/", "/style", "/page"));
}

TEST_F(PageLinksTest, ReadsOnlyTheScriptsOfPagesToMineThem) {
  options.mines_scripts = true;
  EXPECT_THAT(paths_from(kRequisites), UnorderedElementsAre("/script", "/page"));
}

TEST_F(PageLinksTest, APartOfAPageLeadsOnlyToOtherParts) {
  options.scope.assets = true;
  intake().add_root(url_of(kHome));
  add_links("http://a.example/frame.html", "<a href=/page>x</a><img src=/image>", BodyKind::html,
            found(Purpose::requisite));
  EXPECT_THAT(paths_of_all(), ElementsAre("/image"));
}

TEST_F(PageLinksTest, ALinkThatItsAuthorDoesNotVouchForIsNotFollowed) {
  for (const std::string_view rel : {"nofollow", "ugc", "sponsored"}) {
    add_home_links(fmt::format("<a rel={} href=/{}>x</a>", rel, rel));
    EXPECT_EQ(events.reason_of(fmt::format("{}{}", kHome, rel)), SkipReason::nofollow) << rel;
  }
  add_home_links("<a rel=noopener href=/noopener>x</a>");
  EXPECT_THAT(paths_of_all(), ElementsAre("/noopener"));
}

TEST_F(PageLinksTest, ALinkThatIsAlsoThereWithoutAnObjectionIsFollowed) {
  EXPECT_THAT(paths_from("<a rel=nofollow href=/x>x</a><a href=/x>x</a>"
                         "<a rel=nofollow href='mailto:x'>x</a>"),
              ElementsAre("/x"));
  EXPECT_EQ(events.reason_of("http://a.example/x"), SkipReason::none);
  EXPECT_EQ(events.reason_of("mailto:x"), SkipReason::not_http) << "it could not be followed";
}

TEST_F(PageLinksTest, ALinkWhoseTextIsALogoutIsNotFollowed) {
  options.avoids_logout = true;
  EXPECT_THAT(paths_from("<a href=/x>Log out</a><a href=/y>Read</a>"), ElementsAre("/y"));
  EXPECT_EQ(events.reason_of("http://a.example/x"), SkipReason::logout);
}

TEST_F(PageLinksTest, OfARefusedPageEveryLinkIsReported) {
  refused = SkipReason::soft_404;
  constexpr std::size_t kLinks = 20'000;
  const PageLinks::Counts counts = add_home_links(links_to_all(kLinks));
  EXPECT_EQ(counts.found, 0u);
  EXPECT_THAT(events.skips, SizeIs(kLinks));
  EXPECT_EQ(events.skips.back().reason, SkipReason::soft_404);
  EXPECT_GE(steps, 2 * kLinks * PageLinks::kLinkWork / PageLinks::kStepWork) << "steps are short";
  EXPECT_THAT(paths_of_all(), IsEmpty());
}

TEST_F(PageLinksTest, ReportsLinksThatAreNoUrls) {
  add_home_links("<a href='http://[x'>x</a>");
  EXPECT_EQ(events.reason_of("http://[x"), SkipReason::bad_url);
}

TEST_F(PageLinksTest, SaysHowManyLinksWereLeftOut) {
  options.scope.links_per_page_max = 2;
  add_home_links("<a href=/1>x</a><a href=/2>x</a>");
  EXPECT_THAT(events.skips, IsEmpty());
  add_home_links("<a href=/3>x</a><a href=/4>x</a><a href=/5>x</a>");
  ASSERT_THAT(events.skips, SizeIs(1));
  EXPECT_EQ(events.skips[0].url, kHome);
  EXPECT_EQ(events.skips[0].reason, SkipReason::links_per_page);
  EXPECT_EQ(events.skips[0].detail, "1 more links");
  EXPECT_THAT(paths_of_all(), ElementsAre("/1", "/2", "/3", "/4"));
}

// --- what is known of a target

TEST_F(PageLinksTest, ATargetKnowsWhereItWasFound) {
  intake().add_root(url_of(kHome));
  add_links("http://a.example/from#part", "<a href=/x>x</a>", BodyKind::html, found({}, 4));
  const Target target = target_of("http://a.example/x");
  EXPECT_EQ(target.via.url(), "http://a.example/from");
  EXPECT_EQ(target.depth, 5);
  EXPECT_EQ(target.purpose, Purpose::page);
}

TEST_F(PageLinksTest, TheDeepestPagesHaveTheSameDepth) {
  intake().add_root(url_of(kHome));
  add_links("http://a.example/from", "<a href=/x>x</a>", BodyKind::html, found({}, 0xFFFF));
  EXPECT_EQ(target_of("http://a.example/x").depth, 0xFFFF);
}

TEST_F(PageLinksTest, ThePagesOfASitemapAreAsNearAsTheSitemap) {
  intake().add_root(url_of(kHome));
  add_links("http://a.example/sitemap.xml",
            "<urlset><url><loc>http://a.example/x</loc></url></urlset>", BodyKind::sitemap,
            found(Purpose::sitemap, 0));
  const Target target = target_of("http://a.example/x");
  EXPECT_EQ(target.depth, 0);
  EXPECT_EQ(target.purpose, Purpose::page);
}

constexpr std::string_view kSitemapIndex =
    "<sitemapindex><sitemap><loc>http://a.example/part.xml</loc></sitemap></sitemapindex>";

TEST_F(PageLinksTest, ASitemapIndexLeadsToSitemaps) {
  intake().add_root(url_of(kHome));
  add_links("http://a.example/index.xml", kSitemapIndex, BodyKind::sitemap,
            found(Purpose::sitemap, 0));
  EXPECT_EQ(target_of("http://a.example/part.xml").purpose, Purpose::nested_sitemap);
}

TEST_F(PageLinksTest, AnIndexOfAnIndexLeadsNowhere) {
  intake().add_root(url_of(kHome));
  add_links("http://a.example/index.xml", kSitemapIndex, BodyKind::sitemap,
            found(Purpose::nested_sitemap, 0));
  EXPECT_THAT(paths_of_all(), IsEmpty());
}

TEST_F(PageLinksTest, ASitemapOfAnIndexLeadsToPages) {
  intake().add_root(url_of(kHome));
  add_links("http://a.example/part.xml",
            "<urlset><url><loc>http://a.example/x</loc></url></urlset>", BodyKind::sitemap,
            found(Purpose::nested_sitemap, 0));
  EXPECT_THAT(paths_of_all(), ElementsAre("/x"));
}

TEST_F(PageLinksTest, QueriesAreInTheEncodingOfThePage) {
  charset = "windows-1252";
  EXPECT_THAT(paths_from("<a href='/?\xE4'>x</a>"), ElementsAre("/?%E4"));
}

// --- links that are known already

TEST_F(PageLinksTest, CountsDistinctLinksAndNewOnes) {
  PageLinks::Counts counts = add_home_links(
      "<a href=/1>x</a><a href=/1#part>x</a><a href=/2>x</a><a href=/>x</a>"
      "<a href=http://b.example/>x</a>");
  EXPECT_EQ(counts.found, 3u);
  EXPECT_EQ(counts.fresh, 2u);
  counts = add_home_links("<a href=/1>x</a><a href=/3>x</a><a href=/1>x</a><a href=/3>x</a>");
  EXPECT_EQ(counts.found, 2u);
  EXPECT_EQ(counts.fresh, 1u);
}

TEST_F(PageLinksTest, ALinkThatIsSkippedIsNeverALinkOfTheCrawl) {
  const std::string_view body = "<a href=//b.example/>x</a><a href=//b.example/>x</a>";
  for (int page = 0; page < 3; ++page) EXPECT_EQ(add_home_links(body).found, 0u) << page;
}

TEST_F(PageLinksTest, TheSameTextInOtherFoldersIsAnotherLink) {
  intake().add_root(url_of(kHome));
  add_links("http://a.example/0/", "nothing");
  add_links("http://a.example/1/", "<a href=x>x</a>");
  add_links("http://a.example/2/", "<a href=x>x</a>");
  add_links("http://a.example/3/", "<base href=/4/><a href=x>x</a>");
  EXPECT_THAT(paths_of_all(), ElementsAre("/1/x", "/2/x", "/4/x"));
}

TEST_F(PageLinksTest, PagesThatDifferInTheirSessionAreOne) {
  add_home_links("<a href='/x?PHPSESSID=0123456789abcdef0123456789abcdef'>x</a>");
  add_home_links("<a href='/x?PHPSESSID=fedcba9876543210fedcba9876543210'>x</a>");
  EXPECT_THAT(paths_of_all(), SizeIs(1));
}

TEST_F(PageLinksTest, TheLongestUrlIsKnownAsAnyOther) {
  std::string url = "http://a.example/?PHPSESSID=0123456789abcdef0123456789abcdef&x=";
  url.resize(options.scope.url_bytes_max, 'x');
  add_home_links(fmt::format("<a href='{}'>x</a>", url));
  EXPECT_EQ(add(url), Verdict::seen);
  add_home_links(fmt::format("<a href='{}y'>x</a>", url));
  EXPECT_EQ(events.reason_of(url + "y"), SkipReason::url_too_long);
}

// --- guesses

TEST_F(PageLinksTest, GuessesAreAddedIfTheyAreWanted) {
  constexpr std::string_view kScript = "load('/guess.html')";
  intake().add_root(url_of(kHome));
  add_links("http://a.example/1.js", kScript, BodyKind::script);
  EXPECT_EQ(frontier->waiting(), 1u);
  options.mines_scripts = true;
  add_links("http://a.example/2.js", "", BodyKind::script);
  add_links("http://a.example/3.js", kScript, BodyKind::script);
  EXPECT_EQ(target_of("http://a.example/guess.html").purpose, Purpose::guess);
}

TEST_F(PageLinksTest, LinksComeBeforeGuesses) {
  options.mines_scripts = true;
  EXPECT_THAT(paths_from("<script>load('/guess.html'); load('/page.html')</script>"
                         "<a href=/page.html>x</a>"),
              ElementsAre("/page.html", "/guess.html"));
  EXPECT_FALSE(intake().is_linked_guess(url_of("http://a.example/page.html")));
}

TEST_F(PageLinksTest, AGuessThatAPageLinksToIsALink) {
  options.mines_scripts = true;
  add_home_links("<script>load('/guess.html')</script>");
  add_home_links("<script>load('/guess.html')</script>");
  EXPECT_FALSE(intake().is_linked_guess(url_of("http://a.example/guess.html")));
  add_home_links("<a href=/guess.html>x</a>");
  EXPECT_TRUE(intake().is_linked_guess(url_of("http://a.example/guess.html")));
}

TEST_F(PageLinksTest, AGuessThatLinksToItselfCanStillBeALink) {
  options.mines_scripts = true;
  for (const std::string_view name : {"a.example/1.html", "user@a.example/2.html"}) {
    const std::string guess = fmt::format("http://a.example{}", name.substr(name.find('/')));
    const std::string link = fmt::format("<a href=//{}>x</a>", name);
    add_home_links(fmt::format("<script>load('{}')</script>", guess));
    add_links(guess, link);
    EXPECT_FALSE(intake().is_linked_guess(url_of(guess))) << name;
    add_home_links(link);
    EXPECT_TRUE(intake().is_linked_guess(url_of(guess))) << name;
  }
}

TEST_F(PageLinksTest, AGuessOfAnotherLoopIsSentAgainAsALink) {
  OtherLoops others;
  peers = &others;
  options.mines_scripts = true;
  options.scope.kind = ScopeKind::any;
  add_home_links("<script>load('//b.example/guess.html')</script>");
  for (int i = 0; i < 2; ++i) add_home_links("<a href=//b.example/guess.html>x</a>");
  EXPECT_THAT(others.sent, ElementsAre(testing::Field(&Target::purpose, Purpose::guess),
                                       testing::Field(&Target::purpose, Purpose::page)));
}

// --- the hook

TEST_F(PageLinksTest, TheHookSeesWhetherALinkIsFollowed) {
  std::vector<std::string> seen;
  hooks.see_link = [&seen](const FoundLink& link) {
    seen.push_back(fmt::format("{} {}{}", link.url.href(), link.is_followed ? "followed" : "not",
                               link.is_listed ? ", listed" : ""));
  };
  for (int i = 0; i < 2; ++i) {
    seen.clear();
    add_home_links("<a href=/x>x</a><a href=/x#part>x</a><a href=http://b.example/>x</a>");
    EXPECT_THAT(seen, ElementsAre("http://a.example/x followed", "http://b.example/ not"));
  }
  seen.clear();
  add_links("http://a.example/map", "<urlset><url><loc>http://a.example/y</loc></url></urlset>",
            BodyKind::sitemap);
  add_links("http://a.example/index", kSitemapIndex, BodyKind::sitemap);
  EXPECT_THAT(seen, ElementsAre("http://a.example/y followed, listed",
                                "http://a.example/part.xml followed"));
}

// --- candidates for a hook that waits

class PageCandidatesTest : public PageLinksTest {
 protected:
  std::vector<std::string> candidates_of(std::string_view body) {
    intake().add_root(url_of(kHome));
    Target from;
    const url::Url page = url_of(kHome);
    PageReading reading;
    read(reading, kHome, body, BodyKind::html, from);
    PageLinks links(intake(), reading, page, from, refused);
    std::vector<PageLinks::Candidate> candidates;
    steps = 1;
    while (!links.list_some(candidates)) ++steps;
    std::vector<std::string> urls;
    for (PageLinks::Candidate& candidate : candidates) {
      EXPECT_EQ(candidate.fingerprint, intake().fingerprint(url_of(candidate.url)));
      urls.push_back(std::move(candidate.url));
    }
    return urls;
  }
};

TEST_F(PageCandidatesTest, AreTheNewUrlsThatWouldBeAdded) {
  EXPECT_THAT(candidates_of("<a href=/>x</a><a href=/x#part>x</a><a href=/x>x</a>"
                            "<a rel=nofollow href=/no>x</a><form action=/form></form>"
                            "<a href='http://[x'>x</a><a href=http://b.example/>x</a>"
                            "<a href=http://user:secret@a.example/y>x</a><a href=/y>x</a>"
                            "<script>load('/guess.html')</script>"),
              ElementsAre("http://a.example/x", "http://a.example/y"));
}

TEST_F(PageCandidatesTest, MayBeGuesses) {
  options.mines_scripts = true;
  EXPECT_THAT(candidates_of("<script>load('/guess.html')</script><form action=/form></form>"),
              ElementsAre("http://a.example/guess.html"));
}

TEST_F(PageCandidatesTest, AreListedInShortSteps) {
  constexpr std::size_t kLinks = 10'000;
  EXPECT_THAT(candidates_of(links_to_all(kLinks)), SizeIs(kLinks));
  EXPECT_GE(steps, kLinks * PageLinks::kLinkWork / PageLinks::kStepWork);
}

TEST_F(PageLinksTest, LinksAreAddedInShortSteps) {
  constexpr std::size_t kLinks = 10'000;
  EXPECT_EQ(add_home_links(links_to_all(kLinks)).fresh, kLinks);
  EXPECT_GE(steps, kLinks * PageLinks::kLinkWork / PageLinks::kStepWork);
}

// --- series

class PageSeriesTest : public PageLinksTest {
 protected:
  PageSeriesTest() {
    options.traps.alike_pages_max = 2;
    intake().add_root(url_of(kHome));
  }
  static std::string url_of_page(int number) {
    return fmt::format("http://a.example/list/{}", number);
  }
  // A page of the series that the one before links to. Links to the next one.
  PageLinks::Counts add_page(int number, std::string_view more = "") {
    Target from = found();
    from.via = Referrer(url_of_page(number - 1));
    const std::string body = fmt::format("<a href=/list/{}>next</a>{}", number + 1, more);
    return add_links(url_of_page(number), body, BodyKind::html, from);
  }
  bool is_ended_by(int number) {
    return events.reason_of(url_of_page(number + 1)) == SkipReason::endless_series;
  }
};

TEST_F(PageSeriesTest, EndsAfterPagesThatAddNothing) {
  for (int page = 1; page < 3; ++page) {
    EXPECT_EQ(add_page(page).fresh, 1u);
    EXPECT_FALSE(is_ended_by(page)) << page;
  }
  const PageLinks::Counts counts = add_page(3);
  EXPECT_TRUE(is_ended_by(3));
  EXPECT_EQ(counts.fresh + counts.found, 0u);
}

TEST_F(PageSeriesTest, GoesOnWhilePagesHaveNewLinks) {
  for (int page = 1; page < 10; ++page) {
    add_page(page, fmt::format("<a href=/item/{}>x</a>", page));
    EXPECT_FALSE(is_ended_by(page)) << page;
  }
}

TEST_F(PageSeriesTest, AKnownLinkIsNoNews) {
  for (int page = 1; page <= 3; ++page) add_page(page, "<a href=/>home</a>");
  EXPECT_TRUE(is_ended_by(3));
}

TEST_F(PageSeriesTest, GoesOnWhilePagesHaveNewImages) {
  for (int page = 1; page < 10; ++page) {
    add_page(page, fmt::format("<img src=/{}.jpg>", page));
    EXPECT_FALSE(is_ended_by(page)) << page;
  }
}

TEST_F(PageSeriesTest, ATokenInAFormIsNoContent) {
  for (int page = 1; page <= 3; ++page) add_page(page, fmt::format("<form action=/f{}>", page));
  EXPECT_TRUE(is_ended_by(3));
}

TEST_F(PageSeriesTest, ItsKnownPagesAreNotSkipped) {
  for (int page = 1; page < 3; ++page) add_page(page);
  EXPECT_EQ(add(url_of_page(4)), Verdict::added);
  EXPECT_EQ(add_page(3).found, 1u);
  EXPECT_FALSE(is_ended_by(3));
}

TEST_F(PageSeriesTest, ARefusedPageIsNotOfIt) {
  refused = SkipReason::nofollow;
  for (int page = 1; page < 10; ++page) {
    add_page(page);
    EXPECT_EQ(events.reason_of(url_of_page(page + 1)), SkipReason::nofollow);
  }
}

TEST_F(PageSeriesTest, AllLinksOfASuspectPageAreJudgedInShortSteps) {
  constexpr std::size_t kLinks = 20'000;
  add_page(1);
  EXPECT_EQ(add_page(2, links_to_all(kLinks, "list/1000")).fresh, 2u);
  EXPECT_EQ(events.skips.size(), kLinks - 1);
  EXPECT_GE(steps, 2 * kLinks * PageLinks::kLinkWork / PageLinks::kStepWork);
}

TEST_F(PageSeriesTest, TheHookSeesLinksOfASuspectPage) {
  std::vector<std::string> seen;
  hooks.see_link = [&seen](const FoundLink& link) {
    seen.push_back(fmt::format("{} {}", link.url.pathname(), link.is_followed));
  };
  for (int page = 1; page <= 3; ++page) add_page(page);
  EXPECT_THAT(seen, ElementsAre("/list/2 true", "/list/3 true", "/list/4 false"));
}

TEST_F(PageSeriesTest, AnImageOfASuspectPageIsALeaf) {
  options.asks_for_leaves = true;
  add_page(1);
  add_page(2, "<img src=/list/7>");
  EXPECT_TRUE(target_of("http://a.example/list/7").is_leaf());
}

}  // namespace
}  // namespace gossamer::crawler
