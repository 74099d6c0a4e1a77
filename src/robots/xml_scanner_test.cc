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

TEST(XmlScanner, RejectsDocumentsThatAreNotWellFormed) {
  for (const char* text : {"",
                           "<a>",
                           "<a></b>",
                           "<a",
                           "<a b></a>",
                           "<a b=1></a>",
                           "<a b='1' b='2'></a>",
                           "<a b='1'c='2'></a>",
                           "<a b='<'></a>",
                           "<a/><b/>",
                           "<a/>text",
                           "text<a/>",
                           "<a></a b>",
                           "<1></1>",
                           "<a><!-- x</a>",
                           "<a><![CDATA[x</a>",
                           "<a><!x></a>",
                           "</a>",
                           "&amp;",
                           "<a>&amp"}) {
    EXPECT_FALSE(scan(text).is_well_formed) << text;
    EXPECT_FALSE(expat(text).is_well_formed) << text;
  }
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
  for (const char* text : {"<!DOCTYPE a", "<!DOCTYPE a [", "<!DOCTYPE a><!DOCTYPE a><a/>",
                           "<a><!DOCTYPE a></a>", "<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>"}) {
    EXPECT_FALSE(scan(text).is_well_formed) << text;
    EXPECT_FALSE(scan(text, 1).is_well_formed) << text;
    EXPECT_FALSE(expat(text).is_well_formed) << text;
  }
}

}  // namespace
}  // namespace gossamer::robots
