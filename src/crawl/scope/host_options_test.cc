#include "scope/host_options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gossamer::crawler {
namespace {

TEST(HostOptionsTest, NamesAreSpelledAsInUrls) {
  EXPECT_EQ(*parse_host_name("Example.COM"), "example.com");
  EXPECT_EQ(*parse_host_name("*.Example.com"), "*.example.com");
  EXPECT_EQ(*parse_host_name("b\xC3\xBC"
                             "cher.example"),
            "xn--bcher-kva.example");
  EXPECT_EQ(*parse_host_name("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(*parse_host_name("[::1]"), "[::1]");
  for (const char* text :
       {"",        "*",           "*.",          "http://a.example", "a.example:80", "a.example/",
        "a b",     "*.*.example", "a.*.example", "u@a.example",      "*.[::1]",      "[::1]:80",
        "[::1]/x", "a?b",         "[",           "*.a.example:1",    "[::1]/]",      "[::1]?]",
        "[::1]#]", "[::1]:80]",   "[u@::1]",     "[u]@[::1]"}) {
    EXPECT_FALSE(parse_host_name(text)) << text;
  }
}

TEST(HostOptionsTest, TheMostSpecificNameWins) {
  const HostNames names({"*.example", "*.a.example", "a.example", "x.a.example"});
  EXPECT_EQ(names.find("x.a.example"), 3u);
  EXPECT_EQ(names.find("y.a.example"), 1u);
  EXPECT_EQ(names.find("z.y.a.example"), 1u);
  EXPECT_EQ(names.find("a.example"), 2u);
  EXPECT_EQ(names.find("b.example"), 0u);
  EXPECT_EQ(names.find("example"), std::nullopt);
  EXPECT_EQ(names.find("other.test"), std::nullopt);
  EXPECT_EQ(names.find("xa.example.test"), std::nullopt);
  EXPECT_EQ(names.find(""), std::nullopt);
  EXPECT_EQ(HostNames().find("a.example"), std::nullopt);
  EXPECT_EQ(names.find_all("x.a.example"), (std::vector<std::size_t>{3, 1, 0}));
}

TEST(HostOptionsTest, EachKeyIsResolvedSeparately) {
  const std::vector<HostOptions> hosts = {
      {.name = "a.example", .delay = 1s},
      {.name = "*.example", .delay = 5s, .concurrency = 2, .include = {{"usual"}}},
      {.name = "*.a.example", .concurrency = 3, .include = {{"special"}}, .exclude = {{"x"}}},
  };
  ASSERT_TRUE(validate(hosts));
  const HostTable table(hosts);
  EXPECT_FALSE(table[*table.find("a.example")].exclude) << "*.a.example is not a.example";
  EXPECT_TRUE(table[*table.find("b.a.example")].exclude);
  EXPECT_EQ(table[*table.find("a.example")].include, std::vector<std::string>{"usual"});
  EXPECT_EQ(table[*table.find("b.a.example")].include, std::vector<std::string>{"special"});
}

TEST(HostOptionsTest, RejectsInvalidOptions) {
  EXPECT_TRUE(validate(std::vector<HostOptions>{}));
  EXPECT_FALSE(validate({{.name = "a b"}}));
  EXPECT_FALSE(validate({{.name = "A.example"}}));
  EXPECT_FALSE(validate({{.name = "a.example"}, {.name = "a.example"}}));
  EXPECT_FALSE(validate({{.name = "b.example"}, {.name = "a.example"}, {.name = "b.example"}}));
  EXPECT_FALSE(validate({{.name = "a.example", .concurrency = 0}}));
  EXPECT_FALSE(validate({{.name = "a.example", .include = {{"("}}}}));
}

}  // namespace
}  // namespace gossamer::crawler
