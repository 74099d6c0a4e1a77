#include "check/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "check/position_finder.h"
#include "check/quoted_text.h"

namespace gossamer::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "3:9 /x text", one per link.
std::vector<std::string> told(const Document& document) {
  std::vector<std::string> lines;
  for (const LinkPlace& link : document.links) {
    lines.push_back(std::to_string(link.at.line) + ":" + std::to_string(link.at.column) + " " +
                    link.url + (link.text.empty() ? "" : " " + link.text));
  }
  return lines;
}

TEST(PositionFinder, CountsLinesAndCharacters) {
  PositionFinder finder(
      "ab\n\xC3\xA4\xE2\x82\xAC"
      "c\n");
  EXPECT_EQ(finder.at(0), (Position{1, 1}));
  EXPECT_EQ(finder.at(2), (Position{1, 3}));
  EXPECT_EQ(finder.at(3), (Position{2, 1}));
  EXPECT_EQ(finder.at(8), (Position{2, 3})) << "two characters of five bytes precede it";
  EXPECT_EQ(finder.at(10), (Position{3, 1}));
  EXPECT_EQ(finder.at(1), (Position{1, 2})) << "back again";
}

TEST(HtmlPlaces, TellLineColumnAndText) {
  const Document document = read_html(
      "<html>\n<p>See <a href=/one>the <b>first</b>\n one</a>\n"
      "<a\n   class=x\n   href=\"/two\">2</a><img src=/i.png alt=x>\n");
  EXPECT_THAT(told(document), ElementsAre("2:16 /one the first one", "6:10 /two 2", "6:30 /i.png"));
}

TEST(HtmlPlaces, AreThoseOfTheTagWhereTheAddressIsSpelledOtherwise) {
  const Document document = read_html("\n <a href='/a&amp;b'>x</a>");
  EXPECT_THAT(told(document), ElementsAre("2:2 /a&b x"));
}

TEST(HtmlPlaces, AreExactForSourceSetsAndStyles) {
  const Document document = read_html(
      "<img srcset=\"/s1 1x,\n /s2 2x\">\n<style>\na { b: url(/c.png) }\nd { e: url('/f.png') }\n"
      "</style>\n<p style=\"x: url(/g.png)\">");
  EXPECT_THAT(told(document),
              ElementsAre("1:14 /s1", "2:2 /s2", "4:12 /c.png", "5:13 /f.png", "7:18 /g.png"));
}

TEST(HtmlPlaces, LeaveOutFormsHintsAndText) {
  EXPECT_THAT(told(read_html("<form action=/f></form><link rel=preconnect href=//c.example>"
                             "<link rel=dns-prefetch href=//d.example><!-- <a href=/c> -->"
                             "<script>'<a href=/s>'</script><template><a href=/t></template>")),
              IsEmpty());
}

TEST(HtmlPlaces, KnowIdsAndNamesOfAnchors) {
  const Document document = read_html(
      "<p id=one><a name=two></a><input name=three><svg><g id='four'/></svg>"
      "<!-- <p id=five> --><template><p id=six></template><p ID='a&amp;b'>");
  EXPECT_THAT(document.ids, ElementsAre("one", "two", "four", "a&b"));
}

TEST(HtmlPlaces, KnowTheWordsThatAreShown) {
  WordHashes words(kWordsMax);
  words.add("one twothree four five six");
  EXPECT_EQ(read_html("<p>One <b>two</b>three<p>four<!-- x --><script>y</script><style>z</style>"
                      "<td>five<br>six<template>t</template>",
                      Words::kept)
                .words,
            words.take());
  EXPECT_THAT(read_html("<p>One").words, IsEmpty());
}

TEST(HtmlPlaces, KnowTheBase) {
  EXPECT_EQ(read_html("<base href=/x/>").base, "/x/");
  EXPECT_EQ(read_html("<p>").base, std::nullopt);
}

TEST(HtmlPlaces, AreBounded) {
  std::string page;
  for (std::size_t i = 0; i < kLinksMax + 10; ++i) page += "<a href=/x>";
  const Document document = read_html(page);
  EXPECT_EQ(document.links.size(), kLinksMax);
  EXPECT_EQ(document.links_left_out, 10u);
  const Document long_text = read_html("<a href=/x>" + std::string(1000, 'y') + "</a>");
  EXPECT_EQ(long_text.links[0].text.size(), kLinkTextBytesMax);
  EXPECT_TRUE(long_text.links[0].text.ends_with("y..."));
}

TEST(XmlPlaces, AreThoseOfTheAddressesOfASitemap) {
  const Document document = read_xml(
      "<?xml version='1.0'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n"
      "<url>\n  <loc>https://a.example/1</loc></url>\n"
      "<url><loc><![CDATA[https://a.example/2]]></loc></url>\n</urlset>");
  EXPECT_THAT(told(document), ElementsAre("4:8 https://a.example/1", "5:20 https://a.example/2"));
}

TEST(CssPlaces, AreFoundInOrder) {
  const Document document =
      read_css("@import '/a.css';\n.x { background: url(/b.png) }\n.y { b: url(/b.png) }\n");
  EXPECT_THAT(told(document), ElementsAre("1:10 /a.css", "2:22 /b.png", "3:13 /b.png"));
}

TEST(UrlList, HasOneALine) {
  const Document document =
      read_url_list("# title\nhttps://a.example/\n\n  https://b.example/x \r\nhttps://c.example");
  EXPECT_THAT(told(document), ElementsAre("2:1 https://a.example/", "4:3 https://b.example/x",
                                          "5:1 https://c.example"));
}

}  // namespace
}  // namespace gossamer::check
