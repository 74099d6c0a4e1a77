#include "scope/traps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/random.h"

namespace gossamer::crawler {
namespace {

constexpr std::int32_t kThisYear = 2026;

SkipReason judge(Traps& traps, std::string_view text) {
  return traps.judge(url::Url::parse(text).value(), {});
}

SkipReason judge_alone(std::string_view text, const TrapOptions& options = {}) {
  Traps traps(options, kThisYear);
  return judge(traps, text);
}

std::string random_token(base::Random& random, std::string_view alphabet, std::size_t size) {
  std::string token;
  while (token.size() < size) token += alphabet[random.below(alphabet.size())];
  return token;
}

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kBase36 = "0123456789abcdefghijklmnopqrstuvwxyz";

TEST(Traps, AcceptOrdinaryUrls) {
  for (const std::string_view url : {
           "https://example.com/",
           "https://example.com/a/a/",
           "https://example.com/a/a/a/b",
           "https://example.com/2024/2024/",
           "https://example.com/en/products/en/details/en/",
           "https://en.wikipedia.org/wiki/2001:_A_Space_Odyssey",
           "https://en.wikipedia.org/w/index.php?title=Foo&oldid=1189273645&diff=prev",
           "https://www.theguardian.com/world/2004/may/06/iraq.usa",
           "https://www.nytimes.com/1905/03/12/archives/a-title-from-long-ago.html",
           "https://blog.example.com/2024/05/06/ten-things-i-learned/",
           "https://blog.example.com/2024/05/",
           "https://blog.example.com/2024-05-06-a-post.html",
           "https://blog.example.com/archive/1998/12",
           "https://museum.example.org/timeline/1750/",
           "https://films.example.org/search?year=1939",
           "https://plan.example.org/forecast?year=2040",
           "https://forum.example.org/thread/1756/12",
           "https://forum.example.org/thread/3100/5",
           "https://shop.example.com/parts/1756-12",
           "https://shop.example.com/item/31111225",
           "https://shop.example.com/products/507f1f77bcf86cd799439011",
           "https://api.example.com/items/550e8400-e29b-41d4-a716-446655440000/reviews",
           "https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0j1K2l3M4n5O6p7Q8r9S0tUVWX/edit",
           "https://git.example.org/cgit/linux.git/commit/"
           "?id=d41d8cd98f00b204e9800998ecf8427e00000000",
           "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
           "https://github.com/torvalds/linux/blob/master/tools/perf/tools/perf/perf.c",
           "https://repo.maven.org/maven2/org/apache/maven/plugins/maven/maven-plugin/3.0/",
           "https://tiles.example.org/osm/0/0/0.png",
           "https://tiles.example.org/quad/0/0/0/0/0/0/0/",
           "https://tiles.example.org/layers/4/4/4/4.png",
           "https://map.example.org/?x=2500&y=2100&m=3",
           "https://cal.example.org/events?date=2027-03-04",
           "https://cal.example.org/calendar/2028/12",
           "https://cal.example.org/calendar?year=1999&month=1",
           "https://docs.example.com/v2024.05/guide/",
           "https://docs.python.org/3/library/asyncio-task.html?highlight=gather",
           "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/",
           "https://bugs.debian.org/cgi-bin/bugreport.cgi?bug=1012345&msg=5;att=1",
           "https://lists.debian.org/debian-devel/2003/05/msg00123.html",
           "https://archive.org/details/cbc_19990506",
           "https://archive.org/web/20040506101112/http://example.com/a/",
           "https://chroniclingamerica.loc.gov/lccn/sn83030214/1905-03-12/ed-1/",
           "https://example.com/search?q=top-10-restaurants-in-paris-2024&page=2",
           "https://example.com/?utm_source=newsletter&utm_campaign=2024-05",
           "https://example.com/%E4%B8%AD%E6%96%87/%E6%96%87%E7%AB%A0/12345",
           "https://example.com/path/with(parentheses)/and;semi=colon",
           "https://example.com/user/john/user/settings",
           "https://example.com/static/css/main.3f2a9c1b7d4e5f60.css",
           "https://example.com/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t",
           "https://example.com/jobs/berlin/berlin/berlin-mitte",
           "https://example.com/"
           "index.php?option=com_content&view=article&id=12:title&catid=3&Itemid=7",
           "https://example.com/node?page=0%2C0%2C12",
           "https://example.com/servlet/ProductDetailsPageServlet?action=ShowProductDetailsPage2",
           "https://example.com/page;jsessionid=0123456789ABCDEF0123456789ABCDEF?x=1",
           "https://example.com/(S(4hqa0555fwsecu455xqckv45))/default.aspx",
           "https://example.com/list?start=0&end=20240506&sort=asc",
           "https://example.com/from/2024-05-06/to/2024-06-07",
           "https://example.com/zip/1234-05",
           "https://example.com/call/5550/12",
           "https://example.com/candidates/3012/7",
       }) {
    EXPECT_EQ(judge_alone(url), SkipReason::none) << url;
  }
}

TEST(Traps, RejectRepetitions) {
  for (const std::string_view url : {
           "http://h/a/a/a/a/",
           "http://h/about/contact/about/contact/about/contact/about/contact",
           "http://h/x/a/b/c/a/b/c/a/b/c/a/b/c/y",
           "http://h/page/http://h/page/http://h/page/http://h/page/http://h/",
           "http://h/img/x/img/y/img/z/img/w/img/",
           "http://h//////////",
           "http://h/en/de/en/fr/en/it/en/es/en/",
       }) {
    EXPECT_EQ(judge_alone(url), SkipReason::repeated_segments) << url;
    EXPECT_EQ(judge_alone(url, {.repeated_segments = false}), SkipReason::none) << url;
  }
}

TEST(Traps, RejectPathsThatAreTooDeep) {
  std::string url = "http://h";
  for (int i = 0; i < 20; ++i) url += "/s" + std::to_string(i);
  EXPECT_EQ(judge_alone(url), SkipReason::none);
  EXPECT_EQ(judge_alone(url + "/"), SkipReason::none);
  EXPECT_EQ(judge_alone(url + "/x"), SkipReason::path_depth);
  EXPECT_EQ(judge_alone(url + "/x", {.path_depth = false}), SkipReason::none);
  EXPECT_EQ(judge_alone("http://h/a/b/c", {.path_segments_max = 2}), SkipReason::path_depth);
}

TEST(Traps, RejectDistantDates) {
  for (const std::string_view url : {
           "http://h/2029/05/06",
           "http://h/2029/may/",
           "http://h/events/2035-12-24/",
           "http://h/events/1899-12-24",
           "http://h/calendar/2029/1",
           "http://h/calendar/1850-01",
           "http://h/calendar/30010101",
           "http://h/calendar.php?d=2031-05",
           "http://h/?date=2029-05-06",
           "http://h/?date=05%2F06%2F2029",
           "http://h/?month=2040-01",
           "http://h/cal?year=2029&month=1",
           "http://h/cal?m=1&y=2029&d=3",
           "http://h/?from=2024-05-06&to=2055-05-06",
           "http://h/list?year=2047",
           "http://h/view/2040-W01",
       }) {
    EXPECT_EQ(judge_alone(url), SkipReason::calendar) << url;
    EXPECT_EQ(judge_alone(url, {.calendar = false}), SkipReason::none) << url;
  }
}

TEST(Traps, CountTheDatesOfAPage) {
  Traps traps(TrapOptions{.dates_per_page_max = 12}, kThisYear);
  const auto month = [](std::string_view page, int number) {
    std::string text = "http://h/" + std::string(page);
    return text.append(number < 10 ? "2024-0" : "2024-").append(std::to_string(number));
  };
  for (int i = 1; i <= 12; ++i) EXPECT_EQ(judge(traps, month("a?date=", i)), SkipReason::none);
  EXPECT_EQ(judge(traps, "http://h/a?date=2025-01"), SkipReason::calendar);
  EXPECT_EQ(judge(traps, "http://h/a?date=2025-01&view=list"), SkipReason::none) << "another page";
  EXPECT_EQ(judge(traps, "http://other/a?date=2025-01"), SkipReason::none) << "another host";
  EXPECT_EQ(judge(traps, "http://h/a"), SkipReason::none) << "no date";
}

TEST(Traps, DoNotCountArticles) {
  Traps traps(TrapOptions{.dates_per_page_max = 12}, kThisYear);
  for (int i = 0; i < 1000; ++i) {
    const std::string url = "http://h/2024/05/06/article-" + std::to_string(i);
    ASSERT_EQ(judge(traps, url), SkipReason::none);
  }
}

TEST(Traps, RejectTheSamePageWithEverNewSessions) {
  base::Random random(1);
  const std::string_view forms[] = {
      "http://h/page.html?sid=@", "http://h/page.jsp;jsessionid=@?x=1", "http://h/(S(@))/a.aspx",
      "http://h/index.php?PHPSESSID=@&page=3", "http://h/shop?item=7&session=@&lang=en"};
  for (const std::string_view form : forms) {
    Traps traps({}, kThisYear);
    int passed = 0;
    for (int i = 0; i < 200; ++i) {
      std::string url(form);
      url.replace(url.find('@'), 1, random_token(random, kBase36, 24));
      const SkipReason reason = judge(traps, url);
      passed += reason == SkipReason::none ? 1 : 0;
      if (reason != SkipReason::none) EXPECT_EQ(reason, SkipReason::session_growth);
      ASSERT_EQ(judge_alone(url, {.session_growth = false}), SkipReason::none);
    }
    EXPECT_EQ(passed, 20) << form;
  }
}

TEST(Traps, CountPagesWithASessionSeparately) {
  base::Random random(2);
  Traps traps({}, kThisYear);
  for (int i = 0; i < 5000; ++i) {
    const std::string url =
        "http://h/article?id=" + std::to_string(i) + "&sid=" + random_token(random, kBase36, 26);
    ASSERT_EQ(judge(traps, url), SkipReason::none);
  }
}

TEST(Traps, AcceptThousandsOfItemsWithRandomNumbers) {
  base::Random random(3);
  Traps traps({}, kThisYear);
  for (int i = 0; i < 10'000; ++i) {
    const std::string token = random_token(random, kHex, 24);
    ASSERT_EQ(judge(traps, "http://h/products/" + token), SkipReason::none);
    ASSERT_EQ(judge(traps, "http://cdn/media/" + token + "/large.jpg"), SkipReason::none);
    if (i < 5000) {
      ASSERT_EQ(judge(traps, "http://h/product?id=" + token), SkipReason::none);
    }
  }
}

// Draws URLs of a site with very many. Returns how many distinct ones are accepted.
template <class Draw>
std::size_t passed_of(const Draw& draw, int draws, const TrapOptions& options = {}) {
  Traps traps(options, kThisYear);
  std::set<std::uint64_t> seen;
  std::size_t passed = 0;
  for (int i = 0; i < draws; ++i) {
    const std::string url = draw();
    if (!seen.insert(base::hash64(url)).second) continue;
    passed += judge(traps, url) == SkipReason::none ? 1 : 0;
  }
  return passed;
}

TEST(Traps, EndACrawlOfAnEndlessCalendar) {
  base::Random random(4);
  const auto draw = [&] {
    return "http://h/calendar/" + std::to_string(random.between(1000, 9999)) + "/" +
           std::to_string(random.between(1, 12)) + "/" + std::to_string(random.between(1, 28));
  };
  EXPECT_EQ(passed_of(draw, 60'000, {.dates_per_page_max = 500}), 500U);
}

TEST(Traps, EndACrawlOfGrowingRelativeLinks) {
  base::Random random(5);
  const std::string_view names[] = {"about", "contact", "news"};
  const auto draw = [&] {
    std::string url = "http://h/";
    for (std::uint64_t left = random.between(1, 40); left > 0; --left) {
      url.append(names[random.below(3)]).append("/");
    }
    return url;
  };
  // At most four times each of three names, so no path of more than twelve segments.
  Traps traps({}, kThisYear);
  std::size_t longest = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string url = draw();
    if (judge(traps, url) == SkipReason::none) longest = std::max(longest, url.size());
  }
  EXPECT_LE(longest, std::string_view("http://h/").size() + 4 * (6 + 8 + 5));
}

// At least 10^9 pages per form: tokens of all shapes, including those that look like words or
// numbers by chance.
TEST(Traps, EndACrawlOfEndlessSessions) {
  base::Random random(6);
  for (const std::string_view alphabet : {kHex, kBase36}) {
    for (const std::string_view form :
         {"http://h/p?t=@", "http://h/s/@/page", "http://h/p?key=@&other=@", "http://h/@/p/@/q"}) {
      const auto draw = [&] {
        std::string url(form);
        for (std::size_t at = url.find('@'); at != std::string::npos; at = url.find('@')) {
          url.replace(at, 1, random_token(random, alphabet, 16));
        }
        return url;
      };
      // The first few that do not look like tokens may be accepted until the place is known.
      EXPECT_LE(passed_of(draw, 8'000, {.tokens_per_page_max = 300}), 320U) << form;
    }
  }
}

TEST(TrapOptions, AreCheckedBeforeTheyAreUsed) {
  EXPECT_TRUE(validate(TrapOptions{}).has_value());
  EXPECT_FALSE(validate(TrapOptions{.cycle_repeats_max = 0}).has_value());
  EXPECT_FALSE(validate(TrapOptions{.segment_repeats_max = 0}).has_value());
  EXPECT_FALSE(validate(TrapOptions{.path_segments_max = 0}).has_value());
  EXPECT_FALSE(validate(TrapOptions{.counted_pages_max = 0}).has_value());
}

TEST(Traps, BoundTheirMemory) {
  base::Random random(7);
  Traps traps(TrapOptions{.counted_pages_max = 1000}, kThisYear);
  for (int i = 0; i < 20'000; ++i) {
    judge(traps, "http://h/" + std::to_string(i) +
                     "?date=2024-05-06&sid=" + random_token(random, kHex, 32) + "&t" +
                     std::to_string(i) + "=" + random_token(random, kHex, 32));
  }
  EXPECT_LT(traps.memory_bytes(), 3U * 2048 * 16 + 1);
}

TEST(Traps, KeepTheHighestCounts) {
  base::Random random(8);
  Traps traps(TrapOptions{.counted_pages_max = 1000}, kThisYear);
  const auto session = [&](const std::string& page) {
    return "http://h/" + page + "?sid=" + random_token(random, kHex, 32);
  };
  for (int i = 0; i < 30; ++i) judge(traps, session("trap"));
  EXPECT_EQ(judge(traps, session("trap")), SkipReason::session_growth);
  for (int i = 0; i < 5000; ++i) judge(traps, session(std::to_string(i)));
  EXPECT_EQ(judge(traps, session("trap")), SkipReason::session_growth);
}

TEST(Traps, GoOnFromWhatOthersHadCounted) {
  const TrapOptions options = {.dates_per_page_max = 4, .sessions_per_page_max = 4};
  const auto day = [](int i) { return "https://a.example/day/2024/05/" + std::to_string(10 + i); };
  const auto session = [](int i) {
    return "https://a.example/?sessionid=0123456789abcdef" + std::to_string(1000 + i);
  };
  std::vector<StoredCount> changes;
  Traps first(options, kThisYear);
  first.tell(changes);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(judge(first, day(i)), SkipReason::none);
    EXPECT_EQ(judge(first, session(i)), SkipReason::none);
  }
  Traps second(options, kThisYear);
  for (const StoredCount& change : changes) second.recall(change);
  EXPECT_EQ(judge(second, day(3)), SkipReason::none);
  EXPECT_EQ(judge(second, day(4)), SkipReason::calendar);
  EXPECT_EQ(judge(second, session(3)), SkipReason::none);
  EXPECT_EQ(judge(second, session(4)), SkipReason::session_growth);
}

TEST(TrapOptions, HaveBoundsOfAtLeastOne) {
  for (std::uint32_t TrapOptions::* const bound :
       {&TrapOptions::cycle_repeats_max, &TrapOptions::segment_repeats_max,
        &TrapOptions::path_segments_max, &TrapOptions::counted_pages_max,
        &TrapOptions::hosts_per_domain_max, &TrapOptions::alike_pages_max,
        &TrapOptions::alike_dates_max, &TrapOptions::unlinking_pages_max}) {
    TrapOptions options;
    options.*bound = 1;
    EXPECT_TRUE(validate(options).has_value());
    options.*bound = 0;
    ASSERT_FALSE(validate(options).has_value());
    EXPECT_EQ(validate(options).error(), Errc::invalid_argument);
  }
}

TEST(Traps, AFileWithoutLinksIsNoTrap) {
  for (const std::string_view name : {"a.zip", "a.b.PNG", "a.appimage"}) {
    const std::string url = "http://h/" + std::string(name) + "?date=2999-01-01";
    EXPECT_EQ(judge_alone(url), SkipReason::none) << url;
  }
  for (const std::string_view name : {"zip", "a.zip/b", "a.zip/", "a.html", "a.zipappimage"}) {
    const std::string url = "http://h/" + std::string(name) + "?date=2999-01-01";
    EXPECT_EQ(judge_alone(url), SkipReason::calendar) << url;
  }
}

TEST(Traps, CountTheHostsOfADomain) {
  Traps traps(TrapOptions{.hosts_per_domain_max = 1}, kThisYear);
  EXPECT_EQ(traps.judge_host("example.com"), SkipReason::none) << "the domain itself";
  EXPECT_EQ(traps.judge_host("a.example.com"), SkipReason::none);
  EXPECT_EQ(traps.judge_host("b.example.com"), SkipReason::domain_hosts);
  EXPECT_EQ(traps.judge_host("a.example.org"), SkipReason::none);
  for (const std::string_view host : {"localhost", "10.0.0.1", "10.0.0.2", "com", "org"}) {
    EXPECT_EQ(traps.judge_host(host), SkipReason::none) << host << " has no domain";
  }
  Traps off(TrapOptions{.domain_hosts = false, .hosts_per_domain_max = 1}, kThisYear);
  off.judge_host("a.example.com");
  EXPECT_EQ(off.judge_host("b.example.com"), SkipReason::none);
}

// The n-th URL with a session.
std::string with_session(std::string_view page, int number) {
  return "http://h/" + std::string(page) + "?sid=" + std::to_string(10'000'000 + number) +
         "abcdefgh";
}

TEST(Traps, CountThePagesOfFoldersSeparately) {
  Traps traps(TrapOptions{.sessions_per_page_max = 1}, kThisYear);
  EXPECT_EQ(judge(traps, with_session("a/page", 1)), SkipReason::none);
  EXPECT_EQ(judge(traps, with_session("b/page", 2)), SkipReason::none);
  EXPECT_EQ(judge(traps, with_session("a/page", 3)), SkipReason::session_growth);
}

TEST(Traps, AWordIsNoTokenWhereNoTokensAre) {
  base::Random random(9);
  Traps traps(TrapOptions{.tokens_per_page_max = 30}, kThisYear);
  const auto file = [](const std::string& name) { return "http://h/files/" + name + "/view"; };
  for (int i = 0; i < 60; ++i) judge(traps, file(random_token(random, kHex, 32)));
  for (char c = 'a'; c <= 'z'; ++c) {
    for (const char* const other : {"x", "y"}) {
      const std::string word = std::string("characteristically") + c + other;
      ASSERT_EQ(judge(traps, "http://h/words/" + word + "/view"), SkipReason::none) << word;
    }
  }
}

TEST(Traps, ForgetAllCountsBeyondTheirBound) {
  const TrapOptions options = {.sessions_per_page_max = 1, .counted_pages_max = 2};
  std::vector<StoredCount> changes;
  Traps traps(options, kThisYear);
  traps.tell(changes);
  judge(traps, with_session("a", 1));
  judge(traps, with_session("b", 2));
  EXPECT_EQ(judge(traps, with_session("a", 3)), SkipReason::session_growth);
  EXPECT_EQ(judge(traps, with_session("c", 4)), SkipReason::none);
  EXPECT_EQ(judge(traps, with_session("a", 5)), SkipReason::none);

  Traps other(options, kThisYear);
  for (const StoredCount& change : changes) {
    if (change.what == Counted::tokens) other.recall(change);
  }
  EXPECT_EQ(judge(other, with_session("c", 6)), SkipReason::session_growth);
  EXPECT_EQ(judge(other, with_session("b", 7)), SkipReason::none) << "it was forgotten";
}

}  // namespace
}  // namespace gossamer::crawler
