#include "content/markdown.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "content/content_text.h"
#include "dom/parse.h"

namespace gossamer::content {
namespace {

// The whole page as content.
MainContent whole(const dom::Document& document) {
  return {.outline = Outline(document), .roots = {0}};
}

std::string markdown_of(std::string_view page, bool images = false) {
  const dom::Document document = dom::parse(page);
  const auto url = url::Url::parse("http://a.example/b/");
  return to_markdown(whole(document), document, {.place = {.url = &*url}, .images = images});
}

TEST(Markdown, HasHeadingsAndParagraphs) {
  EXPECT_EQ(markdown_of("<h1>A</h1>text<p>one<br>two</p><h3>C <i>d</i></h3><hr>end"),
            "# A\n\ntext\n\none\\\ntwo\n\n### C *d*\n\n***\n\nend\n");
  EXPECT_EQ(markdown_of("<p> </p><h2></h2>"), "");
}

TEST(Markdown, HasLists) {
  EXPECT_EQ(markdown_of("<ul><li>a<li>b<ol><li>c<li>d</ol><li></ul>e"),
            "- a\n- b\n  1. c\n  2. d\n\ne\n");
  EXPECT_EQ(markdown_of("<ul><li><p>a<p>b<li><p>c</ul>"), "- a\n\n  b\n\n- c\n");
}

TEST(Markdown, KeepsListsThatAreNotWellFormed) {
  EXPECT_EQ(markdown_of("<ul><li>a<ul><li>b</ul></li><ul><li>c</ul><li>d</ul>"),
            "- a\n  - b\n  + c\n- d\n");
  EXPECT_EQ(markdown_of("<ol>text<li>a</ol>"), "1. text\n2. a\n");
}

TEST(Markdown, SeparatesListsThatFollowEachOther) {
  EXPECT_EQ(markdown_of("<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>"),
            "- a\n\n+ b\n\n1. c\n\n1) d\n");
  EXPECT_EQ(markdown_of("<ul><li>a</ul>x<ul><li>b</ul>"), "- a\n\nx\n\n- b\n");
  EXPECT_EQ(markdown_of("<ul><li><hr>a</ul>"), "- ***\n\n  a\n");
}

TEST(Markdown, CountsListsFromTheirStart) {
  EXPECT_EQ(markdown_of("<ol start=9><li>a<li>b</ol>"), "9. a\n10. b\n");
  EXPECT_EQ(markdown_of("<ol start=-1><li>a</ol>"), "1. a\n");
}

TEST(Markdown, HasLinksAroundBlocks) {
  EXPECT_EQ(markdown_of("a <a href=/x>b<h3>c</h3><p>d</p></a> f"),
            "a [b](http://a.example/x)\n\n### [c](http://a.example/x)\n\n"
            "[d](http://a.example/x)\n\nf\n");
}

TEST(Markdown, EscapesReferencesInLinks) {
  EXPECT_EQ(markdown_of("<a href='/?a=1&b=2&amp;copy;'>x</a>"),
            "[x](http://a.example/?a=1&b=2\\&copy;)\n");
}

// A carriage return ends a line, too.
TEST(Markdown, KeepsCodeInItsQuote) {
  EXPECT_EQ(markdown_of("<blockquote><pre>a&#13;# b</pre></blockquote>"),
            "> ```\n> a\n> # b\n> ```\n");
}

TEST(Markdown, HasQuotes) {
  EXPECT_EQ(markdown_of("<blockquote><p>a<p>b<ul><li>c</ul></blockquote>"),
            "> a\n>\n> b\n>\n> - c\n");
}

TEST(Markdown, HasCodeWithItsLanguage) {
  EXPECT_EQ(markdown_of("<pre><code class='hljs language-cpp'>int a;\n\n  b();\n</code></pre>"),
            "```cpp\nint a;\n\n  b();\n```\n");
  EXPECT_EQ(markdown_of("<pre>```</pre>"), "````\n```\n````\n");
  EXPECT_EQ(markdown_of("<p>a <code>b*</code>"), "a `b*`\n");
}

TEST(Markdown, HasTables) {
  EXPECT_EQ(markdown_of("<table><tr><th>a<th>b<tr><td>1 | 2<td><b>3</b></table>"),
            "| a | b |\n| --- | --- |\n| 1 \\| 2 | **3** |\n");
  EXPECT_EQ(markdown_of("<table><tr><td><p>only<p>layout</table>"), "only\n\nlayout\n");
  EXPECT_EQ(markdown_of("<table><tr><td><h2>a</h2><td>b</table>"), "## a\n\nb\n");
  EXPECT_EQ(markdown_of("<table><tr><td><p>a<p>b<td>c</table>"), "a\n\nb\n\nc\n");
}

TEST(Markdown, HasAbsoluteLinks) {
  EXPECT_EQ(markdown_of("<a href=../x(1)>y</a> <a href=javascript:z>n</a> <a href=#f> </a>"),
            "[y](http://a.example/x\\(1\\)) n\n");
  EXPECT_EQ(markdown_of("<base href=http://c.example/><a href=x>y</a>"),
            "[y](http://c.example/x)\n");
}

TEST(Markdown, HasImagesOnRequest) {
  const std::string_view page = "<p>a <img src=i.png alt='b [c]'>";
  EXPECT_EQ(markdown_of(page), "a\n");
  EXPECT_EQ(markdown_of(page, true), "a ![b \\[c\\]](http://a.example/b/i.png)\n");
}

TEST(Markdown, EndsAtItsBound) {
  std::string page;
  for (int i = 0; i < 1000; ++i) page += "<p>paragraph";
  const dom::Document document = dom::parse(page);
  EXPECT_LT(to_markdown(whole(document), document, {.bytes_max = 100}).size(), 200u);
  EXPECT_LT(to_text(whole(document), 100).size(), 200u);
}

TEST(ContentText, HasOneLinePerBlock) {
  const dom::Document document =
      dom::parse("<p>a  b<p>c<br>d<table><tr><td>1<td>2</table><pre>\ne\n  f</pre>g");
  EXPECT_EQ(to_text(whole(document), 1000), "a b\nc\nd\n1\t2\ne\n  f\ng");
}

TEST(Markdown, CutsLongTextOfPicturesAtACharacter) {
  const std::string alt = std::string(1023, 'x') + "\xC3\xA9";
  EXPECT_EQ(markdown_of("<img src=/i alt='" + alt + "'>", true),
            "![" + std::string(1023, 'x') + "](http://a.example/i)\n");
}

// Each line of a deep list or quote would have a long prefix.
TEST(Markdown, OfDeepPagesIsBounded) {
  std::string page;
  for (int i = 0; i < 500; ++i) page += "<ul><li>x";
  const dom::Document lists = dom::parse(page);
  EXPECT_LT(to_markdown(whole(lists), lists, {}).size(), 50'000u);
  page.clear();
  for (int i = 0; i < 500; ++i) page += "<blockquote>";
  page += "<pre>" + std::string(20'000, '\n') + "x";
  const dom::Document quotes = dom::parse(page);
  EXPECT_LT(to_markdown(whole(quotes), quotes, {.bytes_max = 100'000}).size(), 101'000u);
}

// Each link has the base of the page in it.
TEST(Markdown, OfLongLinksIsBounded) {
  const std::string base = "<base href='http://a.example/" + std::string(10'000, 'x') + "/'>";
  for (const std::string_view repeated :
       {"<a href=y>z</a> ", "<table><tr><td><a href=y>z</a><td><a href=y>z</a></table>",
        "<a href=y><p>z<p>z</a>", "<h1><a href=y>z</a></h1>", "<img src=y> "}) {
    std::string page = base;
    for (int i = 0; i < 1000; ++i) page += repeated;
    const dom::Document document = dom::parse(page);
    const MarkdownOptions options = {.images = true, .bytes_max = 100'000};
    EXPECT_LT(to_markdown(whole(document), document, options).size(), 150'000u) << repeated;
  }
}

}  // namespace
}  // namespace gossamer::content
