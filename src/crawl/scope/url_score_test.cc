#include "scope/url_score.h"

#include <gtest/gtest.h>

#include <string_view>

namespace gossamer::crawler {
namespace {

std::uint8_t score(std::string_view text, std::uint32_t depth = 1) {
  return url_score(*url::Url::parse(text), depth);
}

TEST(UrlScore, PrefersPagesNearTheRoot) {
  EXPECT_GT(score("http://a.example/"), score("http://a.example/a/b"));
  EXPECT_GT(score("http://a.example/a", 1), score("http://a.example/a", 2));
}

TEST(UrlScore, PrefersPagesWithoutAQuery) {
  EXPECT_GT(score("http://a.example/a"), score("http://a.example/a?b=c"));
  EXPECT_GT(score("http://a.example/a?b=c"), score("http://a.example/a?b=c&d=e&f=g"));
}

TEST(UrlScore, IsBoundedForAllUrls) {
  const std::string deep =
      "http://a.example/" + std::string(4000, '/') + "?" + std::string(400, '=');
  EXPECT_GE(score(deep, 60'000), 0);
  EXPECT_EQ(score("http://a.example/", 0), 249);
}

}  // namespace
}  // namespace gossamer::crawler
