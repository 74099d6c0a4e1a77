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
            "# A\n\ntext\n\none\\\ntwo\n\n### C *d*\n\n---\n\nend\n");
  EXPECT_EQ(markdown_of("<p> </p><h2></h2>"), "");
}

TEST(Markdown, HasLists) {
  EXPECT_EQ(markdown_of("<ul><li>a<li>b<ol><li>c<li>d</ol><li></ul>e"),
            "- a\n- b\n  1. c\n  2. d\n\ne\n");
  EXPECT_EQ(markdown_of("<ul><li><p>a<p>b<li><p>c</ul>"), "- a\n\n  b\n\n- c\n");
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

// Each line of a deep list has a long prefix.
TEST(Markdown, OfDeepListsIsBounded) {
  std::string page;
  for (int i = 0; i < 5000; ++i) page += "<ul><li>x";
  const dom::Document document = dom::parse(page);
  const std::string text = to_markdown(whole(document), document, {.bytes_max = 100'000});
  EXPECT_GT(text.size(), 100'000u);
  EXPECT_LT(text.size(), 110'000u);
}

}  // namespace
}  // namespace gossamer::content
