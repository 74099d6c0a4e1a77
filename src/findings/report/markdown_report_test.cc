#include "report/markdown_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/report_test_crawl.h>

#include <string>

namespace gossamer::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MarkdownReportTest, IsShortAndHasWhatMatters) {
  TestCrawl crawl;
  tell_all(crawl);
  const std::string text = to_markdown(crawl.finish());
  EXPECT_THAT(text, HasSubstr("## Crawl report\n\n<http://a.example/>\n"));
  EXPECT_THAT(text, testing::ContainsRegex("Crawled on 20..-..-.. at ..:.. UTC by gossamer 1.2.3"));
  EXPECT_THAT(text, HasSubstr("6 URLs in 2 s: every URL in scope was fetched."));
  EXPECT_THAT(text, HasSubstr("| 404 | <http://a.example/gone?x> | <http://a.example/> |"));
  EXPECT_THAT(text, HasSubstr("| `dns_failed` | <http://b.example/x> |"));
  EXPECT_THAT(text, HasSubstr("| `robots`: robots.txt forbids it | 1 |"));
  EXPECT_THAT(text, HasSubstr("| <http://a.example/lonely> |"));
  EXPECT_THAT(text, HasSubstr("| 1.5 s | <http://a.example/new> | 1.0 kB |"));
}

TEST(MarkdownReportTest, FitsIntoAComment) {
  TestCrawl crawl;
  for (int i = 0; i < 400; ++i) {
    const std::string path = "/" + std::to_string(i) + std::string(280, 'x');
    crawl.link("/" + std::string(280, 'y'), path);
    crawl.add(TestCrawl::page(path, 404, "/"));
    for (int hop = 0; hop < 9; ++hop) {
      auto redirect = TestCrawl::page(path + std::to_string(hop), 302, "/");
      redirect.next_url = "http://a.example" + path + std::to_string(hop + 1);
      crawl.add(redirect);
    }
  }
  const std::string text = to_markdown(crawl.finish());
  EXPECT_LT(text.size(), 61'000u);
  EXPECT_THAT(text, HasSubstr("and 380 more"));
  EXPECT_THAT(text, HasSubstr("The rest is too long to show here."));
}

TEST(MarkdownReportTest, KeepsItsRowsWhateverTheServersSay) {
  TestCrawl crawl;
  tell_all(crawl, "a|b\n# c\n@team <script>");
  const std::string text = to_markdown(crawl.finish());
  EXPECT_THAT(text, Not(HasSubstr("\n# c")));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
}

}  // namespace
}  // namespace gossamer::report
