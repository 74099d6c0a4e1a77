#include "report/audit_rules.h"

#include <gtest/gtest.h>
#include <tests/support/report_test_crawl.h>

#include <memory>
#include <set>
#include <string>

namespace gossamer::report {
namespace {

// A page without faults.
content::Metadata good_metadata() {
  return {.language = "en",
          .description = "About it",
          .headings = {{.level = 1, .text = "It"}},
          .words = 200};
}

crawler::FetchRecord audited(content::Metadata metadata = good_metadata()) {
  crawler::FetchRecord record = TestCrawl::page("/");
  record.title = "All about it";
  record.metadata = std::make_shared<content::Metadata>(std::move(metadata));
  return record;
}

// Returns the only fault.
std::string fault_of(const crawler::FetchRecord& record) {
  std::string names;
  for (std::size_t i = 0; i < kAuditRules; ++i) {
    const auto rule = static_cast<AuditRule>(i);
    if (faults_of_page(record).has(rule)) names.append(names.empty() ? "" : " ").append(name(rule));
  }
  return names;
}

std::string fault_of(void (*change)(content::Metadata& metadata)) {
  content::Metadata metadata = good_metadata();
  change(metadata);
  return fault_of(audited(std::move(metadata)));
}

TEST(AuditRules, HaveUniqueNamesAndTexts) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kAuditRules; ++i) {
    EXPECT_TRUE(names.insert(name(static_cast<AuditRule>(i))).second);
    EXPECT_FALSE(describe(static_cast<AuditRule>(i)).empty());
  }
  EXPECT_EQ(name(AuditRule::redirect_chain), "redirect_chain");
}

TEST(AuditRules, FindFaultsOfAPage) {
  EXPECT_EQ(fault_of(audited()), "");
  crawler::FetchRecord record = audited();
  record.title = "";
  EXPECT_EQ(fault_of(record), "title_missing");
  record.title = "\xC3\xA9 is short";
  EXPECT_EQ(fault_of(record), "") << "10 characters";
  record.title.pop_back();
  EXPECT_EQ(fault_of(record), "title_short");
  record.title.clear();
  for (int i = 0; i < 70; ++i) record.title += "\xC3\xA9";
  EXPECT_EQ(fault_of(record), "") << "characters count, not bytes";
  record.title += "x";
  EXPECT_EQ(fault_of(record), "title_long");
  using Page = content::Metadata;
  EXPECT_EQ(fault_of([](Page& page) { page.description = ""; }), "description_missing");
  EXPECT_EQ(fault_of([](Page& page) { page.description = std::string(160, 'x'); }), "");
  EXPECT_EQ(fault_of([](Page& page) { page.description = std::string(161, 'x'); }),
            "description_long");
  EXPECT_EQ(fault_of([](Page& page) { page.headings[0].level = 2; }), "h1_missing");
  EXPECT_EQ(fault_of([](Page& page) { page.headings.push_back(page.headings[0]); }), "h1_several");
  EXPECT_EQ(fault_of([](Page& page) { page.images = page.images_without_alt = 1; }),
            "image_without_alt");
  EXPECT_EQ(fault_of([](Page& page) { page.headings[0].text = ""; }), "h1_empty");
  EXPECT_EQ(fault_of([](Page& page) { page.language = ""; }), "lang_missing");
  EXPECT_EQ(fault_of([](Page& page) { page.words = 50; }), "");
  EXPECT_EQ(fault_of([](Page& page) { page.words = 49; }), "thin_page");
  EXPECT_EQ(fault_of([](Page& page) { page.has_several_canonicals = true; }), "canonical_several");
  EXPECT_EQ(fault_of([](Page& page) {
              page.words = 9;
              page.scripts = 1;
            }),
            "empty_without_scripts");
  EXPECT_EQ(fault_of([](Page& page) {
              page.words = 10;
              page.scripts = 1;
            }),
            "thin_page");
}

TEST(AuditRules, FindErrorPagesWithStatus200) {
  for (const char* text : {"404", "404 - Example", "Page Not Found | Example", "Not found",
                           "Fehler 404", "Seite nicht gefunden"}) {
    EXPECT_TRUE(says_not_found(text)) << text;
  }
  for (const char* text : {"", "4040 records", "Area code 404", "Lost and found", "Finding a page",
                           "404 Main Street", "Nothing was found that year"}) {
    EXPECT_FALSE(says_not_found(text)) << text;
  }
  EXPECT_EQ(fault_of([](content::Metadata& page) { page.headings[0].text = "Page not found"; }),
            "soft_404");
  EXPECT_EQ(fault_of([](content::Metadata& page) {
              page.headings[0].text = "Page not found";
              page.words = 301;
            }),
            "")
      << "an article about it";
}

TEST(AuditRules, JudgeOnlyPagesThatSearchEnginesMayShow) {
  crawler::FetchRecord record = audited();
  record.title = "";
  EXPECT_TRUE(is_audited(record));
  record.robots = "noindex, nofollow";
  EXPECT_EQ(fault_of(record), "");
  record.status = 404;
  EXPECT_FALSE(is_audited(record));
  record.status = 200;
  record.error = "peer_closed";
  EXPECT_FALSE(is_audited(record)) << "the missing part may have what is missing";
  record.error = "";
  record.is_leaf = true;
  EXPECT_FALSE(is_audited(record));
  EXPECT_FALSE(is_audited(TestCrawl::page("/"))) << "no metadata";
}

}  // namespace
}  // namespace gossamer::report
