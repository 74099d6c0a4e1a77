#include "check/remap.h"

#include <gtest/gtest.h>

#include "base/errc.h"

namespace gossamer::check {
namespace {

TEST(Remaps, ReplaceTheFirstMatchOfTheFirstRuleThatMatches) {
  Remaps remaps;
  ASSERT_TRUE(remaps.add("^https://docs\\.example/ http://127.0.0.1:8000/"));
  ASSERT_TRUE(remaps.add("^https://([a-z]+)\\.example/v(\\d) file:///$1/$2$$/"));
  EXPECT_EQ(remaps.apply("https://docs.example/v1"), "http://127.0.0.1:8000/v1");
  EXPECT_EQ(remaps.apply("https://www.example/v7/x"), "file:///www/7$//x");
  EXPECT_EQ(remaps.apply("https://www.example/x"), std::nullopt);
}

TEST(Remaps, NameTheRuleThatIsInvalid) {
  Remaps remaps;
  for (const std::string rule : {"", "pattern", "( x", "a $1", "(a) \\"}) {
    const auto added = remaps.add(rule);
    if (rule == "(a) \\") {
      EXPECT_TRUE(added) << "a backslash is text";
      continue;
    }
    ASSERT_FALSE(added) << rule;
    EXPECT_EQ(added.error().code(), Errc::invalid_argument);
    EXPECT_NE(added.error().detail().find("'" + rule + "'"), std::string::npos);
  }
}

}  // namespace
}  // namespace gossamer::check
