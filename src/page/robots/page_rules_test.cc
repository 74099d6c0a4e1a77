#include "robots/page_rules.h"

#include <gtest/gtest.h>

namespace gossamer::robots {
namespace {

PageRules from_header(std::string_view value) {
  PageRules rules;
  rules.add_header(value, "gossamer");
  return rules;
}

PageRules from_meta(std::string_view name, std::string_view content) {
  PageRules rules;
  rules.add_meta(name, content, "gossamer/1.0");
  return rules;
}

TEST(PageRules, ReadTheWordsOfAHeader) {
  EXPECT_EQ(from_header("NoIndex, nofollow"), (PageRules{.no_index = true, .no_follow = true}));
  EXPECT_EQ(from_header("none"), (PageRules{.no_index = true, .no_follow = true}));
  EXPECT_EQ(from_header("all, index, follow, nonsense"), PageRules());
  EXPECT_EQ(from_header(",,noarchive,"), (PageRules{.no_archive = true}));
}

TEST(PageRules, AreWrittenInTheirOrder) {
  EXPECT_EQ(to_text(from_header("nosnippet, notranslate, none, noarchive, noimageindex")),
            "noindex, nofollow, noarchive, nosnippet, noimageindex, notranslate");
  EXPECT_EQ(to_text(from_header("max-snippet: 20")), "");
}

TEST(PageRules, CanBeForOneCrawlerInAHeader) {
  EXPECT_EQ(from_header("otherbot: noindex, nofollow"), PageRules());
  EXPECT_EQ(from_header("Gossamer: noindex, nofollow"),
            (PageRules{.no_index = true, .no_follow = true}));
  EXPECT_EQ(from_header("noarchive, otherbot: noindex, gossamer: nosnippet"),
            (PageRules{.no_archive = true, .no_snippet = true}));
}

TEST(PageRules, HaveValues) {
  const PageRules rules =
      from_header("max-snippet: 20, max-image-preview:large, max-video-preview: -1");
  EXPECT_EQ(rules.snippet_characters_max, 20U);
  EXPECT_EQ(rules.image_preview_max, ImagePreview::large);
  EXPECT_EQ(rules.video_preview_seconds_max, std::nullopt);
}

TEST(PageRules, ReadADateThatHasAComma) {
  const PageRules rules = from_header("unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noindex");
  EXPECT_EQ(rules.unavailable_after, (WallTime{1277478000}));
  EXPECT_TRUE(rules.no_index);
}

TEST(PageRules, KnowEveryWord) {
  EXPECT_EQ(from_header("noindex"), (PageRules{.no_index = true}));
  EXPECT_EQ(from_header("nofollow"), (PageRules{.no_follow = true}));
  EXPECT_EQ(from_header("noarchive"), (PageRules{.no_archive = true}));
  EXPECT_EQ(from_header("nocache"), (PageRules{.no_archive = true}));
  EXPECT_EQ(from_header("nosnippet"), (PageRules{.no_snippet = true}));
  EXPECT_EQ(from_header("noimageindex"), (PageRules{.no_image_index = true}));
  EXPECT_EQ(from_header("notranslate"), (PageRules{.no_translate = true}));
  EXPECT_EQ(from_header("*: noindex"), (PageRules{.no_index = true}));
}

TEST(PageRules, KnowEveryValue) {
  EXPECT_EQ(from_header("max-image-preview: none").image_preview_max, ImagePreview::none);
  EXPECT_EQ(from_header("max-image-preview: Standard").image_preview_max, ImagePreview::standard);
  EXPECT_EQ(from_header("max-image-preview: huge"), PageRules());
  EXPECT_EQ(from_header("max-video-preview: 30").video_preview_seconds_max, 30U);
  EXPECT_EQ(from_header("max-video-preview: 30").snippet_characters_max, std::nullopt);
  EXPECT_EQ(from_header("max-snippet: 20x"), PageRules());
  EXPECT_EQ(from_header("max-snippet:"), PageRules());
  EXPECT_EQ(from_header("max-snippet: 99999999999"), PageRules());
  EXPECT_EQ(from_header("max-image-preview: large, max-image-preview: standard").image_preview_max,
            ImagePreview::standard);
}

TEST(PageRules, EndADateWithoutACommaAtTheComma) {
  const PageRules rules = from_header("unavailable_after: 2010-06-25, noindex, nofollow");
  EXPECT_TRUE(rules.unavailable_after);
  EXPECT_TRUE(rules.no_index);
  EXPECT_TRUE(rules.no_follow);
  EXPECT_TRUE(
      from_header("noindex, unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT").unavailable_after);
  EXPECT_EQ(from_header("unavailable_after: soon"), PageRules());
  // A date that cannot be read is no reason to miss what follows.
  EXPECT_TRUE(from_header("unavailable_after: 25 June of 2030, noindex").no_index);
  const PageRules named =
      from_header("*: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow");
  EXPECT_TRUE(named.unavailable_after);
  EXPECT_TRUE(named.no_follow);
  EXPECT_EQ(from_header("unavailable_after"), PageRules());
}

TEST(PageRules, AreForAllOrForUsByNameInMeta) {
  EXPECT_TRUE(from_meta("ROBOTS", "noindex").no_index);
  EXPECT_TRUE(from_meta(" robots\n", " noindex ").no_index);
  EXPECT_TRUE(from_meta("Gossamer", "noindex").no_index);
  EXPECT_FALSE(from_meta("otherbot", "noindex").no_index);
  EXPECT_FALSE(from_meta("description", "noindex").no_index);
  EXPECT_FALSE(from_meta("", "noindex").no_index);
}

TEST(PageRules, AddUpToTheStrictest) {
  PageRules rules;
  rules.add_header("max-snippet: 50", "gossamer");
  rules.add_meta("robots", "max-snippet: 20, nofollow", "gossamer");
  rules.add_meta("gossamer", "max-snippet: 30, follow", "gossamer");
  EXPECT_EQ(rules.snippet_characters_max, 20U);
  EXPECT_TRUE(rules.no_follow);
}

}  // namespace
}  // namespace gossamer::robots
