#include "content/extract_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gossamer::content {
namespace {

using testing::HasSubstr;

TEST(ExtractRules, AreSeparatedBySemicolons) {
  const auto rules = parse_extract_rules(" title=h1;price = .price ;; next=a.next@HREF;tags[]=li;");
  ASSERT_TRUE(rules);
  ASSERT_EQ(rules->size(), 4u);
  EXPECT_EQ((*rules)[0].name, "title");
  EXPECT_EQ((*rules)[1].name, "price");
  EXPECT_FALSE((*rules)[1].is_list);
  EXPECT_EQ((*rules)[2].attribute, "href");
  EXPECT_EQ((*rules)[3].name, "tags");
  EXPECT_TRUE((*rules)[3].is_list);
}

TEST(ExtractRules, KeepMarksInQuotesAndBracketsForTheSelector) {
  const auto rules = parse_extract_rules(
      R"(a=[href="mailto:x@y;z"]@title; b=a[href*='@']; c=:is(p, li); d=.x\@y\;z@id)");
  ASSERT_TRUE(rules) << rules.error().to_string();
  ASSERT_EQ(rules->size(), 4u);
  EXPECT_EQ((*rules)[0].attribute, "title");
  EXPECT_EQ((*rules)[1].attribute, "");
  EXPECT_EQ((*rules)[3].attribute, "id");
}

TEST(ExtractRules, ReadABackslashOfXPathAsACharacter) {
  const auto rules = parse_extract_rules(
      R"(a=xpath:translate(., '\', '/'); b=xpath:'\'; c = xpath://p[. = ';'];d=[title='\'']@id)");
  ASSERT_TRUE(rules) << rules.error().to_string();
  ASSERT_EQ(rules->size(), 4u);
  EXPECT_EQ((*rules)[3].attribute, "id");
}

// What :is() cannot read is left out.
TEST(ExtractRules, KeepSemicolonsInParenthesesForTheSelector) {
  const auto rules = parse_extract_rules("a=:is(p;q); b=:not(:is(x;y), z)");
  ASSERT_TRUE(rules) << rules.error().to_string();
  ASSERT_EQ(rules->size(), 2u);
  EXPECT_EQ((*rules)[1].name, "b");
}

TEST(ExtractRules, SayWhatIsWrong) {
  const auto problem = [](std::string_view text) {
    const auto rules = parse_extract_rules(text);
    return rules ? std::string("none") : std::string(rules.error().detail());
  };
  EXPECT_THAT(problem("title"), HasSubstr("'title': expected NAME=SELECTOR"));
  EXPECT_THAT(problem("=h1"), HasSubstr("a name consists of"));
  EXPECT_THAT(problem("a b=h1"), HasSubstr("a name consists of"));
  EXPECT_THAT(problem("a.b=h1"), HasSubstr("a name consists of"));
  EXPECT_THAT(problem(std::string(65, 'x') + "=h1"), HasSubstr("a name consists of"));
  EXPECT_THAT(problem("a=h1; a=h2"), HasSubstr("'a=h2': there is another field of this name"));
  EXPECT_THAT(problem("a=h1; b=li["), HasSubstr("'b=li['"));
  EXPECT_NE(problem("a="), "none");
  EXPECT_NE(problem("a=@href"), "none");
  EXPECT_THAT(problem("a=a@"), HasSubstr("expected the name of an attribute after @"));
  EXPECT_THAT(problem("a=a@b@c"), HasSubstr("expected the name of an attribute after @"));
  std::string many;
  for (std::size_t i = 0; i <= kExtractRulesMax; ++i) many += "f" + std::to_string(i) + "=p;";
  EXPECT_THAT(problem(many), HasSubstr("more than 100 fields"));
}

TEST(ExtractRules, MayBeNone) {
  const auto rules = parse_extract_rules(" ; ");
  ASSERT_TRUE(rules);
  EXPECT_TRUE(rules->empty());
}

}  // namespace
}  // namespace gossamer::content
