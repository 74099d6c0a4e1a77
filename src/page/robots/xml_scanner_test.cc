#include "robots/xml_scanner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/support/xml_expat.h"

namespace gossamer::robots {
namespace {

class Collection final : public SitemapSink {
 public:
  void put(SitemapEntry entry) override {
    locs += entry.loc + "\n";
    if (!entry.extensions) return;
    for (const auto& image : entry.extensions->images) locs += "  " + image.title + "\n";
    for (const auto& other : entry.extensions->alternates) locs += "  " + other.href + "\n";
  }
  std::string locs;
};

struct Reading {
  std::string locs;
  bool is_well_formed = false;
};

template <class Reader, class... Arguments>
Reading read_with(std::string_view text, std::size_t piece_bytes, Arguments... arguments) {
  Collection collection;
  SitemapCollector collector({}, collection);
  SitemapElements elements({}, collector);
  Reader reader(elements, arguments...);
  for (; !text.empty(); text.remove_prefix(std::min(piece_bytes, text.size()))) {
    reader.feed(text.substr(0, piece_bytes));
  }
  reader.finish();
  return {collection.locs, !reader.trouble()};
}

Reading scan(std::string_view text, std::size_t piece_bytes = 1 << 20) {
  return read_with<XmlScanner>(text, piece_bytes);
}
Reading expat(std::string_view text) {
  return read_with<ExpatReader>(text, 1 << 20, /*is_utf8=*/true);
}

constexpr std::string_view kDocument =
    "<?xml version=\"1.0\"?>\r\n<!-- a > b -->\n<urlset xmlns:image='x/sitemap-image' a = \"1>2\">"
    "<url ><loc\n>http://a.example/?a=1&amp;b=&#x26;&#99;</loc >\r\n<image:image><image:title>"
    "one\r\ntwo\rthree <![CDATA[<&>]]]]> end</image:title></image:image><empty/><e a='x'/></url>"
    "<?pi x?y?><url><loc><!-- http://no/ -->http://a.example/2</loc>"
    "<xhtml:link rel='alternate' href='http://a.example/3?a&amp;b\n'/></url></urlset>\n<!-- x -->";

TEST(XmlScanner, ReadsWellFormedTextAsExpatDoes) {
  EXPECT_EQ(scan(kDocument).locs, expat(kDocument).locs);
  EXPECT_TRUE(scan(kDocument).is_well_formed);
  EXPECT_TRUE(expat(kDocument).is_well_formed);
}

TEST(XmlScanner, ReadsTheSameHoweverTheTextIsCut) {
  const Reading whole = scan(kDocument);
  for (const std::size_t piece_bytes : {1, 2, 3, 5, 17}) {
    EXPECT_EQ(scan(kDocument, piece_bytes).locs, whole.locs) << piece_bytes;
    EXPECT_TRUE(scan(kDocument, piece_bytes).is_well_formed);
  }
}

// The root is that of a sitemap, so that nothing but the fault is wrong.
TEST(XmlScanner, RejectsDocumentsThatAreNotWellFormed) {
  for (const char* text : {"",
                           "<urlset>",
                           "<urlset></url>",
                           "<urlset",
                           "<urlset b></urlset>",
                           "<urlset b=1></urlset>",
                           "<urlset b='1></urlset>",
                           "<urlset b='1' b='2'></urlset>",
                           "<urlset b='1'c='2'></urlset>",
                           "<urlset b='<'></urlset>",
                           "<urlset ='1'></urlset>",
                           "<urlset b '1'></urlset>",
                           "<urlset/><urlset/>",
                           "<urlset/>text",
                           "<urlset/>&amp;",
                           "<urlset/><![CDATA[x]]>",
                           "text<urlset/>",
                           "<![CDATA[x]]><urlset/>",
                           "<urlset></urlset b>",
                           "<urlset></ urlset>",
                           "<urlset></>",
                           "<urlset><1></1></urlset>",
                           "<urlset><!-- x</urlset>",
                           "<urlset><![CDATA[x</urlset>",
                           "<urlset><?x</urlset>",
                           "<urlset><!x></urlset>",
                           "<urlset><!-x--></urlset>",
                           "<urlset><a></urlset></a>",
                           "<urlset><a></urlset>",
                           "</urlset>",
                           "<urlset/></urlset>",
                           "&amp;",
                           "<urlset>&amp",
                           "<urlset/><"}) {
    for (const std::size_t piece_bytes : {1, 1000}) {
      EXPECT_FALSE(scan(text, piece_bytes).is_well_formed) << text;
    }
    EXPECT_FALSE(expat(text).is_well_formed) << text;
  }
}

TEST(XmlScanner, ReadsLineEndsAndReferencesAsExpatDoes) {
  for (const char* title :
       {"a\r\nb", "a\rb", "a\r\r\n\nb", "a\r&#10;b", "a\r<![CDATA[\nb]]>", "<![CDATA[a\r]]>\nb",
        "a\r<!-- x -->\nb", "a\r<?x?>\nb", "a\r<b>\nb</b>c", "a<b/>\r\nb",
        "<![CDATA[]]>a<![CDATA[ ] ]] ]> ]]>", "&#x41;&#66;&lt;", " a ", "<b>a</b> <b>b</b>"}) {
    const std::string text = "<urlset><url><loc>http://a.example/</loc><image:image><image:title>" +
                             std::string(title) +
                             "</image:title></image:image><xhtml:link rel='alternate' hreflang='x' "
                             "href='http://a.example/?a\r\nb\tc&#10;&quot;'/></url></urlset>";
    for (const std::size_t piece_bytes : {1, 2, 1000}) {
      EXPECT_EQ(scan(text, piece_bytes).locs, expat(text).locs) << title;
      EXPECT_TRUE(scan(text, piece_bytes).is_well_formed) << title;
    }
  }
}

TEST(XmlScanner, KnowsTheCharactersOfNames) {
  for (const char* name : {"A", "Z", "a", "z", "_", ":", "a0", "a9", "a-b", "a.b", "\xC3\xBC"}) {
    const std::string text = "<urlset><" + std::string(name) + "></" + name + "></urlset>";
    EXPECT_TRUE(scan(text).is_well_formed) << name;
  }
  for (const char* name : {"0", "-a", ".a", "@", "[", "`", "{", "/a/"}) {
    const std::string text = "<urlset><" + std::string(name) + "></" + name + "></urlset>";
    EXPECT_FALSE(scan(text).is_well_formed) << name;
  }
}

TEST(XmlScanner, HasABoundForATag) {
  const auto with_tag = [](std::size_t bytes) {
    return "<urlset " + std::string(bytes - 9, ' ') + "></urlset>";
  };
  EXPECT_TRUE(scan(with_tag(64 * 1024), 1000).is_well_formed);
  EXPECT_FALSE(scan(with_tag(80 * 1024), 1000).is_well_formed);
}

// Changes single characters: the scanner must read everything that expat accepts in the same way.
TEST(XmlScanner, AgreesWithExpatOnDamagedText) {
  constexpr std::string_view kCharacters = "<>/&;'\"=!?-[] \n\rax#";
  base::Random random(7);
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text(kDocument);
    for (std::uint64_t changes = 1 + random.next() % 2; changes > 0; --changes) {
      text[random.next() % text.size()] = kCharacters[random.next() % kCharacters.size()];
    }
    const Reading expected = expat(text);
    if (!expected.is_well_formed) continue;
    ++accepted;
    const Reading got = scan(text, 1 + random.next() % 40);
    ASSERT_TRUE(got.is_well_formed) << text;
    ASSERT_EQ(got.locs, expected.locs) << text;
  }
  EXPECT_GT(accepted, 1000);
}

TEST(XmlScanner, SkipsALongDtdInSmallPieces) {
  std::string text = "<!DOCTYPE urlset [";
  for (int i = 0; i < 100'000; ++i) text += i % 1000 == 0 ? "<!-- ] -->" : "x ";
  text += "]><urlset><url><loc>http://a.example/</loc></url></urlset>";
  for (const std::size_t piece_bytes : {1, 7, 5000}) {
    EXPECT_EQ(scan(text, piece_bytes).locs, "http://a.example/\n");
  }
}

TEST(XmlScanner, SkipsDtds) {
  constexpr std::string_view kLoc = "<urlset><url><loc>http://a.example/</loc></url></urlset>";
  for (const char* dtd :
       {"<!DOCTYPE urlset>", "<!DOCTYPE urlset SYSTEM 'a>b'>",
        "<!DOCTYPE u [<!ENTITY x '>]'><!-- ' ]> --><?pi ]> ?><!ELEMENT a (b)>]>",
        "<!-- x --><!DOCTYPE u PUBLIC \"-//x//y\" \"http://no.example/\" [ ] >"}) {
    const std::string text = dtd + std::string(kLoc);
    for (const std::size_t piece_bytes : {1, 3, 1000}) {
      EXPECT_EQ(scan(text, piece_bytes).locs, "http://a.example/\n") << dtd;
      EXPECT_TRUE(scan(text, piece_bytes).is_well_formed) << dtd;
    }
    EXPECT_EQ(expat(text).locs, "http://a.example/\n") << dtd;
  }
  for (const char* text : {"<!DOCTYPE a", "<!DOCTYPE a [", "<!DOCTYPE a><!DOCTYPE a><urlset/>",
                           "<urlset><!DOCTYPE a></urlset>", "<urlset/><!DOCTYPE a>",
                           "<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><urlset/>"}) {
    EXPECT_FALSE(scan(text).is_well_formed) << text;
    EXPECT_FALSE(scan(text, 1).is_well_formed) << text;
    EXPECT_FALSE(expat(text).is_well_formed) << text;
  }
}

}  // namespace
}  // namespace gossamer::robots
