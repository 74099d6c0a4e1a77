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

TEST(PageSigns, NeedNoBrowserIfThePageLeadsAway) {
  EXPECT_EQ(reason("<frameset><frame src=/1></frameset><script src=/x.js></script>"), "");
  EXPECT_EQ(reason("<meta http-equiv=refresh content='0; url=/2'><script src=/x.js></script>"), "");
  EXPECT_EQ(reason("<iframe src=/counter></iframe><script src=/x.js></script>"), kRenderedEmpty);
}

TEST(PageSigns, NeedNoBrowserWithoutScripts) {
  EXPECT_EQ(reason("<p>Thanks."), "");
  EXPECT_EQ(reason("<p>Please enable JavaScript."), "");
  EXPECT_EQ(reason("<script type=application/ld+json>{}</script><p>Thanks."), "");
}

TEST(PageSigns, AScriptIsOneHoweverItIsWritten) {
  for (const char* html :
       {"<SCRIPT SRC=/APP.JS></SCRIPT>", "<script src=/json/app.js></script>",
        "<script data-type=json src=/a.js></script>",
        "<script\ntype = 'text/javascript'>x</script>", "<script type=\"\">x</script>",
        "<script id=a type=Module src=/a.js></script>",
        "<script type=application/json>{}</script><script>x</script>", "<script"}) {
    EXPECT_TRUE(has_scripts(html)) << html;
  }
  for (const char* html :
       {"", "<", "<script type=application/json>{}</script>",
        "<script id=x type='application/LD+JSON' data-a=javascript>{}</script>",
        "<script type=\"importmap\">{}</script>", "<script type=text/template><b></b></script>"}) {
    EXPECT_FALSE(has_scripts(html)) << html;
  }
}

// A search for the end of each would read the page again and again.
TEST(PageSigns, TagsThatDoNotEndAreReadOnce) {
  std::string html;
  while (html.size() < 2'000'000) html += "<script type=json ";
  EXPECT_FALSE(has_scripts(html));
}

TEST(PageSigns, OnlyVisibleTextIsMuch) {
  const std::string text = text_of(2000);
  for (const std::string& html :
       {text, "<p title='>'>" + text, "<script>x</SCRIPT><!-- - -->1 < 2" + text,
        "<title>T</title><svg/><path></svg><b>" + text_of(1000) + "</b><i>" + text_of(1000)}) {
    EXPECT_TRUE(shows_much(html)) << html;
    EXPECT_GT(read_signs(html).text_bytes, 1500U) << html;
  }
  std::string entities;
  while (entities.size() < 20'000) entities += "&nbsp;";
  for (const std::string& html :
       {std::string(), std::string("<"), std::string("a<b"), std::string(20'000, ' '), entities,
        "<div data-page = '<b>" + text + "'>", "<p title=\"" + text, "<!--<p>" + text,
        "<Style>" + text + "</Style>", "<script>'<p>'" + text,
        "<template><p>" + text + "</template>", "<title>" + text + "</title>",
        "<iframe><p>" + text + "</iframe>"}) {
    EXPECT_FALSE(shows_much(html)) << html;
  }
}

TEST(PageSigns, LittleTextIsEnoughForAPageThatHasLinksAndNoHint) {
  EXPECT_TRUE(shows_enough("<p>" + text_of(300), true));
  EXPECT_FALSE(shows_enough("<p>" + text_of(300), false));
  EXPECT_TRUE(shows_enough("<p>" + text_of(1400), false));
  EXPECT_FALSE(shows_enough("<p>" + text_of(20), true));
  EXPECT_FALSE(shows_enough("<noscript>Enable JavaScript</noscript><p>" + text_of(1400), true));
  EXPECT_TRUE(shows_enough("<script>javascript</script><p>" + text_of(1400), true));
}

TEST(PageSigns, GainIsMoreLinksOrMuchMoreText) {
  EXPECT_TRUE(has_gained({.links = 1}, {.links = 2}));
  EXPECT_TRUE(has_gained({.text_bytes = 10}, {.text_bytes = 500}));
  EXPECT_FALSE(has_gained({.text_bytes = 300, .links = 1}, {.text_bytes = 400, .links = 1}));
  EXPECT_FALSE(has_gained({.links = 2}, {.links = 1}));
}

// Returns how many of these pages got a browser, which gained nothing.
std::uint32_t tries_in_vain(RenderExperience& experience, const std::string& folder,
                            std::uint32_t pages) {
  std::uint32_t tried = 0;
  for (std::uint32_t i = 0; i < pages; ++i) {
    const std::string url = folder + std::to_string(i);
    if (!experience.is_worth(url)) continue;
    ++tried;
    experience.note(url, false);
  }
  return tried;
}

TEST(RenderExperience, EndsWhereRenderingAddsNothing) {
  using Experience = RenderExperience;
  Experience experience;
  const std::uint32_t pages = Experience::kTriesMax + Experience::kRecheck * 3;
  EXPECT_EQ(tries_in_vain(experience, "https://a.example/news/", pages), Experience::kTriesMax + 3);
  EXPECT_TRUE(experience.is_worth("https://a.example/shop/1")) << "other pages";
  EXPECT_TRUE(experience.is_worth("https://b.example/news/1")) << "another host";
  experience.note("https://a.example/news/1", true);
  EXPECT_TRUE(experience.is_worth("https://a.example/news/2"));
}

TEST(RenderExperience, EndsOnHostsWhereRenderingAddsNothing) {
  using Experience = RenderExperience;
  Experience experience;
  std::uint32_t tried = 0;
  for (int folder = 0; folder < 100; ++folder) {
    const std::string url = "https://a.example/" + std::string(1 + folder % 19, 'x') +
                            std::string(1 + folder / 19, 'y') + "/";
    tried += tries_in_vain(experience, url, 4);
  }
  EXPECT_GE(tried, Experience::kHostTriesMax);
  EXPECT_LE(tried, Experience::kHostTriesMax + 400 / Experience::kRecheck);
  EXPECT_TRUE(experience.is_worth("https://b.example/x/1"));
}

}  // namespace
}  // namespace gossamer::crawler
