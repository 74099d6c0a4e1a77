#include "report/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/report_test_crawl.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/html_report.h"
#include "report/json_report.h"
#include "report/markdown_report.h"

namespace gossamer::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

crawler::FetchRecord good_page(const std::string& path) {
  crawler::FetchRecord record = TestCrawl::page(path);
  record.title = "Title of " + path;
  record.metadata =
      std::make_shared<content::Metadata>(content::Metadata{.language = "en",
                                                            .detected_language = "en",
                                                            .description = "About " + path,
                                                            .headings = {{1, path}},
                                                            .words = 200});
  return record;
}

template <class Change>
crawler::FetchRecord changed(const std::string& path, Change change) {
  crawler::FetchRecord record = good_page(path);
  content::Metadata metadata = *record.metadata;
  change(metadata);
  record.metadata = std::make_shared<content::Metadata>(std::move(metadata));
  return record;
}

// "rule path other detail" of each finding.
std::vector<std::string> faults(const TestCrawl& crawl) {
  std::vector<std::string> all;
  const auto path_of = [](const std::string& url) {
    return url.empty() ? "-" : url.substr(std::string_view("http://a.example").size());
  };
  crawl.collector.for_each_fault([&](const AuditFinding& finding) {
    all.push_back(std::string(name(finding.rule)) + " " + path_of(finding.url) + " " +
                  path_of(finding.other) + " " + finding.detail);
    return true;
  });
  return all;
}

TEST(Audit, FindsNothingOnGoodPages) {
  TestCrawl crawl;
  crawl.add(good_page("/"));
  crawl.add(good_page("/a"));
  crawl.add(TestCrawl::page("/image"));
  EXPECT_THAT(faults(crawl), IsEmpty());
  const Report report = crawl.finish();
  EXPECT_EQ(report.audited, 2u);
  EXPECT_THAT(report.audit, IsEmpty());
}

TEST(Audit, FindsTextsThatSeveralPagesHave) {
  TestCrawl crawl;
  for (const char* path : {"/", "/a", "/b"}) {
    crawler::FetchRecord record = good_page(path);
    record.title = path == std::string("/b") ? "THE SAME TITLE" : "The same title";
    crawl.add(record);
  }
  crawler::FetchRecord hidden = good_page("/hidden");
  hidden.title = "The same title";
  hidden.robots = "noindex";
  crawl.add(hidden);
  crawler::FetchRecord other =
      changed("/other", [](content::Metadata& page) { page.canonical = "http://a.example/"; });
  other.title = "The same title";
  crawl.add(other);
  EXPECT_THAT(faults(crawl), ElementsAre("title_duplicate / /a 3 pages have it",
                                         "title_duplicate /a / 3 pages have it",
                                         "title_duplicate /b / 3 pages have it",
                                         "noindex /hidden - ", "canonical_elsewhere /other / "))
      << "hidden pages and copies do not count";
}

TEST(Audit, FindsCanonicalUrlsThatAreWrong) {
  TestCrawl crawl;
  const auto with_canonical = [&crawl](const std::string& path, const std::string& to) {
    crawl.add(
        changed(path, [&](content::Metadata& page) { page.canonical = "http://a.example" + to; }));
  };
  with_canonical("/self", "/self#top");
  with_canonical("/a", "/self");
  with_canonical("/b", "/gone");
  with_canonical("/c", "/moved");
  with_canonical("/d", "/unknown");
  with_canonical("/e", "/dead");
  crawl.add(TestCrawl::page("/gone", 404));
  auto moved = TestCrawl::page("/moved", 301);
  moved.next_url = "http://a.example/self";
  crawl.add(moved);
  auto dead = TestCrawl::page("/dead");
  dead.status.reset();
  dead.error = "timed_out";
  crawl.add(dead);
  EXPECT_THAT(
      faults(crawl),
      ElementsAre("canonical_elsewhere /a /self ", "canonical_broken /b /gone status 404",
                  "canonical_broken /c /moved status 301", "canonical_elsewhere /d /unknown ",
                  "canonical_broken /e /dead no answer"));
}

TEST(Audit, FindsTranslationsThatDoNotLinkBack) {
  TestCrawl crawl;
  const auto with_translations = [&crawl](const std::string& path, std::vector<std::string> to) {
    crawl.add(changed(path, [&](content::Metadata& page) {
      for (const std::string& one : to) {
        page.translations.push_back({.language = "xx", .url = "http://a.example" + one});
      }
    }));
  };
  with_translations("/en", {"/en", "/de", "/de", "/fr", "/unknown"});
  with_translations("/de", {"/en", "/de"});
  with_translations("/fr", {"/fr"});
  EXPECT_THAT(faults(crawl), ElementsAre("hreflang_no_return /en /fr "));
}

TEST(Audit, AcceptsTranslationsOfCopiesAndOfHiddenPages) {
  TestCrawl crawl;
  const auto with_translation = [](const std::string& path, const std::string& to,
                                   const std::string& canonical = "") {
    return changed(path, [&](content::Metadata& page) {
      page.translations.push_back({.language = "xx", .url = "http://a.example" + to});
      if (!canonical.empty()) page.canonical = "http://a.example" + canonical;
    });
  };
  crawl.add(with_translation("/en", "/de"));
  crawl.add(with_translation("/en?sort=1", "/de", "/en"));
  crawler::FetchRecord hidden = with_translation("/de", "/en");
  hidden.robots = "noindex";
  crawl.add(hidden);
  EXPECT_THAT(faults(crawl), ElementsAre("canonical_elsewhere /en?sort=1 /en ", "noindex /de - "));
}

TEST(Audit, DoesNotJudgeTranslationsThatDidNotFit) {
  TestCrawl crawl;
  crawl.add(changed("/en", [](content::Metadata& page) {
    page.translations.push_back({.language = "de", .url = "http://a.example/de"});
  }));
  crawl.add(changed("/de", [](content::Metadata& page) {
    page.translations.push_back(
        {.language = "xx", .url = "http://a.example/" + std::string(9 * 1024 * 1024, 'x')});
    page.translations.push_back({.language = "en", .url = "http://a.example/en"});
  }));
  EXPECT_THAT(faults(crawl), IsEmpty());
}

TEST(Audit, AcceptsCanonicalPagesThatAnswered) {
  TestCrawl crawl;
  crawl.add(changed(
      "/a", [](content::Metadata& page) { page.canonical = "http://a.example/unchanged"; }));
  crawl.add(
      changed("/b", [](content::Metadata& page) { page.canonical = "http://a.example/large"; }));
  crawl.add(TestCrawl::page("/unchanged", 304));
  crawler::FetchRecord large = TestCrawl::page("/large");
  large.error = "over_limit";
  large.is_truncated = true;
  crawl.add(large);
  EXPECT_THAT(faults(crawl),
              ElementsAre("canonical_elsewhere /a /unchanged ", "canonical_elsewhere /b /large "));
}

TEST(Audit, FindsHiddenPagesInSitemapsAndChains) {
  TestCrawl crawl;
  crawler::FetchRecord hidden = good_page("/hidden");
  hidden.robots = "noindex";
  hidden.title = "";
  crawl.link("/sitemap.xml", "/hidden", true, true);
  crawl.add(hidden);
  for (const auto& [from, to] : {std::pair{"/1", "/2"}, {"/2", "/3"}, {"/only", "/3"}}) {
    auto record = TestCrawl::page(from, 302);
    record.next_url = std::string("http://a.example") + to;
    crawl.add(record);
  }
  EXPECT_THAT(faults(crawl),
              ElementsAre("noindex_in_sitemap /hidden - ", "redirect_chain /1 /3 2 redirects"));
}

TEST(Audit, FindsRedirectsAndErrorsInSitemaps) {
  TestCrawl crawl;
  crawl.add(good_page("/good"));
  for (const char* path : {"/good", "/moved", "/gone", "/unknown"}) {
    crawl.link("/sitemap.xml", path, true, true);
  }
  auto moved = TestCrawl::page("/moved", 301);
  moved.next_url = "http://a.example/good";
  crawl.add(moved);
  crawl.add(TestCrawl::page("/gone", 404));
  EXPECT_THAT(faults(crawl), ElementsAre("sitemap_redirect /moved /good status 301",
                                         "sitemap_broken /gone - status 404"));
}

TEST(Audit, CallsALoopALoop) {
  TestCrawl crawl;
  crawl.add(good_page("/good"));
  for (const auto& [from, to] : {std::pair{"/in", "/left"},
                                 {"/left", "/right"},
                                 {"/right", "/left"},
                                 {"/own", "/other"},
                                 {"/other", "/own"}}) {
    auto record = TestCrawl::page(from, 302);
    record.next_url = std::string("http://a.example") + to;
    crawl.add(record);
  }
  EXPECT_THAT(faults(crawl), ElementsAre("redirect_chain /in /left 3 redirects, a loop",
                                         "redirect_chain /own /own 2 redirects, a loop"));
}

TEST(Audit, SaysThatPagesWereLeftOut) {
  Collector collector({}, 1, {.seconds = 1'700'000'000}, 64 * 1024);
  for (int i = 0; i < 2000; ++i) collector.add(good_page("/" + std::to_string(i)));
  const Report report = std::move(collector).finish({}, {});
  ASSERT_GT(report.unaudited, 0u);
  ASSERT_TRUE(report.audit.empty());
  EXPECT_THAT(to_html(report), Not(HasSubstr("every page passes")));
  EXPECT_THAT(to_html(report), HasSubstr("did not fit and were not judged"));
  TestCrawl crawl;
  crawl.add(good_page("/a"));
  EXPECT_THAT(to_html(crawl.finish()), HasSubstr("every page passes"));
}

TEST(Audit, IsInEveryReport) {
  TestCrawl crawl;
  crawl.add(changed("/<b>", [](content::Metadata& page) { page.description = ""; }));
  crawl.add(changed("/c", [](content::Metadata& page) { page.images_without_alt = 2; }));
  const Report report = crawl.finish();
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["audit"]["pages"], 2);
  EXPECT_EQ(json["audit"]["rules"][0]["rule"], "description_missing");
  EXPECT_EQ(json["audit"]["rules"][1]["total"], 1);
  EXPECT_EQ(json["audit"]["rules"][1]["rows"][0]["detail"], "2 images");
  EXPECT_EQ(json["languages"][0]["language"], "en");
  EXPECT_EQ(json["languages"][0]["pages"], 2);
  EXPECT_THAT(to_html(report), HasSubstr("image_without_alt"));
  EXPECT_THAT(to_markdown(report), HasSubstr("### Site audit"));
  TestCrawl plain;
  plain.add(TestCrawl::page("/"));
  const Report without = plain.finish();
  EXPECT_EQ(nlohmann::json::parse(to_json(without))["audit"], nullptr);
  EXPECT_THAT(to_html(without), Not(HasSubstr("Site audit")));
  EXPECT_THAT(to_markdown(without), Not(HasSubstr("Site audit")));
}

TEST(Audit, GroupsThePagesOfARuleByTheirTemplates) {
  TestCrawl crawl;
  for (const char* path : {"/", "/shop/kettle", "/shop/<b>", "/shop/pot?size=2"}) {
    crawl.add(changed(path, [](content::Metadata& page) { page.description = ""; }));
  }
  const Report report = crawl.finish();
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["audit"]["rules"][0]["templates"],
            nlohmann::json::parse(R"([{"pattern": "http://a.example/shop/*", "pages": 3}])"));
  EXPECT_THAT(to_html(report), HasSubstr("<small>/shop/*: 3 pages</small>"));
  EXPECT_THAT(to_markdown(report), HasSubstr("| 4 | `http://a.example/shop/*`: 3 |"));
}

TEST(Audit, WritesFindingsAsJsonAndCsv) {
  const AuditFinding finding = {.rule = AuditRule::title_duplicate,
                                .url = "http://a.example/a,b",
                                .other = "http://a.example/",
                                .detail = "2 pages have it"};
  EXPECT_EQ(to_json(finding), R"({"url": "http://a.example/a,b", "rule": "title_duplicate", )"
                              R"("other_url": "http://a.example/", "detail": "2 pages have it"})");
  EXPECT_EQ(to_csv(finding),
            "\"http://a.example/a,b\",title_duplicate,http://a.example/,2 pages have it\r");
}

TEST(Audit, IsBounded) {
  Collector collector({}, 1, {.seconds = 1'700'000'000}, 64 * 1024);
  for (int i = 0; i < 2000; ++i) {
    collector.add(changed("/" + std::to_string(i), [](content::Metadata& page) {
      page.description = "";
      for (int j = 0; j < 200; ++j) {
        page.translations.push_back({"de", "http://a.example/t" + std::to_string(j)});
      }
    }));
  }
  const Report report = std::move(collector).finish({}, {});
  EXPECT_EQ(report.audited, 2000u);
  EXPECT_GT(report.unaudited, 1900u);
  ASSERT_FALSE(report.audit.empty());
  EXPECT_EQ(report.audit[0].pages.total, 2000 - report.unaudited);

  TestCrawl crawl;
  for (int i = 0; i < 300; ++i) {
    crawl.add(
        changed("/" + std::to_string(i), [](content::Metadata& page) { page.description = ""; }));
  }
  const Report cut = crawl.finish();
  EXPECT_EQ(cut.audit[0].pages.total, 300u);
  EXPECT_EQ(cut.audit[0].pages.rows.size(), Collector::kAuditListed);
}

}  // namespace
}  // namespace gossamer::report
