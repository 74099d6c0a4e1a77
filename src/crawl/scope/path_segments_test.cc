#include "scope/path_segments.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::crawler {
namespace {

std::vector<std::string> cut(std::string_view path) {
  const PathSegments segments(path);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < segments.size(); ++i) result.emplace_back(segments[i]);
  return result;
}

using Texts = std::vector<std::string>;

TEST(PathSegments, AreThePartsBetweenSlashes) {
  EXPECT_EQ(cut(""), Texts());
  EXPECT_EQ(cut("/"), Texts());
  EXPECT_EQ(cut("/a"), Texts({"a"}));
  EXPECT_EQ(cut("/a/b"), Texts({"a", "b"}));
  EXPECT_EQ(cut("/a/b/"), Texts({"a", "b"}));
  EXPECT_EQ(cut("/a//b"), Texts({"a", "", "b"}));
}

TEST(PathSegments, AreBoundedInNumber) {
  std::string path;
  for (int i = 0; i < 40; ++i) path += "/" + std::to_string(i);
  const PathSegments segments(path);
  EXPECT_EQ(segments.size(), PathSegments::kMax);
  EXPECT_EQ(segments[PathSegments::kMax - 1], "31");
  EXPECT_EQ(segments.rest(), "32/33/34/35/36/37/38/39");
}

bool cycle(std::string_view path, std::uint32_t times_max = 3) {
  return has_cycle(PathSegments(path), times_max);
}

TEST(HasCycle, FindsRepetitionsOfOneToFourSegments) {
  EXPECT_FALSE(cycle("/a/a/a"));
  EXPECT_TRUE(cycle("/a/a/a/a"));
  EXPECT_TRUE(cycle("/x/a/a/a/a/y"));
  EXPECT_FALSE(cycle("/a/b/a/b/a/b"));
  EXPECT_FALSE(cycle("/a/b/a/b/a/b/a"));
  EXPECT_TRUE(cycle("/a/b/a/b/a/b/a/b"));
  EXPECT_TRUE(cycle("/x/a/b/a/b/a/b/a/b"));
  EXPECT_TRUE(cycle("/a/b/c/a/b/c/a/b/c/a/b/c"));
  EXPECT_TRUE(cycle("/p/http://h/p/http://h/p/http://h/p/http://h/"));
  EXPECT_FALSE(cycle("/a/b/a/c/a/b/a/d"));
  EXPECT_TRUE(cycle("/a//////"));
}

TEST(HasCycle, UsesTheGivenBound) {
  EXPECT_FALSE(cycle("/a/a", 2));
  EXPECT_TRUE(cycle("/a/a/a", 2));
  EXPECT_TRUE(cycle("/a/b/a/b", 1));
  EXPECT_FALSE(cycle("/a/b/a/c", 1));
}

TEST(HasCycle, IgnoresNumbers) {
  EXPECT_FALSE(cycle("/tiles/0/0/0/0/0/0.png"));
  EXPECT_FALSE(cycle("/1/2/1/2/1/2/1/2"));
  EXPECT_TRUE(cycle("/page/1/page/1/page/1/page/1"));
}

TEST(HasCycle, ComparesWholeSegments) {
  EXPECT_FALSE(cycle("/abc/adc/aec/afc"));
  EXPECT_TRUE(cycle("/abc/abc/abc/abc"));
}

TEST(HasFrequentSegment, CountsAnywhere) {
  const auto frequent = [](std::string_view path) {
    return has_frequent_segment(PathSegments(path), 4);
  };
  EXPECT_FALSE(frequent("/a/1/a/2/a/3/a"));
  EXPECT_TRUE(frequent("/a/1/a/2/a/3/a/4/a"));
  EXPECT_FALSE(frequent("/x/0/y/0/z/0/u/0/v/0/w/0"));
  EXPECT_FALSE(frequent("//a//b//c//d//e//f"));
  EXPECT_FALSE(frequent("/"));
}

}  // namespace
}  // namespace gossamer::crawler
