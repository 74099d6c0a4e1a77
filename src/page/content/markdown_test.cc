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

TEST(Markdown, KeepsTheNumbersOfItems) {
  EXPECT_EQ(markdown_of("<ol><li>a<li value=5>b<li>c</ol>"), "1. a\n5) b\n6) c\n");
  EXPECT_EQ(markdown_of("<ol reversed><li>a<li>b</ol>"), "2. a\n1) b\n");
  EXPECT_EQ(markdown_of("<ul><li value=7>a</ul>"), "- a\n");
}

TEST(Markdown, HasTightListsOfSingleParagraphs) {
  EXPECT_EQ(markdown_of("<ul><li><p>a</p><ul><li><p>b</ul><li><p>c</ul>"), "- a\n  - b\n- c\n");
  EXPECT_EQ(markdown_of("<ul><li>a<p>b<li>c</ul>"), "- a\n\n  b\n\n- c\n");
}

TEST(Markdown, HasTasks) {
  EXPECT_EQ(markdown_of("<ul><li><input type=checkbox checked>a<li><label><input type=checkbox> b"
                        "</label><li>[x] c</ul>"),
            "- [x] a\n- [ ] b\n- \\[x] c\n");
}

TEST(Markdown, HasDefinitions) {
  EXPECT_EQ(markdown_of("<dl><dt>a<dd>b<dd><p>c<p>d<dt>e<dd><ul><li>f</ul></dl>g"),
            "a\n: b\n\n: c\n\n  d\n\ne\n\n- f\n\ng\n");
  // Two levels would be indented enough to be code.
  EXPECT_EQ(markdown_of("<dl><dt>a<dd>b<dl><dt>c<dd>d<p>e</dl></dl>"),
            "a\n: b\n\n  c\n\n  d\n\n  e\n");
}

TEST(Markdown, HasRaisedAndDeletedText) {
  EXPECT_EQ(markdown_of("x<sup>2</sup> H<sub>2</sub>O <del>no</del>"),
            "x<sup>2</sup> H<sub>2</sub>O ~~no~~\n");
}

TEST(Markdown, HasNotes) {
  EXPECT_EQ(markdown_of("<p>a<sup><a class=footnote-ref id=r1 href=#n1>[1]</a></sup> b<hr><ol>"
                        "<li id=n1><p>See <b>c</b>. <a href=#r1>back</a></ol>"),
            "a[^1] b\n\n***\n\n[^1]: See **c**.\n");
  // Readers without notes must not take it for the address of a link.
  EXPECT_EQ(markdown_of("<p>a<a role=doc-noteref href=#n>*</a><div id=n>word</div>"),
            "a[^1]\n\n[^1]: word &nbsp;\n");
  EXPECT_EQ(markdown_of("<p>a<a role=doc-noteref href=#n>1</a><p>end"),
            "a[1](http://a.example/b/#n)\n\nend\n");
}

TEST(Markdown, LeavesOutPermalinks) {
  EXPECT_EQ(markdown_of("<h2>a<a href=#a>\u00B6</a></h2><p>b <a href=#b> # </a><a href=#c>c</a>"),
            "## a\n\nb [c](http://a.example/b/#c)\n");
}

TEST(Markdown, HasLinksInCode) {
  EXPECT_EQ(markdown_of("<code>f(<a href=/x>int</a> a)</code>"),
            "`f(`[`int`](http://a.example/x) `a)`\n");
}

TEST(Markdown, HasFormulas) {
  EXPECT_EQ(markdown_of("<span class=katex><span class=katex-mathml><math><semantics><mi>x</mi>"
                        "<annotation encoding='application/x-tex'>x_1</annotation></semantics>"
                        "</math></span><span class=katex-html aria-hidden=true>x1</span></span>"),
            "$x_1$\n");
  EXPECT_EQ(markdown_of("a <span class=MathJax_Preview>x</span><span class=MathJax>x</span>"
                        "<script type='math/tex; mode=display'>x\n+ y</script>"),
            "a $$x + y$$\n");
  EXPECT_EQ(markdown_of("<math display=block><mfrac><mn>1</mn><msqrt><mi>x</mi></msqrt></mfrac>"
                        "<mo>\u2264</mo><msup><mi>y</mi><mn>2</mn></msup></math>"),
            "$$\\frac{1}{\\sqrt{x}}\\le y^{2}$$\n");
  EXPECT_EQ(markdown_of("<p>a <span class='math inline'>\\(x\\)</span>"), "a $x$\n");
  EXPECT_EQ(markdown_of("<p>a <img class=latex src=x.png alt='x^2'>"), "a $x^2$\n");
}

TEST(Markdown, HasCaptionsWithPictures) {
  const std::string_view page =
      "<figure><img src=i.png alt=b><figcaption>c <a href=/d>e</a>"
      "</figcaption></figure>f";
  EXPECT_EQ(markdown_of(page, true),
            "![b](http://a.example/b/i.png)\n\nc [e](http://a.example/d)\n\nf\n");
  EXPECT_EQ(markdown_of(page), "f\n");
}

TEST(Markdown, HasLinksAroundBlocks) {
  EXPECT_EQ(markdown_of("a <a href=/x>b<h3>c</h3><p>d</p></a> f"),
            "a [b](http://a.example/x)\n\n### [c](http://a.example/x)\n\n"
            "[d](http://a.example/x)\n\nf\n");
}

TEST(Markdown, EscapesReferencesInLinks) {
  EXPECT_EQ(markdown_of("<a href='/?a=1&b=2&amp;copy;'>x</a>"),
            "[x](<http://a.example/?a=1&b=2\\&copy;>)\n");
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

TEST(Markdown, KeepsBlocksInCells) {
  EXPECT_EQ(markdown_of("<table><tr><th>a<th>b<tr><td><p>c<p>d<td><ul><li>e<li>f</ul>"
                        "<tr><td><h3>g</h3><td><pre>h i</pre></table>"),
            "| a | b |\n| --- | --- |\n| c<br>d | - e<br>- f |\n| **g** | `h i` |\n");
}

TEST(Markdown, LeavesSpannedCellsEmpty) {
  EXPECT_EQ(markdown_of("<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>e<td>f"
                        "<td>g</table>"),
            "| a | b |  |\n| --- | --- | --- |\n|  | c | d |\n| e | f | g |\n");
}

TEST(Markdown, OfSpansIsBounded) {
  std::string page = "<table>";
  for (int i = 0; i < 1000; ++i) page += "<tr><td colspan=1000>a<td rowspan=65534 colspan=9>b";
  EXPECT_LT(markdown_of(page).size(), 200'000u);
}

TEST(Markdown, WritesTablesAsHtmlIfItCannotSayThem) {
  const std::string_view page =
      "<table><tr><th>a<th>b<tr><td>1 &lt; 2<td><pre>c\n\n  d</pre><a href=/x>e</a></table>";
  EXPECT_EQ(
      markdown_of(page),
      "<table>\n<tbody>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1 &lt; 2</td><td><pre>c\n&#10;  "
      "d</pre><a href=\"http://a.example/x\">e</a></td></tr></tbody>\n</table>\n");
  const dom::Document document = dom::parse(page);
  EXPECT_EQ(to_markdown(whole(document), document, {.tables = TableForm::markdown}),
            "| a | b |\n| --- | --- |\n| 1 < 2 | `c`<br>`d`<br>e |\n");
}

TEST(Markdown, LeavesOutNumbersOfLines) {
  EXPECT_EQ(markdown_of("<table><tr><td class=linenos><pre>1\n2</pre><td><pre>a\nb</pre></table>"),
            "```\na\nb\n```\n");
}

TEST(Markdown, HasAbsoluteLinks) {
  EXPECT_EQ(markdown_of("<a href=../x(1)>y</a> <a href=javascript:z>n</a> <a href=#f> </a>"),
            "[y](<http://a.example/x(1)>) n\n");
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
