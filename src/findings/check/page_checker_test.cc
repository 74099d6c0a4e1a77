#include "check/page_checker.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "check/reader.h"

namespace gossamer::check {
namespace {

crawler::Page page_of(std::string body) {
  crawler::Page page;
  page.record.url = "https://a.example/";
  page.record.status = 200;
  page.record.mime = "text/html";
  page.record.charset = "UTF-8";
  page.body = std::move(body);
  return page;
}

Findings findings_of(crawler::Page page) {
  async::Loop loop;
  LinkBook book;
  AnswerCache cache;
  PageChecker checker({}, book, cache);
  crawler::Options options;
  options.roots = {"https://user:word@a.example/"};
  checker.set_up(options);
  EXPECT_TRUE(loop.run(checker.put(std::move(page))));
  return std::move(book).close(true);
}

TEST(PageChecker, LooksForQuotedTexts) {
  const Findings findings =
      findings_of(page_of("<p>some <i>quoted</i> text<a href='#:~:text=some%20quoted'>good</a>"
                          "<a href='#:~:text=missing'>bad</a>"));
  ASSERT_EQ(findings.all.size(), 1u);
  EXPECT_EQ(findings.all[0].kind, FindingKind::text);
  EXPECT_EQ(findings.all[0].url, "https://a.example/#:~:text=missing");
}

TEST(PageChecker, EntersAPageWithItsLinksAndIds) {
  const Findings findings = findings_of(page_of("<p id=x><a href=#x>good</a><a href=#y>bad</a>"));
  EXPECT_EQ(findings.pages, 1u);
  EXPECT_EQ(findings.links, 2u);
  ASSERT_EQ(findings.all.size(), 1u);
  EXPECT_EQ(findings.all[0].url, "https://a.example/#y");
}

// Between two steps, other tasks can run.
TEST(PageChecker, LooksThroughALargePageInSteps) {
  constexpr int kLinks = 20'000;
  std::string body(3 * 1024 * 1024, ' ');
  for (int i = 0; i < kLinks; ++i) body += "<a href=#y>bad</a>";
  async::Loop loop;
  const async::Loop::Running running(loop);
  LinkBook book;
  AnswerCache cache;
  PageChecker checker({}, book, cache);
  async::Scope scope(loop, async::OnFailure::keep_going);
  auto put = scope.spawn(checker.put(page_of(std::move(body))));
  std::size_t steps = 0;
  while (!put.done()) {
    CHECK(loop.step());
    ++steps;
  }
  EXPECT_TRUE(put.take());
  // Steps for decoding, for reading, and for entering the links.
  EXPECT_GE(steps, 2 * 12u + kLinks / DocumentEntering::kStepLinks);
  EXPECT_EQ(std::move(book).close(true).links, static_cast<std::size_t>(kLinks));
}

TEST(PageChecker, MissesNoIdsInAPageThatWasCutOff) {
  crawler::Page page = page_of("<a href=#beyond>x</a>");
  page.record.is_truncated = true;
  page.record.error = "over_limit";
  const Findings findings = findings_of(std::move(page));
  EXPECT_EQ(findings.links, 1u);
  EXPECT_TRUE(findings.all.empty());
}

TEST(PageChecker, LooksForNoLinksInALeaf) {
  crawler::Page page = page_of("<a href=/x>x</a>");
  page.record.is_leaf = true;
  EXPECT_EQ(findings_of(std::move(page)).links, 0u);
}

TEST(PageChecker, ReportsAMissingSource) {
  crawler::Page page = page_of("");
  page.record.status = 404;
  const Findings findings = findings_of(std::move(page));
  ASSERT_EQ(findings.all.size(), 1u);
  EXPECT_EQ(findings.all[0].cause, "404");
}

}  // namespace
}  // namespace gossamer::check
