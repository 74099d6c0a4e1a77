#include "scope/url_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gossamer::crawler {
namespace {

UrlPatterns compile(const std::vector<std::string>& patterns) {
  return UrlPatterns::compile(patterns).value();
}

TEST(UrlPatterns, MatchNothingIfEmpty) {
  const UrlPatterns patterns;
  EXPECT_TRUE(patterns.empty());
  EXPECT_FALSE(patterns.match_any("http://h/"));
  EXPECT_FALSE(compile({}).match_any(""));
}

TEST(UrlPatterns, MatchAnywhereUnlessAnchored) {
  EXPECT_TRUE(compile({"private"}).match_any("http://h/a/private/b"));
  EXPECT_FALSE(compile({"^private"}).match_any("http://h/private"));
  EXPECT_TRUE(compile({R"(\.pdf$)"}).match_any("http://h/x.pdf"));
  EXPECT_FALSE(compile({R"(\.pdf$)"}).match_any("http://h/x.pdf?y"));
  EXPECT_FALSE(compile({"private"}).match_any("http://h/PRIVATE"));
  EXPECT_TRUE(compile({"(?i)private"}).match_any("http://h/PRIVATE"));
}

TEST(UrlPatterns, MatchIfOneOfThemDoes) {
  // An unfinished quotation must not reach into the next pattern.
  const UrlPatterns patterns = compile({"/a/", R"(\Qx.y)", "(?i)/b/", "^http://c/"});
  EXPECT_TRUE(patterns.match_any("http://h/a/"));
  EXPECT_TRUE(patterns.match_any("http://h/x.y"));
  EXPECT_TRUE(patterns.match_any("http://h/B/"));
  EXPECT_TRUE(patterns.match_any("http://c/"));
  EXPECT_FALSE(patterns.match_any("http://h/A/xzy"));
}

TEST(UrlPatterns, MatchInLinearTime) {
  const UrlPatterns patterns = compile({"(a+)+$", "(a|a)*b"});
  EXPECT_FALSE(patterns.match_any(std::string(100'000, 'a') + "c"));
}

TEST(UrlPatterns, MatchEvenIfTheyAreTooLargeTogether) {
  std::vector<std::string> large;
  for (int i = 0; i < 30; ++i) large.push_back("x" + std::to_string(i) + ".{900}y");
  const UrlPatterns patterns = compile(large);
  EXPECT_TRUE(patterns.match_any("http://h/x7" + std::string(900, 'q') + "y"));
  EXPECT_FALSE(patterns.match_any("http://h/x7" + std::string(899, 'q') + "y"));
}

TEST(UrlPatterns, SayWhatIsWrongWithAPattern) {
  const std::vector<std::string> bad = {"good", "(unclosed"};
  testing::internal::CaptureStderr();
  const auto result = UrlPatterns::compile(bad);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "the caller says it";
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error(), Errc::invalid_argument);
  EXPECT_THAT(result.error().to_string(), testing::HasSubstr("'(unclosed'"));
  EXPECT_THAT(result.error().to_string(), testing::HasSubstr("missing )"));
}

}  // namespace
}  // namespace gossamer::crawler
