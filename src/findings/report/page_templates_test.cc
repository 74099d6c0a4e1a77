#include "report/page_templates.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::report {
namespace {

TEST(PageTemplates, HaveAStarWhereTheirPagesDiffer) {
  EXPECT_EQ(template_of("https://a.example/shop/kettle?size=2#top"), "https://a.example/shop/*");
  EXPECT_EQ(template_of("https://a.example/shop/kettle.html"), "https://a.example/shop/*.html");
  EXPECT_EQ(template_of("https://a.example/shop/v1.2"), "https://a.example/shop/*");
  EXPECT_EQ(template_of("https://a.example/2024/05/my-post/"), "https://a.example/*/*/*/");
  EXPECT_EQ(template_of("https://a.example/user/17/edit"), "https://a.example/user/*/*");
  EXPECT_EQ(template_of("https://a.example/"), "https://a.example/");
  EXPECT_EQ(template_of("https://a.example"), "https://a.example");
  EXPECT_EQ(template_of("//"), "//");
  EXPECT_EQ(template_of(""), "");
}

TEST(PageTemplates, AreCountedMostFrequentFirst) {
  PageTemplates templates;
  templates.add("https://a.example/alone");
  for (const char* path : {"blog/a", "shop/a", "shop/b", "blog/b", "shop/c"}) {
    templates.add("https://a.example/" + std::string(path));
  }
  const auto rows = templates.finish();
  ASSERT_EQ(rows.size(), 2u) << "a template of one page says nothing";
  EXPECT_EQ(rows[0].pattern, "https://a.example/shop/*");
  EXPECT_EQ(rows[0].pages, 3u);
  EXPECT_EQ(rows[1].pattern, "https://a.example/blog/*");
}

TEST(PageTemplates, AreBounded) {
  PageTemplates templates;
  const std::string letters = "abcdefghij";
  for (std::size_t i = 0; i < 2 * PageTemplates::kTemplatesCounted; ++i) {
    std::string folder;
    for (const char digit : std::to_string(i)) folder += letters[digit - '0'];
    for (const char* page : {"/one", "/two"}) {
      templates.add("https://a.example/" + folder + page);
    }
  }
  templates.add("https://a.example/" + std::string(PageTemplates::kTemplateBytesMax, 'x') + "/a");
  EXPECT_EQ(templates.finish().size(), PageTemplates::kTemplatesListed);
}

}  // namespace
}  // namespace gossamer::report
