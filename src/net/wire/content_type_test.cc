#include "wire/content_type.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace gossamer::wire {
namespace {

std::string parsed(std::string_view text) {
  const auto type = MimeType::parse(text);
  return type ? type->to_string() : "(none)";
}

TEST(MimeType, HasALowerCaseEssenceAndValuesAsTheyCame) {
  const auto type = MimeType::parse(" Text/HTML ; Charset=UTF-8 ");
  ASSERT_TRUE(type);
  EXPECT_EQ(type->type(), "text");
  EXPECT_EQ(type->subtype(), "html");
  EXPECT_EQ(type->essence(), "text/html");
  EXPECT_EQ(type->parameter("charset"), "UTF-8");
  EXPECT_EQ(type->parameter("boundary"), std::nullopt);
}

TEST(MimeType, IsNoneWithoutATypeAndASubtypeOfTokens) {
  for (const char* text :
       {"", "text", "text/", "/html", "te xt/html", "text/ht(ml", "text/html\x0b"}) {
    EXPECT_EQ(parsed(text), "(none)") << text;
  }
}

TEST(MimeType, KeepsTheFirstOfEqualParametersAndDropsThoseThatMakeNoSense) {
  EXPECT_EQ(parsed("a/b;c=1;c=2"), "a/b;c=1");
  EXPECT_EQ(parsed("a/b;;;=x;c;d=;e=5"), "a/b;e=5");
  EXPECT_EQ(parsed("a/b;c=\x01;d=4"), "a/b;d=4");
}

TEST(MimeType, ReadsQuotedValuesAndWritesThemWhereNeeded) {
  EXPECT_EQ(MimeType::parse("a/b;c=\"x\\\"y\" junk;d=4")->parameter("c"), "x\"y");
  EXPECT_EQ(parsed("a/b;c=\"x\" junk=1;d=4"), "a/b;c=x;d=4");
  EXPECT_EQ(parsed("a/b;c=\"x y\""), "a/b;c=\"x y\"");
  EXPECT_EQ(parsed("a/b;c=\"xy\""), "a/b;c=xy");
  EXPECT_EQ(parsed("a/b;c=\"\""), "a/b;c=\"\"");
  EXPECT_EQ(parsed("a/b;c=\"x\\"), "a/b;c=\"x\\\\\"");
}

TEST(MimeType, KeepsABoundedNumberOfParameters) {
  std::string text = "a/b";
  for (int i = 0; i < 100'000; ++i) text += ";p" + std::to_string(i) + "=1";
  EXPECT_EQ(MimeType::parse(text)->parameters().size(), 128U);
}

TEST(MimeType, KnowsTheGroupsOfTheStandard) {
  EXPECT_TRUE(MimeType::parse("text/html")->is_html());
  EXPECT_TRUE(MimeType::parse("application/rss+xml")->is_xml());
  EXPECT_TRUE(MimeType::parse("application/ld+json")->is_json());
  EXPECT_FALSE(MimeType::parse("application/xhtml")->is_xml());
  EXPECT_TRUE(MimeType::parse("text/xml")->is_xml());
  EXPECT_TRUE(MimeType::parse("application/xml")->is_xml());
  EXPECT_TRUE(MimeType::parse("image/svg+xml")->is_xml());
  EXPECT_FALSE(MimeType::parse("text/html")->is_xml());
  EXPECT_TRUE(MimeType::parse("application/json")->is_json());
  EXPECT_TRUE(MimeType::parse("text/json")->is_json());
  EXPECT_FALSE(MimeType::parse("text/plain")->is_json());
  EXPECT_FALSE(MimeType::parse("text/plain")->is_html());
}

TEST(ExtractMimeType, TakesTheLastHeaderThatMakesSense) {
  const std::array<std::string_view, 3> headers = {"text/html;charset=gbk", "*/*", "nonsense"};
  EXPECT_EQ(extract_mime_type(headers)->to_string(), "text/html;charset=gbk");
  EXPECT_FALSE(extract_mime_type({}));
}

TEST(ExtractMimeType, KeepsTheCharsetOfAnEarlierHeaderOfTheSameType) {
  const std::array<std::string_view, 2> same = {"text/html;charset=gbk", "text/html;x=1"};
  EXPECT_EQ(extract_mime_type(same)->to_string(), "text/html;x=1;charset=gbk");
  const std::array<std::string_view, 2> other = {"text/plain;charset=gbk", "text/html"};
  EXPECT_EQ(extract_mime_type(other)->to_string(), "text/html");
}

TEST(ExtractMimeType, DoesNotSplitAtACommaInQuotes) {
  const std::array<std::string_view, 1> headers = {"text/html;x=\"a,b\", text/plain;y=\"c,d\""};
  EXPECT_EQ(extract_mime_type(headers)->to_string(), "text/plain;y=\"c,d\"");
}

TEST(MimeType, HasTokensOfTheStandard) {
  for (int c = 1; c < 256; ++c) {
    const char letter = static_cast<char>(c);
    const bool is_token = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                          (c >= 'a' && c <= 'z') ||
                          std::string_view("!#$%&'*+-.^_`|~").contains(letter);
    if (letter == '/' || letter == ';' || letter == '=') continue;
    EXPECT_EQ(MimeType::parse(std::string("a") + letter + "b/c").has_value(), is_token) << c;
    // HTTP quoted-string token code points.
    if (letter == '"' || letter == '\\') continue;
    const auto quoted = MimeType::parse(std::string("a/b;c=\"x") + letter + "y\"");
    const bool is_quotable = c == '\t' || (c >= 0x20 && c != 0x7F);
    EXPECT_EQ(quoted->parameter("c").has_value(), is_quotable) << c;
  }
}

TEST(MimeType, KnowsScripts) {
  for (const char* const text : {"text/javascript", "application/x-javascript",
                                 "application/ecmascript", "TEXT/JavaScript;charset=x"}) {
    EXPECT_TRUE(MimeType::parse(text)->is_javascript()) << text;
  }
  EXPECT_FALSE(MimeType::parse("text/javascripts")->is_javascript());
}

TEST(ExtractMimeType, GoesOnAfterHeadersThatMakeNoSense) {
  const std::array<std::string_view, 4> headers = {"", "text/html;charset=a", "x", "text/html"};
  EXPECT_EQ(extract_mime_type(headers)->to_string(), "text/html;charset=a");
  const std::array<std::string_view, 2> both = {"text/html;charset=a", "text/html;charset=b"};
  EXPECT_EQ(extract_mime_type(both)->to_string(), "text/html;charset=b");
  const std::array<std::string_view, 1> open = {"text/html;x=\"a, text/plain"};
  EXPECT_EQ(extract_mime_type(open)->to_string(), "text/html;x=\"a, text/plain\"");
  const std::array<std::string_view, 1> escaped = {"text/html;x=\"a\\\", text/plain"};
  EXPECT_EQ(extract_mime_type(escaped)->essence(), "text/html");
}

}  // namespace
}  // namespace gossamer::wire
