#include "engine/page/page_signs.h"

#include <gtest/gtest.h>

#include <string>

#include "record/rendering.h"

namespace gossamer::crawler {
namespace {

std::string_view reason(const std::string& html) { return reason_to_render(read_signs(html)); }

std::string text_of(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += "some words ";
  return text;
}

TEST(PageSigns, CountWhatIsVisible) {
  const PageSigns signs = read_signs(
      "<title>T</title><a href=/1>one</a><link href=/x.css rel=stylesheet><script src=/x.js>"
      "</script><p>two</p>");
  EXPECT_EQ(signs.links, 1U);
  EXPECT_GE(signs.text_bytes, 6U);
  EXPECT_LT(signs.text_bytes, 12U);
  EXPECT_TRUE(signs.has_scripts);
  EXPECT_FALSE(signs.has_hint);
}

TEST(PageSigns, NeedABrowserIfThePageIsAShell) {
  EXPECT_EQ(reason("<div id=app></div><script type=module src=/app.js></script>"), kRenderedEmpty);
  EXPECT_EQ(reason("<noscript>You need to enable JavaScript to run this app.</noscript>"
                   "<div id=root></div><script src=/main.js></script>"),
            kRenderedHint);
  EXPECT_EQ(reason("<p>" + text_of(500) + "</p><script src=/list.js></script>"), kRenderedEmpty);
}

TEST(PageSigns, NeedNoBrowserIfThePageShowsSomething) {
  EXPECT_EQ(reason("<p>" + text_of(500) + "<a href=/1>1</a><script src=/x.js></script>"), "");
  EXPECT_EQ(reason("<p>" + text_of(3000) + "</p><script src=/x.js></script>"), "");
  EXPECT_EQ(reason("<p>How to enable JavaScript: " + text_of(3000) +
                   "<a href=/1>1</a><script src=/x.js></script>"),
            "");
}

TEST(PageSigns, NeedNoBrowserWithoutScripts) {
  EXPECT_EQ(reason("<p>Thanks."), "");
  EXPECT_EQ(reason("<p>Please enable JavaScript."), "");
  EXPECT_EQ(reason("<script type=application/ld+json>{}</script><p>Thanks."), "");
}

TEST(PageSigns, GainIsMoreLinksOrMuchMoreText) {
  EXPECT_TRUE(has_gained({.links = 1}, {.links = 2}));
  EXPECT_TRUE(has_gained({.text_bytes = 10}, {.text_bytes = 500}));
  EXPECT_FALSE(has_gained({.text_bytes = 300, .links = 1}, {.text_bytes = 400, .links = 1}));
  EXPECT_FALSE(has_gained({.links = 2}, {.links = 1}));
}

TEST(RenderExperience, EndsWhereRenderingAddsNothing) {
  RenderExperience experience;
  for (std::uint32_t i = 0; i < RenderExperience::kTriesMax; ++i) {
    EXPECT_TRUE(experience.is_worth("a.example"));
    experience.note("a.example", false);
  }
  std::uint32_t tried = 0;
  for (std::uint32_t i = 0; i < RenderExperience::kRecheck * 3; ++i) {
    if (experience.is_worth("a.example")) ++tried;
  }
  EXPECT_EQ(tried, 3U);
  EXPECT_TRUE(experience.is_worth("b.example"));
  experience.note("a.example", true);
  EXPECT_TRUE(experience.is_worth("a.example"));
}

}  // namespace
}  // namespace gossamer::crawler
