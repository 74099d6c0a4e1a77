#include "report/why.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/report_test_crawl.h>

#include <string>

namespace gossamer::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(WhyTest, SaysThatAPageWasFetchedAndHowItWasReached) {
  TestCrawl crawl;
  crawl.ask("http://a.example/c");
  crawl.add(TestCrawl::page("/"));
  crawl.link("/", "/b");
  auto moved = TestCrawl::page("/b", 301, "/");
  moved.next_url = "http://a.example/c";
  crawl.add(moved);
  auto page = TestCrawl::page("/c", 200, "/b");
  page.title = "See";
  page.tries = 2;
  crawl.add(page);
  EXPECT_EQ(crawl.answers(),
            "http://a.example/c\n"
            "  what          fetched: 200 OK, text/html, 1.0 kB in 10 ms, after 2 tries, depth 1\n"
            "  title         See\n"
            "  path          http://a.example/\n"
            "                links to http://a.example/b\n"
            "                redirects (301) to http://a.example/c\n");
  EXPECT_TRUE(crawl.why.has_met_all());
}

TEST(WhyTest, SaysWhichRuleForbidsIt) {
  TestCrawl crawl;
  crawl.ask("http://a.example/private/x");
  crawl.link("/", "/private/x", false);
  crawl.link("/b", "/private/x", false);
  crawl.skip("http://a.example/private/x", crawler::SkipReason::robots,
             "robots.txt line 3: /private/");
  EXPECT_EQ(crawl.answers(),
            "http://a.example/private/x\n"
            "  not fetched   robots: robots.txt forbids it\n"
            "  because of    robots.txt line 3: /private/\n"
            "  found on      http://a.example/\n"
            "                http://a.example/b\n"
            "  path          http://a.example/\n"
            "                links to http://a.example/private/x\n");
}

TEST(WhyTest, SaysWhatWentWrong) {
  TestCrawl crawl;
  crawl.ask("http://a.example/x");
  crawler::FetchRecord record = TestCrawl::page("/x");
  record.status.reset();
  record.error = "timed_out";
  record.error_detail = "connect: 10 s passed";
  record.tries = 4;
  crawl.add(record);
  EXPECT_THAT(crawl.answers(),
              HasSubstr("fetching failed: timed_out (connect: 10 s passed), after 4 tries"));
  EXPECT_THAT(crawl.answers(), HasSubstr("it is a root"));
}

TEST(WhyTest, KnowsWhatWasStillWaiting) {
  TestCrawl crawl;
  crawl.ask("http://a.example/later");
  crawl.link("/", "/later");
  EXPECT_THAT(crawl.answers(), HasSubstr("the crawl ended before it was fetched"));
}

TEST(WhyTest, NamesTheNearestOfWhatItNeverMet) {
  TestCrawl crawl;
  crawl.ask("http://a.example/docs/intro");
  for (const char* path : {"/docs/", "/docs/introo", "/docs/intro.html", "/other", "/docs/intr"}) {
    crawl.add(TestCrawl::page(path));
  }
  crawl.skip("http://a.example/docs/Intro", crawler::SkipReason::excluded);
  EXPECT_EQ(crawl.answers(),
            "http://a.example/docs/intro\n"
            "  never found   no page that was read links to it, and no sitemap lists it\n"
            "  nearest       http://a.example/docs/Intro\n"
            "                http://a.example/docs/intr\n"
            "                http://a.example/docs/introo\n");
  EXPECT_FALSE(crawl.why.has_met_all());
}

TEST(WhyTest, ComparesByCrawlIdentity) {
  TestCrawl crawl;
  crawl.ask("HTTP://user:word@A.example:80/x?PHPSESSID=1234567890abcdef#top");
  crawl.add(TestCrawl::page("/x"));
  EXPECT_THAT(crawl.answers(), HasSubstr("fetched: 200"));
  EXPECT_THAT(crawl.answers(), Not(HasSubstr("word")));
}

TEST(WhyTest, CountsAllPagesAndShowsSome) {
  TestCrawl crawl;
  crawl.ask("http://a.example/x");
  for (int i = 0; i < 25; ++i) crawl.link("/" + std::to_string(i), "/x");
  crawl.link("/x", "/x");
  EXPECT_THAT(crawl.answers(), HasSubstr("and 15 more"));
}

TEST(WhyTest, GoesRoundNoCircle) {
  TestCrawl crawl;
  crawl.ask("http://a.example/a");
  auto one = TestCrawl::page("/a", 302, "/b");
  one.next_url = "http://a.example/b";
  auto other = TestCrawl::page("/b", 302, "/a");
  other.next_url = "http://a.example/a";
  crawl.add(one);
  crawl.add(other);
  EXPECT_THAT(crawl.answers(), HasSubstr("redirects (302) to http://a.example/a"));
}

TEST(WhyTest, LetsNoServerDriveTheTerminal) {
  TestCrawl crawl;
  crawl.ask("http://a.example/x");
  auto page = TestCrawl::page("/x");
  page.title = "\x1b]0;pwned\x07";
  page.mime = "text/\x1b[2J";
  crawl.add(page);
  EXPECT_EQ(crawl.answers().find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace gossamer::report
