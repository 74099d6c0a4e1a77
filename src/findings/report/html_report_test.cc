#include "report/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/count_of.h>
#include <tests/support/report_test_crawl.h>

#include <string>

#include "report/html_page.h"
#include "report/html_text.h"

namespace gossamer::report {
namespace {

using support::count_of;
using testing::HasSubstr;
using testing::Not;

TEST(HtmlReportTest, ShowsAllThatThereIs) {
  TestCrawl crawl;
  tell_all(crawl);
  const std::string html = to_html(crawl.finish());
  for (const char* id : {"broken", "errors", "redirects", "skipped", "duplicates", "slowest",
                         "largest", "deepest", "orphans", "hosts"}) {
    EXPECT_THAT(html, HasSubstr("<section class=\"list\" id=\"" + std::string(id) + "\">"));
    EXPECT_THAT(html, HasSubstr("<a href=\"#" + std::string(id) + "\">"));
  }
  for (const char* chart :
       {"Pages by status", "Pages by content type", "Pages by depth", "Pages by host",
        "Responses by time taken", "Pages per second over time"}) {
    EXPECT_THAT(html, HasSubstr("aria-label=\"" + std::string(chart) + "\""));
  }
  EXPECT_THAT(html, HasSubstr("robots.txt line 3"));
  EXPECT_THAT(html, HasSubstr("dns_failed"));
  EXPECT_THAT(html, HasSubstr("Gossamer 1.2.3"));
  EXPECT_THAT(html, HasSubstr("href=\"http://a.example/lonely\""));
}

TEST(HtmlReportTest, SaysWhichPagesWereRendered) {
  TestCrawl crawl;
  Report report = crawl.finish();
  EXPECT_THAT(to_html(report), Not(HasSubstr("id=\"rendered\"")));
  crawler::FetchRecord record;
  record.url = "http://a.example/shop/1";
  record.needs_scripts = true;
  report.totals.add(record);
  EXPECT_THAT(to_html(report), HasSubstr("1 page shows little or nothing without scripts"));
  record.rendering = crawler::Rendering{.has_gained = true};
  report.totals.add(record);
  const std::string html = to_html(report);
  EXPECT_THAT(html, HasSubstr("rendered 1 of 2 URLs; 1 gained links or text"));
  EXPECT_THAT(html, HasSubstr("a.example/shop/*"));
}

TEST(HtmlReportTest, AllowsItsOwnStyleAndScriptAndNothingElse) {
  TestCrawl crawl;
  tell_all(crawl);
  const std::string html = to_html(crawl.finish());
  EXPECT_THAT(html,
              HasSubstr("content=\"default-src 'none'; style-src " + csp_source(page_style()) +
                        "; script-src " + csp_source(page_script()) + "; base-uri 'none'"));
  EXPECT_EQ(count_of(html, "<script"), 1u);
  EXPECT_EQ(count_of(html, "<style"), 1u);
  EXPECT_EQ(count_of(html, " style="), 0u) << "the policy would refuse it";
  EXPECT_THAT(html, Not(HasSubstr(" src="))) << "it needs nothing else";
  EXPECT_LT(html.find("Content-Security-Policy"), html.find("<title>"));
}

TEST(HtmlReportTest, IsSafeAgainstHostileTexts) {
  const std::string evil =
      "\"'><script>document.title='pwned'</script><img src=x onerror=alert(1)></table>"
      "\xE2\x80\xAE\xFF";
  TestCrawl crawl;
  tell_all(crawl, evil);
  const std::string html = to_html(crawl.finish());
  EXPECT_EQ(count_of(html, "<script"), 1u);
  EXPECT_EQ(count_of(html, "<img"), 0u);
  EXPECT_EQ(count_of(html, "\xE2\x80\xAE"), 0u);
  EXPECT_EQ(count_of(html, "\xFF"), 0u);
  EXPECT_EQ(count_of(html, "href=\"javascript:"), 0u);
  EXPECT_EQ(count_of(html, "<table"), count_of(html, "</table>"));
}

TEST(HtmlReportTest, IsThereEvenIfNothingHappened) {
  TestCrawl crawl;
  const std::string html = to_html(crawl.finish());
  EXPECT_THAT(html, HasSubstr("every fetched URL answered with a status below 400"));
  EXPECT_THAT(html, Not(HasSubstr("nan")));
  EXPECT_THAT(html, HasSubstr("</html>"));
}

TEST(HtmlReportTest, SaysThatListsAreCutOff) {
  TestCrawl crawl;
  for (int i = 0; i < 1200; ++i) crawl.add(TestCrawl::page("/" + std::to_string(i), 404));
  EXPECT_THAT(to_html(crawl.finish()), HasSubstr("The list is cut off: 1,000 of 1,200."));
}

}  // namespace
}  // namespace gossamer::report
