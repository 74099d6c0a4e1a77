#include "check/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace gossamer::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The links of a document with this text, and its faults.
struct Entered {
  std::vector<std::string> files;
  std::vector<std::string> web;
  Findings findings;
};

Entered enter(std::string_view place, std::string_view html, const FileRules& rules = {}) {
  Entered entered;
  LinkBook book;
  LinkUse use;
  const bool is_file = place.starts_with("file:");
  if (is_file) use.on_file = [&](const url::Url& u) { entered.files.push_back(u.href()); };
  use.on_web = [&](const url::Url& u) { entered.web.push_back(u.href()); };
  use.show = [](const url::Url& u) { return std::string(u.pathname()); };
  const ReadDocument read = read_document(DocumentType::html, html, {});
  enter_document({*url::Url::parse(place), "page"}, read, rules, use, book);
  for (const std::string& href : entered.web) {
    book.answer(*url::Url::parse(href), {.kind = Answer::Kind::good});
  }
  for (const std::string& href : entered.files) {
    book.answer(*url::Url::parse(href), {.kind = Answer::Kind::good});
  }
  entered.findings = std::move(book).close(true);
  return entered;
}

std::vector<std::string> causes(const Findings& findings) {
  std::vector<std::string> all;
  for (const Finding& finding : findings.all) all.push_back(finding.cause + " " + finding.url);
  return all;
}

TEST(Reader, ResolvesLinksAgainstTheDocumentOrItsBase) {
  EXPECT_THAT(enter("https://a.example/x/y", "<a href=z><a href=//b.example/><a href=''>").web,
              ElementsAre("https://a.example/x/z", "https://b.example/", "https://a.example/x/y"));
  EXPECT_THAT(enter("https://a.example/x/y", "<base href=/b/><a href=z>").web,
              ElementsAre("https://a.example/b/z"));
}

TEST(Reader, PassesOverWhatLeadsNowhereByIntent) {
  const Entered entered =
      enter("https://a.example/",
            "<a href=mailto:x@y><a href=tel:1><a href='javascript:void(0)'><img src=data:,x>"
            "<img src=''>");
  EXPECT_THAT(entered.web, IsEmpty());
  EXPECT_THAT(entered.findings.all, IsEmpty());
}

TEST(Reader, ChecksMailAddressesIfEnabled) {
  LinkBook book;
  LinkUse use;
  use.checks_mail = true;
  const ReadDocument read = read_document(
      DocumentType::html, "<a href='mailto:a@b.example?subject=x'><a href=mailto:nobody>", {});
  enter_document({*url::Url::parse("https://a.example/"), "page"}, read, {}, use, book);
  EXPECT_THAT(causes(std::move(book).close(true)), ElementsAre("bad_mail mailto:nobody"));
}

TEST(Reader, ReplacesTargets) {
  FileRules rules;
  ASSERT_TRUE(rules.remaps.add("^https://b\\.example/ file:///x/"));
  ASSERT_TRUE(rules.remaps.add("^https://c\\.example/ http://["));
  const Entered entered = enter("file:///docs/a.html",
                                "<a href=https://b.example/y><a href=https://c.example/>", rules);
  EXPECT_THAT(entered.files, ElementsAre("file:///x/y"));
  EXPECT_THAT(causes(entered.findings), ElementsAre("bad_url https://c.example/"));
}

TEST(Reader, ReportsInvalidUrls) {
  const Entered entered = enter("https://a.example/",
                                "<a href='http://['>\n<a href='htp://x.example/'>\n"
                                "<a href='irc://x.example/'>\n<a href='file:///etc/passwd'>");
  EXPECT_THAT(causes(entered.findings),
              ElementsAre("bad_url http://[", "bad_scheme htp://x.example/",
                          "scheme irc://x.example/", "scheme file:///etc/passwd"));
  EXPECT_EQ(entered.findings.all[1].detail, "did you mean http?");
  EXPECT_EQ(entered.findings.errors(), 2u);
}

TEST(Reader, LeavesFilesToThoseWhoCanLook) {
  const Entered entered =
      enter("file:///d/a.html", "<a href=b.html#x><a href=../c/><a href=https://w.example/>");
  EXPECT_THAT(entered.files, ElementsAre("file:///d/b.html#x", "file:///c/"));
  EXPECT_THAT(entered.web, ElementsAre("https://w.example/"));
}

TEST(Reader, ResolvesASlashInAFileOnlyIfConfigured) {
  EXPECT_THAT(causes(enter("file:///d/a.html", "<a href=/b>").findings),
              ElementsAre("root_relative /b"));
  FileRules folder = {.root = *url::Url::parse("file:///site/"), .base_url = std::nullopt};
  EXPECT_THAT(enter("file:///d/a.html", "<a href=/b>", folder).files,
              ElementsAre("file:///site/b"));
  FileRules site = {.root = std::nullopt, .base_url = *url::Url::parse("https://a.example/x/")};
  EXPECT_THAT(enter("file:///d/a.html", "<a href=/b><a href=//c.example/>", site).web,
              ElementsAre("https://a.example/b", "https://c.example/"));
}

TEST(Reader, ReadsDocumentsInTheirEncoding) {
  const ReadDocument read = read_document(DocumentType::html, "<a href=/x>\xC1</a>", "koi8-r");
  ASSERT_EQ(read.document.links.size(), 1u);
  EXPECT_EQ(read.document.links[0].text, "\xD0\xB0");
  EXPECT_EQ(read_document(DocumentType::html, "<a href=/x>\xC3\xA4</a>", {}).document.links[0].text,
            "\xC3\xA4")
      << "a file without a word about it is UTF-8";
}

TEST(DocumentType, DependsOnTypeNameAndBeginning) {
  EXPECT_EQ(type_of_mime("text/html"), DocumentType::html);
  EXPECT_EQ(type_of_mime("application/rss+xml"), DocumentType::xml);
  EXPECT_EQ(type_of_mime("image/svg+xml"), DocumentType::opaque);
  EXPECT_EQ(type_of_mime("text/plain"), DocumentType::opaque);
  EXPECT_EQ(type_of_file("README.MD", {}), DocumentType::markdown);
  EXPECT_EQ(type_of_file("sitemap.xml", {}), DocumentType::xml);
  EXPECT_EQ(type_of_file("page", "\n<!doctype html>"), DocumentType::html);
  EXPECT_EQ(type_of_file("page", "<?xml version"), DocumentType::xml);
  EXPECT_EQ(type_of_file("main.cc", "int main"), DocumentType::plain_text);
  EXPECT_EQ(type_of_file("main.cc", {}), DocumentType::opaque);
}

}  // namespace
}  // namespace gossamer::check
