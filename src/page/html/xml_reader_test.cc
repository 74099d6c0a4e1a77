#include "html/xml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "html/link_list.h"
#include "html/resource_reader.h"

namespace gossamer::html {
namespace {

using testing::ElementsAre;

template <class Reader>
std::vector<std::string> xml_links(std::string_view document) {
  std::vector<std::string> lines;
  for (const std::size_t piece_bytes : {document.size() + 1, std::size_t{1}}) {
    LinkList list;
    Reader reader(list);
    for (std::size_t at = 0; at < document.size(); at += piece_bytes) {
      reader.feed(document.substr(at, piece_bytes));
    }
    reader.finish();
    std::vector<std::string> found;
    for (std::size_t i = 0; i < list.size(); ++i) {
      found.push_back(std::string(name(list[i].link.kind)) + " " + std::string(list[i].link.url));
    }
    if (piece_bytes > 1) lines = found;
    EXPECT_EQ(found, lines) << "byte by byte";
  }
  return lines;
}

TEST(XmlReader, ReadsRss) {
  EXPECT_THAT(
      xml_links<XmlReader>(
          "<?xml version='1.0'?><rss><channel><link>http://a/</link>"
          "<image><url>/logo.png</url></image><atom:link rel='self' href='/feed'/>"
          "<item><title>http://no/</title><link><![CDATA[ http://a/1?b&c ]]></link>"
          "<guid isPermaLink='false'>no</guid><guid>http://a/g</guid>"
          "<comments>http://a/1#c</comments><enclosure url='e.mp3'/>"
          "<media:thumbnail url='t.png'/></item></channel></rss>"),
      ElementsAre("page http://a/", "image /logo.png", "alternate /feed", "page http://a/1?b&c",
                  "page http://a/g", "page http://a/1#c", "media e.mp3", "image t.png"));
}

TEST(XmlReader, ReadsAtom) {
  EXPECT_THAT(
      xml_links<XmlReader>("<feed><link rel='alternate' href='/'/><link rel=next href='/2'/>"
                           "<icon>i.png</icon><entry><link href='e?a&amp;b'/>"
                           "<link rel='enclosure' href='p.mp3'/><content src='c.html'/>"
                           "<author><uri>http://b/</uri></author></entry></feed>"),
      ElementsAre("page /", "next /2", "image i.png", "page e?a&b", "media p.mp3", "page c.html",
                  "page http://b/"));
}

TEST(XmlReader, ReadsAnyOtherXml) {
  EXPECT_THAT(xml_links<XmlReader>("<?xml-stylesheet type='text/xsl' href='s.xsl?a=1&amp;b'?>"
                                   "<doc xmlns='http://no/'><ref xlink:href='x'/><y>https://a/b</y>"
                                   "<z>see https://no/</z><img src='i'/></doc>"),
              ElementsAre("style s.xsl?a=1&b", "page x", "page https://a/b", "media i"));
}

TEST(XmlReader, ExpandsNothing) {
  EXPECT_THAT(xml_links<XmlReader>("<!DOCTYPE x [<!ENTITY a 'http://a/'>]><x><link>&a;</link></x>"),
              ElementsAre("page &a;"));
}

TEST(ResourceReader, ReadsStyleSheetsAndScripts) {
  EXPECT_THAT(xml_links<CssReader>("@import 'a.css'; b{c:url(d.png)}"),
              ElementsAre("style a.css", "asset d.png"));
  EXPECT_THAT(xml_links<ScriptReader>("{\"next\": \"https:\\/\\/a.example\\/2\", \"n\": \"x\"}"),
              ElementsAre("other https://a.example/2"));
}

}  // namespace
}  // namespace gossamer::html
