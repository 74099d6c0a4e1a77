#include "report/html_text.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::report {
namespace {

TEST(HtmlTextTest, EscapesWhatMeansSomething) {
  EXPECT_EQ(escape_html("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST(HtmlTextTest, MakesVisibleWhatTurnsTheOrderOfReading) {
  EXPECT_EQ(escape_html("a\xE2\x80\xAE"
                        "b"),
            "a\\u{202e}b");
  EXPECT_EQ(escape_html(std::string("\0\n\xFF", 3)), "\\x00\\x0a\\xff");
  EXPECT_EQ(escape_html("caf\xC3\xA9"), "caf\xC3\xA9");
}

TEST(HtmlTextTest, LinksToTheWebOnly) {
  EXPECT_EQ(html_link("https://a.example/?a=1&b=\""),
            "<a href=\"https://a.example/?a=1&amp;b=&quot;\" rel=\"noreferrer noopener\" "
            "target=\"_blank\">https://a.example/?a=1&amp;b=&quot;</a>");
  EXPECT_EQ(html_link("javascript:alert(1)"), "javascript:alert(1)");
  EXPECT_EQ(html_link("data:text/html,<script>"), "data:text/html,&lt;script&gt;");
  EXPECT_EQ(html_link("http://a.example/x", "/x"),
            "<a href=\"http://a.example/x\" rel=\"noreferrer noopener\" target=\"_blank\">/x</a>");
}

// The example of the Content Security Policy's own text.
TEST(HtmlTextTest, NamesAnElementByItsHash) {
  EXPECT_EQ(csp_source("alert('Hello, world.');"),
            "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
}

}  // namespace
}  // namespace gossamer::report
