#include "check/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gossamer::check {
namespace {

using testing::HasSubstr;
using testing::Not;

Finding broken_link(std::string url, std::string text) {
  Finding finding;
  finding.url = std::move(url);
  finding.cause = "404";
  finding.detail = "Not Found";
  finding.places = {{.page = "docs/a.md", .at = {12, 5}, .text = std::move(text)}};
  finding.links = 4;
  return finding;
}

Findings findings_of(Finding finding) {
  Findings findings;
  findings.sources = {"docs"};
  findings.pages = 2;
  findings.links = 10;
  findings.urls = 7;
  ++findings.counts[finding.kind];
  findings.all.push_back(std::move(finding));
  return findings;
}

TEST(CheckFormats, ShowThePositionOfALink) {
  const std::string text = to_text(findings_of(broken_link("https://a.example/x", "the guide")));
  EXPECT_EQ(text,
            "broken [404] https://a.example/x  (Not Found)\n"
            "    docs/a.md:12:5  \"the guide\"\n"
            "    and 3 places more\n"
            "10 links on 2 pages, 7 URLs, in 0 s: 1 broken\n");
}

TEST(CheckFormats, ShowUncheckedLinksOnlyIfEnabled) {
  Finding finding = broken_link("https://a.example/x", "x");
  finding.kind = FindingKind::unchecked;
  finding.cause = "robots";
  Findings findings = findings_of(finding);
  findings.unchecked["robots"] = 1;
  EXPECT_THAT(to_text(findings), Not(HasSubstr("https://a.example/x")));
  EXPECT_THAT(to_text(findings), HasSubstr("not checked: 1 robots\n"));
  EXPECT_THAT(to_text(findings, true), HasSubstr("unchecked [robots] https://a.example/x"));
}

TEST(CheckFormats, NameTheOptionForPrivateAddresses) {
  Finding finding = broken_link("http://localhost/", "x");
  finding.kind = FindingKind::unchecked;
  finding.cause = "denied";
  Findings findings = findings_of(finding);
  findings.unchecked["denied"] = 1;
  EXPECT_THAT(to_text(findings),
              HasSubstr("not checked: 1 denied (`allow-private` also checks private addresses)\n"));
}

TEST(CheckFormats, ShowBlockedLinksAsNoFaults) {
  Finding finding = broken_link("https://a.example/x", "x");
  finding.kind = FindingKind::blocked;
  finding.cause = "403";
  const Findings findings = findings_of(finding);
  EXPECT_EQ(findings.errors() + findings.warnings(), 0u);
  EXPECT_THAT(to_text(findings), HasSubstr("blocked [403] https://a.example/x"));
  EXPECT_THAT(to_text(findings), HasSubstr(": 1 blocked\n"));
  EXPECT_THAT(to_json(findings), HasSubstr("\"blocked\": 1"));
  EXPECT_THAT(to_markdown(findings), HasSubstr("### Blocked"));
  EXPECT_THAT(to_sarif(findings),
              HasSubstr(R"("ruleId": "blocked", "ruleIndex": 5, "level": "note")"));
  EXPECT_THAT(to_junit(findings), HasSubstr("<skipped message=\"blocked: 403 (Not Found)\"/>"));
  EXPECT_THAT(to_junit(findings), HasSubstr("failures=\"0\" errors=\"0\" skipped=\"1\""));
}

TEST(CheckFormats, SuggestCopiesOfBrokenLinks) {
  Findings findings = findings_of(broken_link("https://a.example/x?y", "x"));
  findings.all.push_back(broken_link("docs/no-file.md", "x"));
  suggest_copies(findings);
  EXPECT_THAT(to_text(findings),
              HasSubstr("\n    perhaps in https://web.archive.org/web/https://a.example/x?y\n"));
  EXPECT_THAT(to_json(findings),
              HasSubstr(R"("copy": "https://web.archive.org/web/https://a.example/x?y")"));
  EXPECT_TRUE(findings.all[1].copy.empty());
}

TEST(CheckFormats, SuggestArchivedCopiesFirst) {
  Findings findings = findings_of(broken_link("https://a.example/x", "x"));
  findings.all.push_back(broken_link("https://a.example/y", "y"));
  suggest_copies(findings, [](const std::string& url) -> std::optional<ArchivedCopy> {
    if (url != "https://a.example/x") return {};
    return ArchivedCopy{.archive = "museum", .at = WallTime{.seconds = 1'000'000'000}};
  });
  EXPECT_THAT(to_text(findings), HasSubstr("\n    a copy of 2001-09-09T01:46:40Z is in museum\n"));
  EXPECT_THAT(to_json(findings),
              HasSubstr(R"("copy": "museum", "copied_at": "2001-09-09T01:46:40Z")"));
  EXPECT_THAT(findings.all[1].copy, HasSubstr("web.archive.org"));
}

TEST(CheckFormats, CountMissingFragments) {
  Finding finding = broken_link("https://a.example/x#y", "x");
  finding.kind = FindingKind::fragment;
  Findings findings = findings_of(finding);
  EXPECT_THAT(to_text(findings), HasSubstr(": 1 missing fragment\n"));
  ++findings.counts[FindingKind::fragment];
  EXPECT_THAT(to_text(findings), HasSubstr(": 2 missing fragments\n"));
}

TEST(CheckFormats, ShowFaultsOfPages) {
  const Finding finding = {.kind = FindingKind::seo,
                           .url = "https://a.example/x",
                           .cause = "title_missing",
                           .detail = "the page has no title"};
  const Findings findings = findings_of(finding);
  EXPECT_EQ(findings.errors(), 0u);
  EXPECT_EQ(findings.warnings(), 1u);
  EXPECT_EQ(to_text(findings),
            "seo [title_missing] https://a.example/x  (the page has no title)\n"
            "10 links on 2 pages, 7 URLs, in 0 s: 1 in the audit\n");
  EXPECT_THAT(to_json(findings), HasSubstr("\"seo\": 1"));
  EXPECT_THAT(to_markdown(findings), HasSubstr("### Site audit"));
  EXPECT_THAT(to_sarif(findings), HasSubstr("\"ruleId\": \"seo\""));
  EXPECT_THAT(to_junit(findings), HasSubstr("seo: title_missing"));
}

// A hostile URL and a hostile text.
const std::string kHostile =
    "\x1B[31mred\x07\n<script>&\"'|`[x](javascript:1)\xE2\x80\xAE\xEF\xBF\xBF ]]>\xFF";

TEST(CheckFormats, LetNoTextDriveATerminal) {
  const std::string text = to_text(findings_of(broken_link(kHostile, kHostile)));
  EXPECT_THAT(text, Not(HasSubstr("\x1B")));
  EXPECT_THAT(text, Not(HasSubstr("\x07")));
  EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE")));
  EXPECT_EQ(std::ranges::count(text, '\n'), 4);
}

TEST(CheckFormats, LetNoTextEndAnElement) {
  const std::string text = to_junit(findings_of(broken_link(kHostile, kHostile)));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_THAT(text, HasSubstr("&lt;script&gt;&amp;&quot;"));
  EXPECT_THAT(text, Not(HasSubstr("\xEF\xBF\xBF")));
  EXPECT_THAT(text, Not(HasSubstr("\x1B")));
}

TEST(CheckFormats, LetNoTextBecomeALinkOfMarkdown) {
  const std::string text = to_markdown(findings_of(broken_link(kHostile, kHostile)));
  EXPECT_THAT(text, Not(HasSubstr("\x1B")));
  EXPECT_THAT(text, HasSubstr("``"));
  // Three cells and no more: only the table itself contains bars.
  const std::size_t row = text.find("| `");
  ASSERT_NE(row, std::string::npos);
  const std::string line = text.substr(row, text.find('\n', row) - row);
  EXPECT_EQ(std::ranges::count(line, '|'), 4);
}

TEST(CheckFormats, BoundTheCommentOnAPullRequest) {
  Findings findings;
  for (int i = 0; i < 5000; ++i) {
    findings.all.push_back(broken_link("https://a.example/" + std::string(250, 'x'), "text"));
    ++findings.counts[FindingKind::broken];
  }
  const std::string text = to_markdown(findings);
  EXPECT_LE(text.size(), 60'000u);
  EXPECT_THAT(text, HasSubstr("and 4,9"));
}

TEST(CheckFormats, CountInJson) {
  const std::string text = to_json(findings_of(broken_link("https://a.example/x", "the guide")));
  EXPECT_THAT(text, HasSubstr(R"("counts": {"broken": 1, "fragment": 0, "text": 0,)"));
  EXPECT_THAT(text, HasSubstr(R"({"kind": "broken", "url": "https://a.example/x", "cause": "404", )"
                              R"("detail": "Not Found", "leads_to": null, "links": 4, "places": )"
                              R"([{"page": "docs/a.md", "line": 12, "column": 5, )"
                              R"("text": "the guide"}]})"));
}

TEST(CheckFormats, PlaceEachLinkForCodeScanning) {
  Finding finding = broken_link("https://a.example/x", "x");
  finding.places.push_back({.page = "./docs/b c.md", .at = {3, 1}, .text = "y"});
  const std::string text = to_sarif(findings_of(finding));
  EXPECT_THAT(text, HasSubstr(R"("version": "2.1.0")"));
  EXPECT_THAT(text, HasSubstr(R"({"ruleId": "broken", "ruleIndex": 0, "level": "error", )"
                              R"("message": {"text": "https://a.example/x [404]: Not Found"}, )"
                              R"("locations": [{"physicalLocation": {"artifactLocation": )"
                              R"({"uri": "docs/a.md"}, "region": {"startLine": 12, )"
                              R"("startColumn": 5}}}]})"));
  EXPECT_THAT(text, HasSubstr(R"("uri": "docs/b%20c.md")"));
}

TEST(CheckFormats, NameARootThatFailedForCodeScanning) {
  Finding finding = broken_link("https://a.example/", "");
  finding.kind = FindingKind::unchecked;
  EXPECT_THAT(to_sarif(findings_of(finding)), HasSubstr("\"results\": [\n]"));
  finding.is_source = true;
  finding.places.clear();
  const std::string text = to_sarif(findings_of(finding));
  EXPECT_THAT(text, HasSubstr(R"("ruleIndex": 6, "level": "note")"));
  EXPECT_THAT(text, HasSubstr(R"({"artifactLocation": {"uri": "https://a.example/"}})"));
}

}  // namespace
}  // namespace gossamer::check
