#include "check/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "check/formats.h"

namespace gossamer::check {
namespace {

using testing::HasSubstr;
using testing::Not;

Finding finding_of(FindingKind kind, std::string url, std::string cause) {
  return {.kind = kind, .url = std::move(url), .cause = std::move(cause), .detail = {}};
}

Findings findings_with(std::vector<Finding> all) {
  Findings findings;
  for (Finding& finding : all) {
    ++findings.counts[finding.kind];
    findings.all.push_back(std::move(finding));
  }
  return findings;
}

// The findings of a check, after the findings of an earlier one.
Findings compared(std::vector<Finding> all, std::vector<Finding> earlier) {
  Findings findings = findings_with(std::move(all));
  const auto baseline = Baseline::parse(to_json(findings_with(std::move(earlier))));
  EXPECT_TRUE(baseline);
  if (baseline) baseline->mark(findings);
  return findings;
}

TEST(Baseline, KnowsTheFaultsOfTheLastCheck) {
  const Findings findings =
      compared({finding_of(FindingKind::broken, "https://a.example/old", "timeout"),
                finding_of(FindingKind::broken, "https://a.example/new\"\n", "404"),
                finding_of(FindingKind::fragment, "https://a.example/old", "no_such_id"),
                finding_of(FindingKind::redirect, "https://a.example/moved", "301")},
               {finding_of(FindingKind::broken, "https://a.example/old", "404"),
                finding_of(FindingKind::redirect, "https://a.example/moved", "308")});
  EXPECT_EQ(findings.errors(), 3u);
  EXPECT_EQ(findings.new_errors(), 2u);
  EXPECT_EQ(findings.warnings(), 1u);
  EXPECT_EQ(findings.new_warnings(), 0u);
}

TEST(Baseline, DistinguishesTheFaultsOfOnePage) {
  const Findings findings =
      compared({finding_of(FindingKind::seo, "https://a.example/", "title_missing"),
                finding_of(FindingKind::seo, "https://a.example/", "description_missing")},
               {finding_of(FindingKind::seo, "https://a.example/", "title_missing")});
  EXPECT_EQ(findings.new_warnings(), 1u);
}

TEST(Baseline, AcceptsAnEmptyResultAndNothingElse) {
  EXPECT_TRUE(Baseline::parse(to_json({})));
  EXPECT_FALSE(Baseline::parse(""));
  EXPECT_FALSE(Baseline::parse("{}"));
  const std::string whole =
      to_json(findings_with({finding_of(FindingKind::broken, "https://a.example/", "404")}));
  EXPECT_TRUE(Baseline::parse(whole));
  for (std::size_t size = 0; size + 3 < whole.size(); ++size) {
    EXPECT_FALSE(Baseline::parse(std::string_view(whole).substr(0, size))) << size;
  }
}

TEST(Baseline, IsShownInEveryFormat) {
  const Findings findings =
      compared({finding_of(FindingKind::broken, "https://a.example/old", "404"),
                finding_of(FindingKind::broken, "https://a.example/new", "404")},
               {finding_of(FindingKind::broken, "https://a.example/old", "404")});
  EXPECT_THAT(to_text(findings), HasSubstr("broken [404] https://a.example/old  (known)\n"));
  EXPECT_THAT(to_text(findings), HasSubstr("broken [404] https://a.example/new\n"));
  EXPECT_THAT(to_text(findings), HasSubstr(": 2 broken, of which 1 is new\n"));
  EXPECT_THAT(to_json(findings), HasSubstr(R"("is_known": true)"));
  EXPECT_THAT(to_json(findings), HasSubstr(R"("is_known": false)"));
  EXPECT_THAT(to_sarif(findings), HasSubstr(R"("baselineState": "unchanged")"));
  EXPECT_THAT(to_sarif(findings), HasSubstr(R"("baselineState": "new")"));
  EXPECT_THAT(to_junit(findings), HasSubstr("failures=\"1\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(to_markdown(findings), HasSubstr("1 of the faults is new"));
  EXPECT_THAT(to_sarif(findings_with({})), Not(HasSubstr("baselineState")));
}

}  // namespace
}  // namespace gossamer::check
