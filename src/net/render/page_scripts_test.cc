#include "render/page_scripts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gossamer::render {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(PageScripts, ReadWhatALookSaw) {
  const auto look = parse_look(R"({"complete":true,"links":3,"elements":40})");
  ASSERT_TRUE(look.has_value());
  EXPECT_EQ(*look, (Look{.is_loaded = true, .links = 3, .elements = 40}));
  EXPECT_EQ(parse_look("{}").value(), Look());
  EXPECT_FALSE(parse_look("nothing").has_value());
  EXPECT_FALSE(parse_look(R"({"missing":true})")->has_selected);
  EXPECT_EQ(parse_look(R"({"invalid":true})").error(), Errc::invalid_argument);
}

TEST(PageScripts, ReadAPage) {
  const auto content = parse_content(R"({"html":"<p>\u00e4","cut":true,)"
                                     R"("links":["https://a/1","https://a/2"]})");
  ASSERT_TRUE(content.has_value());
  EXPECT_EQ(content->html, "<p>\u00e4");
  EXPECT_TRUE(content->is_cut);
  EXPECT_THAT(content->links, ElementsAre("https://a/1", "https://a/2"));
}

TEST(PageScripts, KeepTheBoundOfLinksWhateverThePageSays) {
  std::string json = R"({"html":"","links":[)";
  for (std::size_t i = 0; i < kLinksMax + 5; ++i) json += i == 0 ? "\"x\"" : ",\"x\"";
  EXPECT_EQ(parse_content(json + "]}").value().links.size(), kLinksMax);
}

TEST(PageScripts, APageWithoutHtmlIsNotAPage) {
  for (const char* json : {"{}", R"({"html":7})", R"({"links":[]})", "[]"}) {
    EXPECT_EQ(parse_content(json).error(), Errc::malformed) << json;
  }
}

TEST(PageScripts, ContainTheBounds) {
  const std::string script = content_script(1234);
  EXPECT_THAT(script, HasSubstr("slice(0, 1234)"));
  EXPECT_THAT(script, Not(HasSubstr("_MAX")));
}

TEST(PageScripts, ASelectorIsATextInTheScript) {
  EXPECT_THAT(look_script(""), testing::HasSubstr("selector = null;"));
  EXPECT_THAT(look_script("a[x=\"SELECTOR\"]"),
              testing::HasSubstr(R"(selector = "a[x=\"SELECTOR\"]";)"));
}

}  // namespace
}  // namespace gossamer::render
