#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/processor_time.h>

#include <string>
#include <vector>

#include "check/document.h"

namespace gossamer::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "3:9 /x text", one per link.
std::vector<std::string> links(std::string_view text, const MarkdownRules& rules = {}) {
  std::vector<std::string> lines;
  for (const LinkPlace& link : read_markdown(text, rules).links) {
    lines.push_back(std::to_string(link.at.line) + ":" + std::to_string(link.at.column) + " " +
                    link.url + (link.text.empty() ? "" : " " + link.text));
  }
  return lines;
}

std::vector<std::string> ids(std::string_view text) { return read_markdown(text).ids; }

TEST(Markdown, HasTheIdsThatAreGivenByHand) {
  EXPECT_THAT(ids("## Set up {#setup}\n"), ElementsAre("set-up-setup", "setup"));
  EXPECT_THAT(ids("# A {.big #a-1 key=v}\n\n[span]{#s}\n\nText\n{: #text .x}\n\n"
                  "## D {/* #docusaurus */}\n"),
              testing::IsSupersetOf({"a-1", "s", "text", "docusaurus"}));
  EXPECT_THAT(ids("`{#code}` {#} { # } {a#b} {#open\n}\n\n    {#block}\n"), IsEmpty());
}

TEST(Markdown, HasLinksAndImages) {
  EXPECT_THAT(links("See [the *guide*](guide.md \"Title\") and\n![a picture](<my pic.png>)."),
              ElementsAre("1:19 guide.md the *guide*", "2:14 my pic.png a picture"));
  EXPECT_THAT(links("[![alt](i.png)](page.md)"),
              ElementsAre("1:9 i.png alt", "1:17 page.md ![alt](i.png)"));
}

// In quadratic time these would take hours.
TEST(Markdown, ReadsLongTextsWithoutBlanks) {
  EXPECT_FALSE(links("http://a.b" + std::string(1'000'000, ')')).empty());
  std::string nested;
  while (nested.size() < 1'000'000) nested += "(http://a";
  EXPECT_THAT(links(nested), IsEmpty());
}

TEST(Markdown, ReadsDestinationsAsTheyAreMeant) {
  EXPECT_THAT(links("[a](x_(y).md) [b](a\\)b) [c](q?a=1&amp;b=2) [d]()"),
              ElementsAre("1:5 x_(y).md a", "1:19 a)b b", "1:29 q?a=1&b=2 c", "1:48  d"));
}

TEST(Markdown, HasNoLinkWhereTheSyntaxIsInvalid) {
  EXPECT_THAT(links("[a] (x) [b](x y) \\[c](d) [e](f"), IsEmpty());
}

TEST(Markdown, FindsReferencesWhereTheyAreUsed) {
  EXPECT_THAT(links("[full][Ref  One] and [ref one][] and\n[ref one].\n\n[REF one]: /target 'T'\n"),
              ElementsAre("1:1 /target full", "1:22 /target ref one", "2:1 /target ref one"));
}

TEST(Markdown, ReportsUnusedDefinitions) {
  EXPECT_THAT(links("text\n\n[unused]: /nowhere\n"), ElementsAre("3:11 /nowhere"));
}

TEST(Markdown, TakesNoFootnoteOrTaskOrIndexForALink) {
  EXPECT_THAT(links("- [ ] to do\n- [x] done\n\nnote[^1] and a[i][j]\n\n[^1]: see there\n"),
              IsEmpty());
}

TEST(Markdown, FindsAddressesInAngleBracketsAndBareOnes) {
  EXPECT_THAT(links("<https://a.example/x> <me@a.example> https://b.example/y. (www.c.example/z)\n"
                    "xhttps://d.example http://localhost:80/ `https://e.example`"),
              ElementsAre("1:2 https://a.example/x", "1:24 mailto:me@a.example",
                          "1:38 https://b.example/y", "1:60 http://www.c.example/z"));
  EXPECT_THAT(links("[https://a.example](https://b.example)"),
              ElementsAre("1:21 https://b.example https://a.example"));
}

TEST(Markdown, EndsBareUrlsWhereProseContinues) {
  EXPECT_THAT(links("https://a.example/x; https://a.example/?a=1&quot; https://a.example/y)"),
              ElementsAre("1:1 https://a.example/x", "1:22 https://a.example/?a=1",
                          "1:51 https://a.example/y"));
  EXPECT_THAT(links("<LICENSE or [text](target)>"), ElementsAre("1:20 target text"))
      << "text that is not a tag is prose";
}

TEST(Markdown, IgnoresCode) {
  EXPECT_THAT(links("```\n[a](b)\n```\n~~~ html\n<a href=c>\n~~~\n    [indented](d)\n\n`[e](f)` "
                    "``[g`](h)``\n"),
              IsEmpty());
  EXPECT_THAT(links("a `b [c](d)\n\ne ` f"), ElementsAre("1:10 d c"))
      << "a span does not go beyond its paragraph";
}

TEST(Markdown, HasTheUrlsOfCodeIfEnabled) {
  const std::string_view text =
      "`curl https://a.example/x` [b](c)\n\n```\nget https://d.example/ [e](f)\n```\n\n"
      "    https://g.example/\n\nhttps://h.example/\n";
  EXPECT_THAT(links(text), ElementsAre("1:32 c b", "9:1 https://h.example/"));
  EXPECT_THAT(links(text, {.reads_code = true}),
              ElementsAre("1:7 https://a.example/x", "1:32 c b", "4:5 https://d.example/",
                          "7:5 https://g.example/", "9:1 https://h.example/"));
}

TEST(Markdown, HasWikilinksIfEnabled) {
  const std::string_view text =
      "[[Home]] [[Two words#A Heading|shown *so*]] [[#Here]] ![[pic.png]] `[[no]]` [[a\nb]] [[x]\n";
  EXPECT_THAT(links(text), IsEmpty());
  EXPECT_THAT(links(text, {.has_wikilinks = true}),
              ElementsAre("1:3 Home.md", "1:12 Two%20words.md#a-heading shown *so*", "1:47 #here",
                          "1:58 pic.png"));
}

TEST(Markdown, PagesOfWikilinksMayHaveDotsAndColons) {
  EXPECT_THAT(
      links("[[Version 1.0]] [[FAQ: setup]] [[https://a.example/x]]", {.has_wikilinks = true}),
      ElementsAre("1:3 Version%201.0.md", "1:19 ./FAQ:%20setup.md", "1:34 https://a.example/x"));
}

TEST(Markdown, CodeInListsIsCode) {
  EXPECT_THAT(
      links("1. item\n\n   ```\n   [a](b)\n   ```\n\n   [c](d)\n\n       [e](f)\n\n- x\n  [g](h)"),
      ElementsAre("7:8 d c", "12:7 h g"));
}

TEST(Markdown, ItemsAndQuotesHoldText) {
  EXPECT_THAT(
      links("- [a](b)\n  * [c](d)\n    continued [e](f)\n> [g](h)\n> > [i](j)\n> ```\n> [k](l)\n"
            "> ```\n[m](n)"),
      ElementsAre("1:7 b a", "2:9 d c", "3:19 f e", "4:7 h g", "5:9 j i", "9:5 n m"));
}

TEST(Markdown, HtmlInItCounts) {
  EXPECT_THAT(links("<p align=center>\n  <a href=\"one.md\">One</a>\n  [not](markdown)\n</p>\n\n"
                    "text <img src=two.png> and [x](y)"),
              ElementsAre("2:12 one.md One", "6:15 two.png", "6:32 y x"));
}

TEST(Markdown, CommentsDoNotCount) {
  EXPECT_THAT(links("<!--\n[a](b)\n\n<a href=c>\n-->\ntext <!-- [d](e) --> [f](g)"),
              ElementsAre("6:26 g f"));
}

TEST(Markdown, IgnoresFrontMatter) {
  EXPECT_THAT(links("---\nlink: '[a](b)'\n---\n[c](d)\n"), ElementsAre("4:5 d c"));
}

TEST(Markdown, HeadingsHaveIds) {
  EXPECT_THAT(ids("# One `two` [three](x) #\n\nFour *five*\n----\n\n## One two three\n\n"
                  "```\n# no heading\n```\n#none\n- # In a list\n\n<h2 id=\"own\">x</h2>\n"),
              ElementsAre("own", "one-two-three", "four-five", "one-two-three-1", "in-a-list"));
}

TEST(Markdown, TreatsRulesAndTablesNotAsHeadings) {
  EXPECT_THAT(ids("- a\n---\n\n| x |\n|---|\n| [a](b) |\n\n***\n"), IsEmpty());
  EXPECT_THAT(links("| x |\n|---|\n| [a](b) |\n"), ElementsAre("3:7 b a"));
}

TEST(Markdown, UnderscoresAroundWordsAreEmphasis) {
  EXPECT_THAT(ids("# _One_ two_three\n"), ElementsAre("one-two_three"));
}

TEST(Markdown, TakesLinearTimeForHostileText) {
  for (const std::string_view piece : {"[`<", "[", "[a](b (", "<a \"", "<!-- ", "`` ` ", "![",
                                       "[a](", "[a][", "> ", "- ", "[[a|"}) {
    const auto cost = [piece](std::size_t bytes) {
      std::string text;
      while (text.size() < bytes) text += piece;
      const Duration before = processor_time();
      static_cast<void>(read_markdown(text, {.has_wikilinks = true, .reads_code = true}));
      return processor_time() - before;
    };
    EXPECT_LT(growth(20'000, cost), 3) << piece;
  }
}

}  // namespace
}  // namespace gossamer::check
