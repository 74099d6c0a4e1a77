#include "base/markdown_text.h"

#include <gtest/gtest.h>

namespace gossamer::base {
namespace {

TEST(MarkdownTextTest, LetsTextsMeanNothing) {
  EXPECT_EQ(code_span("a|b"), "`a%7Cb`");
  EXPECT_EQ(code_span("a\\|b"), "`a\\%7Cb`") << "in a cell a backslash would be one for the other";
  EXPECT_EQ(code_span("`` x"), "``` `` x ```");
  EXPECT_EQ(code_span("@someone <b> [x](y)"), "`@someone <b> [x](y)`");
  EXPECT_EQ(markdown_link("javascript:alert(1)"), "`javascript:alert(1)`");
  EXPECT_EQ(markdown_link("http://a.example/x|y`<z> \\"),
            "<http://a.example/x%7Cy%60%3Cz%3E%20%5C>");
}

}  // namespace
}  // namespace gossamer::base
