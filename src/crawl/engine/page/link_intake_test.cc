#include "engine/page/link_intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/link_test_case.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "robots/robots.h"
#include "scope/endless_series.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class LinkIntakeTest : public LinkTest {
 protected:
  void add_home() { EXPECT_EQ(intake().add_root(url_of(kHome)), Verdict::added); }
  bool is_linked_guess(std::string_view url) { return intake().is_linked_guess(url_of(url)); }
};

// --- what an earlier process has counted

TEST_F(LinkIntakeTest, ContinuesTheCountsOfTraps) {
  backlog.emplace();
  options.traps.dates_per_page_max = 2;
  add_home();
  EXPECT_EQ(judge("http://a.example/day?d=2024-05-06"), SkipReason::none);
  start_again();
  EXPECT_EQ(judge("http://a.example/day?d=2024-05-07"), SkipReason::none);
  EXPECT_EQ(judge("http://a.example/day?d=2024-05-08"), SkipReason::calendar);
}

TEST_F(LinkIntakeTest, ContinuesTheCountsOfBudgets) {
  backlog.emplace();
  options.budgets.urls_per_host_max = 2;
  add_home();
  EXPECT_EQ(judge("http://a.example/1"), SkipReason::none);
  start_again();
  EXPECT_EQ(judge("http://a.example/2"), SkipReason::none);
  EXPECT_EQ(judge("http://a.example/3"), SkipReason::host_budget);
}

TEST_F(LinkIntakeTest, ContinuesTheCountsOfSeries) {
  const std::uint64_t series = EndlessSeries::key_of("http://a.example/list/5");
  backlog.emplace().counts = {
      {.what = Counted::alike_pages, .count = options.traps.alike_pages_max, .key = series},
      {.what = Counted::unlinking_pages, .count = 100, .key = series}};
  add_home();
  Target from = found();
  from.via = Referrer("http://a.example/list/4");
  add_links("http://a.example/list/5", "<a href=6>next</a>", BodyKind::html, from);
  EXPECT_EQ(events.reason_of("http://a.example/list/6"), SkipReason::endless_series);
}

TEST_F(LinkIntakeTest, ContinuesTheGuesses) {
  backlog.emplace();
  add_home();
  EXPECT_EQ(add("http://a.example/guess", found(Purpose::guess)), Verdict::added);
  start_again();
  EXPECT_FALSE(is_linked_guess("http://a.example/guess"));
  EXPECT_EQ(add("http://a.example/guess"), Verdict::seen);
  EXPECT_TRUE(is_linked_guess("http://a.example/guess"));
  EXPECT_THAT(backlog->linked, ElementsAre("http://a.example"));
}

TEST_F(LinkIntakeTest, KnowsWhichGuessesWereLinks) {
  const auto key = [](std::string_view url) {
    url::CrawlIdentity identity(Settings().identity);
    return identity.fingerprint(url_of(url));
  };
  backlog.emplace().counts = {
      {.what = Counted::guesses, .count = 1, .key = key("http://a.example/guess")},
      {.what = Counted::guesses, .count = 2, .key = key("http://a.example/link")},
      {.what = Counted::dates, .count = 2, .key = key("http://a.example/other")}};
  EXPECT_FALSE(is_linked_guess("http://a.example/guess"));
  EXPECT_TRUE(is_linked_guess("http://a.example/link"));
  EXPECT_FALSE(is_linked_guess("http://a.example/other"));
}

TEST_F(LinkIntakeTest, StoresTheChangedCountsWithTheUrlThatChangedThem) {
  backlog.emplace();
  add_home();
  add("http://a.example/day?d=2024-05-06");
  EXPECT_THAT(backlog->last, ElementsAre(testing::Field(&StoredCount::what, Counted::dates)));
  add("http://a.example/plain");
  EXPECT_THAT(backlog->last, IsEmpty());
  add("http://a.example/guess", found(Purpose::guess));
  EXPECT_THAT(backlog->last, ElementsAre(testing::Field(&StoredCount::what, Counted::guesses)));
}

TEST_F(LinkIntakeTest, StoresTheCountsOfASeriesWithItsNextPage) {
  constexpr std::uint64_t kSeries = 1;
  backlog.emplace().counts = {{.what = Counted::alike_pages, .count = 3, .key = kSeries}};
  add_home();
  intake().add(url_of("http://a.example/page/4"), found(), kSeries);
  EXPECT_THAT(backlog->last, SizeIs(2));
  add("http://a.example/other");
  EXPECT_THAT(backlog->last, IsEmpty());
  intake().add(url_of("http://a.example/page/5"), found(), kSeries);
  EXPECT_THAT(backlog->last, SizeIs(2));
  intake().add_leased(url_of("http://a.example/leased"), found());
  EXPECT_THAT(backlog->last, IsEmpty());
}

// --- rules of the crawl

TEST_F(LinkIntakeTest, OnlyARootMayLookLikeALogout) {
  options.avoids_logout = true;
  add_home();
  EXPECT_EQ(judge("http://a.example/logout"), SkipReason::logout);
  EXPECT_EQ(judge("http://a.example/login"), SkipReason::none);
  EXPECT_EQ(intake().add_root(url_of("http://a.example/signout")), Verdict::added);
}

TEST_F(LinkIntakeTest, ALogoutIsFollowedByDefault) {
  add_home();
  EXPECT_EQ(judge("http://a.example/logout"), SkipReason::none);
}

TEST_F(LinkIntakeTest, SkipsWhatTheProgramFilters) {
  hooks.wants_url = [](const url::Url& url) { return url.pathname() != "/unwanted"; };
  add_home();
  intake().filter(intake().fingerprint(url_of("http://a.example/filtered")));
  EXPECT_EQ(judge("http://a.example/filtered"), SkipReason::filtered);
  EXPECT_EQ(judge("http://a.example/unwanted"), SkipReason::filtered);
  EXPECT_EQ(judge("http://a.example/wanted"), SkipReason::none);
}

TEST_F(LinkIntakeTest, AsksOnlyAboutNewUrlsInScope) {
  add_home();
  const auto may_add = [this](std::string_view text) {
    const url::Url url = url_of(text);
    return intake().may_add(url, intake().fingerprint(url), found());
  };
  EXPECT_TRUE(may_add("http://a.example/new"));
  EXPECT_FALSE(may_add(kHome));
  EXPECT_FALSE(may_add("http://b.example/"));
}

TEST_F(LinkIntakeTest, RootsAndLeavesHaveNoBudget) {
  options.budgets.urls_per_host_max = 1;
  options.asks_for_leaves = true;
  add_home();
  EXPECT_EQ(intake().add_root(url_of("http://a.example/root")), Verdict::added);
  Target leaf = found(Purpose::requisite);
  leaf.leaf = Leaf::yes;
  EXPECT_EQ(judge("http://a.example/a.png", leaf), SkipReason::none);
  EXPECT_EQ(judge("http://a.example/1"), SkipReason::none);
  EXPECT_EQ(judge("http://a.example/2"), SkipReason::host_budget);
  EXPECT_EQ(judge("http://a.example/b.png", leaf), SkipReason::none);
}

TEST_F(LinkIntakeTest, ATrapCostsNoBudget) {
  options.budgets.urls_per_host_max = 1;
  add_home();
  EXPECT_EQ(judge("http://a.example/calendar?d=2999-01-01"), SkipReason::calendar);
  EXPECT_EQ(judge("http://a.example/1"), SkipReason::none);
}

TEST_F(LinkIntakeTest, AddsNoNewHostsWhenTheirMemoryIsFull) {
  options.scope.kind = ScopeKind::any;
  add_home();
  std::size_t times_full = 0;
  frontier->limit_hosts(1, [&times_full] { ++times_full; });
  EXPECT_EQ(judge("http://b.example/"), SkipReason::none);
  EXPECT_EQ(times_full, 1u);
  EXPECT_EQ(judge("http://c.example/"), SkipReason::stopped);
  EXPECT_EQ(judge("http://b.example/known"), SkipReason::none);
}

TEST_F(LinkIntakeTest, ObeysTheRulesOfAHostThatAreKnown) {
  queue_options.needs_robots = true;
  options.budgets.urls_per_host_max = 1;
  add_home();
  EXPECT_EQ(frontier->rules_for(url_of(kHome)), nullptr);
  Claim claim = std::move(*world.run(frontier->claim()));
  ASSERT_EQ(claim.work, Work::robots);
  OriginRules rules = {
      .robots = robots::Robots::parse("User-agent: *\nDisallow: /private/\n", "gossamer")};
  frontier->has_rules(std::move(claim), std::move(rules), Duration::zero());
  EXPECT_EQ(judge("http://a.example/private/x"), SkipReason::robots);
  EXPECT_EQ(events.skips.back().detail, "robots.txt line 2: /private/");
  EXPECT_EQ(judge("http://a.example/public"), SkipReason::none) << "the other one is not counted";
  options.obeys_robots = false;
  EXPECT_EQ(judge("http://a.example/private/y"), SkipReason::host_budget);
}

TEST_F(LinkIntakeTest, ASkippedUrlIsReportedOnce) {
  add_home();
  const Target facts = found(Purpose::page, 3);
  EXPECT_EQ(add("http://b.example/", facts), Verdict::refused);
  EXPECT_EQ(add("http://b.example/", facts), Verdict::refused);
  ASSERT_THAT(events.skips, SizeIs(1));
  EXPECT_EQ(events.skips[0].url, "http://b.example/");
  EXPECT_EQ(events.skips[0].reason, SkipReason::out_of_scope);
  EXPECT_EQ(events.skips[0].via, kHome);
  EXPECT_EQ(events.skips[0].depth, 3u);
}

// --- what is queued

TEST_F(LinkIntakeTest, ARootIsMarkedAndWidensTheScope) {
  add_home();
  EXPECT_EQ(judge("http://a.example/page"), SkipReason::none);
  const std::vector<Target> targets = take_all();
  ASSERT_THAT(targets, SizeIs(2));
  EXPECT_TRUE(targets[0].is_root());
  EXPECT_FALSE(targets[1].is_root());
}

TEST_F(LinkIntakeTest, ALeasedUrlIsNotJudgedAgain) {
  add_home();
  EXPECT_EQ(intake().add_leased(url_of("http://c.example/"), found()), Verdict::added);
  EXPECT_EQ(judge("http://c.example/link"), SkipReason::out_of_scope);
  EXPECT_EQ(intake().add_leased(url_of("http://b.example/"), found(Purpose::root)), Verdict::added);
  EXPECT_EQ(judge("http://b.example/link"), SkipReason::none) << "a root widens the scope";
}

TEST_F(LinkIntakeTest, PasswordsAreNeitherKeptNorDistinguished) {
  add_home();
  EXPECT_EQ(add("http://user:secret@a.example/x?q#f"), Verdict::added);
  EXPECT_EQ(add("http://a.example/x?q"), Verdict::seen);
  EXPECT_EQ(add("http://other@a.example/x?q"), Verdict::seen);
  EXPECT_THAT(urls_of_all(), ElementsAre(kHome, "http://a.example/x?q"));
}

TEST_F(LinkIntakeTest, ScoresUrlsInTheOrderByScore) {
  options.order = queue_options.order = CrawlOrder::score;
  hooks.score = [](const url::Url& url, std::uint32_t depth) {
    return static_cast<std::uint8_t>(url.pathname() == "/best" ? 200 : depth);
  };
  add_home();
  add("http://a.example/deep", found(Purpose::page, 9));
  add("http://a.example/best");
  const std::vector<Target> targets = take_all();
  ASSERT_THAT(targets, SizeIs(3));
  EXPECT_EQ(targets[0].url, "http://a.example/best");
  EXPECT_EQ(targets[0].score, 200);
  EXPECT_EQ(targets[1].score, 9);
}

TEST_F(LinkIntakeTest, AsksForNoScoreInOtherOrders) {
  int asked = 0;
  hooks.score = [&asked](const url::Url&, std::uint32_t) {
    return static_cast<std::uint8_t>(++asked);
  };
  add_home();
  add("http://a.example/1");
  EXPECT_EQ(asked, 0);
}

TEST_F(LinkIntakeTest, AUrlOfAClosedOriginIsDroppedWithItsTicket) {
  backlog.emplace();
  add_home();
  frontier->close_origin("http://a.example", {.reason = SkipReason::blocked},
                         [](const Target&, const OriginEnd&) {});
  Target sent = found();
  sent.ticket = 1;
  EXPECT_EQ(add("http://a.example/1#f", sent), Verdict::closed);
  EXPECT_EQ(add("http://a.example/2"), Verdict::closed);
  ASSERT_THAT(events.drops, SizeIs(2));
  EXPECT_EQ(events.drops[0].url, "http://a.example/1");
  EXPECT_EQ(events.drops[0].ticket, 1u);
  EXPECT_EQ(events.drops[1].ticket, backlog->last_ticket) << "it is stored until it has its record";
}

// --- guesses

TEST_F(LinkIntakeTest, AGuessIsALinkOnceAnotherPageLinksToIt) {
  backlog.emplace();
  add_home();
  add("http://a.example/guess", found(Purpose::guess));
  EXPECT_EQ(add("http://a.example/guess", found(Purpose::guess)), Verdict::seen);
  EXPECT_FALSE(is_linked_guess("http://a.example/guess")) << "it is guessed again";
  Target itself = found();
  itself.via = Referrer("http://a.example/guess");
  add("http://a.example/guess", itself);
  EXPECT_FALSE(is_linked_guess("http://a.example/guess")) << "it links to itself";
  add("http://a.example/guess");
  add("http://a.example/guess");
  EXPECT_TRUE(is_linked_guess("http://a.example/guess"));
  EXPECT_THAT(backlog->linked, SizeIs(1)) << "it is stored once";
}

TEST_F(LinkIntakeTest, ALinkIsNoGuess) {
  backlog.emplace();
  add_home();
  add("http://a.example/guess", found(Purpose::guess));
  add("http://a.example/page");
  add("http://a.example/page");
  EXPECT_FALSE(is_linked_guess("http://a.example/page"));
  EXPECT_THAT(backlog->linked, IsEmpty());
}

// --- series

TEST_F(LinkIntakeTest, APageIsOfASeriesIfAnotherPageOfItLinksToIt) {
  const auto key = [this](std::string_view url, std::string_view via,
                          Purpose purpose = Purpose::page) {
    Target target = found(purpose);
    target.url = url;
    target.via = Referrer(std::string(via));
    return intake().series_key(target);
  };
  const std::uint64_t series = key("http://a.example/p?n=2", "http://a.example/p?n=1");
  EXPECT_EQ(series, EndlessSeries::key_of("http://a.example/p?n=1"));
  EXPECT_NE(series, 0u);
  EXPECT_EQ(key("http://a.example/p?n=2", "http://a.example/q?n=1"), 0u);
  EXPECT_EQ(key("http://a.example/p?n=2", "http://a.example/"), 0u);
  EXPECT_EQ(key("http://a.example/p", "http://a.example/q"), 0u) << "no number";
  EXPECT_EQ(key("http://a.example/p?n=2", "http://a.example/p?n=1", Purpose::root), 0u);
  EXPECT_EQ(key("http://a.example/p?n=2", "http://a.example/p?n=1", Purpose::sitemap), 0u);
  options.traps.endless_series = false;
  EXPECT_EQ(key("http://a.example/p?n=2", "http://a.example/p?n=1"), 0u);
}

// --- several loops

class LinkIntakeOfLoopsTest : public LinkIntakeTest {
 protected:
  LinkIntakeOfLoopsTest() {
    peers = &others;
    options.scope.exclude = {"/no"};
    options.scope.kind = ScopeKind::any;
    add_home();
  }

  std::vector<std::string> urls_sent() const {
    std::vector<std::string> urls;
    for (const Target& target : others.sent) urls.push_back(target.url);
    return urls;
  }

  OtherLoops others;
};

TEST_F(LinkIntakeOfLoopsTest, SendsTheUrlsOfOtherLoops) {
  EXPECT_EQ(add("http://b.example/1"), Verdict::added);
  EXPECT_EQ(add("http://b.example/1"), Verdict::seen);
  EXPECT_EQ(add("http://a.example/1"), Verdict::added);
  EXPECT_THAT(urls_sent(), ElementsAre("http://b.example/1"));
  EXPECT_THAT(urls_of_all(), ElementsAre(kHome, "http://a.example/1"));
}

TEST_F(LinkIntakeOfLoopsTest, ReportsOnlyItsOwnSkippedUrls) {
  EXPECT_EQ(add("http://b.example/no"), Verdict::refused);
  EXPECT_EQ(add("http://a.example/no"), Verdict::refused);
  EXPECT_THAT(others.sent, IsEmpty()) << "it is skipped before it is sent";
  EXPECT_THAT(others.refused, ElementsAre("http://b.example/no"));
  ASSERT_THAT(events.skips, SizeIs(1));
  EXPECT_EQ(events.skips[0].url, "http://a.example/no");
}

TEST_F(LinkIntakeOfLoopsTest, TellsTheOthersOfAScopeThatIsWider) {
  intake().widen_here(url_of("http://c.example/"));
  EXPECT_THAT(others.widened, IsEmpty());
  intake().widen(url_of("http://d.example/"));
  EXPECT_THAT(others.widened, ElementsAre("http://d.example/"));
}

}  // namespace
}  // namespace gossamer::crawler
