#include "record/rendering.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

namespace gossamer::crawler {
namespace {

TEST(Rendering, PutsUrlsThatATemplateMakesIntoOnePattern) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"http://a.example/", "a.example/"},
      {"http://a.example/about", "a.example/*"},
      {"https://a.example:8080/blog/my-first-words", "a.example:8080/blog/*"},
      {"https://a.example/blog/?page=2#top", "a.example/blog/"},
      {"https://a.example/blog/2024/05/words.html", "a.example/blog/*/*/*"},
      {"https://a.example/p/a-very-long-name-of-a-thing/reviews", "a.example/p/*/*"},
      {"https://a.example/a/b/c/d/e/f", "a.example/a/b/c/d/*"},
      {"https://a.example/%C3%BC/x/", "a.example/*/x/"},
      {"", ""},
      {"nonsense", "nonsense"},
  };
  for (const auto& [url, pattern] : cases) EXPECT_EQ(pattern_of(url), pattern) << url;
}

}  // namespace
}  // namespace gossamer::crawler
