#include "report/html_text.h"

#include <gtest/gtest.h>

namespace gossamer::report {
namespace {

TEST(HtmlTextTest, LinksToTheWebOnly) {
  EXPECT_EQ(html_link("https://a.example/?a=1&b=\""),
            "<a href=\"https://a.example/?a=1&amp;b=&quot;\" rel=\"noreferrer noopener\" "
            "target=\"_blank\">https://a.example/?a=1&amp;b=&quot;</a>");
  EXPECT_EQ(html_link("javascript:alert(1)"), "javascript:alert(1)");
  EXPECT_EQ(html_link("data:text/html,<script>"), "data:text/html,&lt;script&gt;");
  EXPECT_EQ(html_link("http://a.example/x", "/x"),
            "<a href=\"http://a.example/x\" rel=\"noreferrer noopener\" target=\"_blank\">/x</a>");
}

// The example of the Content Security Policy specification.
TEST(HtmlTextTest, NamesAnElementByItsHash) {
  EXPECT_EQ(csp_source("alert('Hello, world.');"),
            "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
}

}  // namespace
}  // namespace gossamer::report
