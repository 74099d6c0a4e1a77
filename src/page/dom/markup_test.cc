#include "dom/markup.h"

#include <gtest/gtest.h>
#include <tests/support/tree_text.h>

#include <string>
#include <string_view>

#include "dom/parse.h"
#include "dom/query.h"

namespace gossamer::dom {
namespace {

std::string html_of(std::string_view page, std::string_view selector) {
  const Document document = parse(page);
  const auto found = Query::compile(selector)->find_all(document, document.root());
  return found.elements.empty() ? std::string("none") : to_html(*found.elements.front());
}

TEST(Markup, IsTheElementWithAllInIt) {
  EXPECT_EQ(html_of("<div id=a CLASS='x y'>1<p>2<br><img src=x>3<!--c--></div>", "div"),
            "<div id=\"a\" class=\"x y\">1<p>2<br><img src=\"x\">3<!--c--></p></div>");
}

TEST(Markup, EscapesTextsAndValues) {
  EXPECT_EQ(
      html_of("<p title='&quot;<&amp;&nbsp;\xC3\x82'>a &lt; b &amp;&nbsp;\"c\" \xC2\xA1</p>", "p"),
      "<p title=\"&quot;&lt;&amp;&nbsp;\xC3\x82\">a &lt; b &amp;&nbsp;\"c\" \xC2\xA1</p>");
  EXPECT_EQ(html_of("<script>a < b && c</script>", "script"), "<script>a < b && c</script>");
}

TEST(Markup, HasTemplatesAndForeignElements) {
  EXPECT_EQ(html_of("<template><i>x</i></template>", "template"), "<template><i>x</i></template>");
  EXPECT_EQ(html_of("<svg viewbox=1><lineargradient/></svg>", "svg"),
            "<svg viewBox=\"1\"><linearGradient></linearGradient></svg>");
}

TEST(Markup, EndsAtItsBound) {
  const std::string page = "<p>" + std::string(100, 'x') + "<b>y</b>";
  const Document document = parse(page);
  EXPECT_LE(to_html(document.root(), 50).size(), 50u + 100u);
}

TEST(Markup, MakesTheSameTreeAgain) {
  const std::string_view page =
      "<!DOCTYPE html><title>a&amp;b</title><body class=x><table><tr><td>1<td>2</table>"
      "<ul><li>a<ul><li>b</ul></ul><pre>c\nd</pre><svg><g/></svg>";
  const Document once = parse(page);
  const std::string written = to_html(once.root());
  EXPECT_EQ(tree_text(parse(written)), tree_text(once));
}

TEST(Query, FindsElementsByCssOrXPath) {
  EXPECT_EQ(html_of("<p>a<p>b", "p + p"), "<p>b</p>");
  EXPECT_EQ(html_of("<p>a<p>b", "xpath://p[2]"), "<p>b</p>");
  EXPECT_EQ(html_of("<p id=x>a", "xpath://p/@id/.."), "<p id=\"x\">a</p>");
  EXPECT_EQ(html_of("<p id=x>a", "xpath:id('x') | //p/text()"), "<p id=\"x\">a</p>");
  for (const char* never : {"xpath://p/@id", "xpath://p/text()", "xpath:/", "xpath:(//@id)[1]",
                            "xpath://@id | //comment()", "xpath://p/namespace::*"}) {
    EXPECT_FALSE(Query::compile(never)) << never;
  }
  EXPECT_FALSE(Query::compile("xpath:count(//p)"));
  EXPECT_FALSE(Query::compile("xpath://p["));
  EXPECT_FALSE(Query::compile("p["));
}

}  // namespace
}  // namespace gossamer::dom
