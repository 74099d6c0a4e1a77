#include "robots/sitemap.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "robots/sitemap_reader.h"

namespace gossamer::robots {
namespace {

std::vector<std::string> locs(const Sitemap& sitemap) {
  std::vector<std::string> result;
  for (const SitemapEntry& entry : sitemap.entries) result.push_back(entry.loc);
  return result;
}

using Locs = std::vector<std::string>;

std::string url_set(std::string_view content) {
  return "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" +
         std::string(content) + "</urlset>";
}

TEST(Sitemap, HasUrlsWithTheirDatesAndHints) {
  const Sitemap sitemap = read_sitemap(url_set(
      "<url><loc> http://a.example/?x=1&amp;y=2 </loc><lastmod>2024-01-02</lastmod>"
      "<changefreq>Daily</changefreq><priority>0.8</priority></url><url><loc>http://a.example/b"
      "</loc></url>"));
  EXPECT_EQ(sitemap.kind, SitemapKind::url_set);
  EXPECT_FALSE(sitemap.trouble);
  ASSERT_EQ(locs(sitemap), (Locs{"http://a.example/?x=1&y=2", "http://a.example/b"}));
  EXPECT_EQ(sitemap.entries[0].last_modified, (WallTime{1704153600}));
  EXPECT_EQ(sitemap.entries[0].change_frequency, ChangeFrequency::daily);
  EXPECT_FLOAT_EQ(sitemap.entries[0].priority, 0.8F);
  EXPECT_FLOAT_EQ(sitemap.entries[1].priority, 0.5F);
}

TEST(Sitemap, MayBeAnIndex) {
  const Sitemap sitemap = read_sitemap(
      "<sitemapindex><sitemap><loc>http://b.example/1.xml</loc></sitemap></sitemapindex>",
      {.location = "http://a.example/i.xml", .scope = SitemapScope::below_location});
  EXPECT_EQ(sitemap.kind, SitemapKind::index);
  EXPECT_EQ(locs(sitemap), (Locs{"http://b.example/1.xml"}));
}

TEST(Sitemap, MayBeAFeed) {
  const Sitemap rss = read_sitemap(
      "<rss><channel><link>http://a.example/</link><pubDate>Thu, 05 Jan 2017 12:34:50 GMT</pubDate>"
      "<item><link>http://a.example/1</link></item>"
      "<item><guid isPermaLink='false'>x</guid><guid>http://a.example/2</guid></item>"
      "</channel></rss>");
  EXPECT_EQ(rss.kind, SitemapKind::rss);
  EXPECT_EQ(locs(rss), (Locs{"http://a.example/1", "http://a.example/2"}));
  EXPECT_TRUE(rss.last_modified);
  const Sitemap atom = read_sitemap(
      "<feed xmlns='http://www.w3.org/2005/Atom'><updated>2020-01-01</updated><entry>"
      "<link rel='self' href='http://a.example/self'/><link href='http://a.example/3'/>"
      "<updated>2021-01-01</updated></entry></feed>");
  EXPECT_EQ(atom.kind, SitemapKind::atom);
  EXPECT_EQ(locs(atom), (Locs{"http://a.example/3"}));
  EXPECT_EQ(atom.entries[0].last_modified, (WallTime{1609459200}));
  EXPECT_EQ(atom.last_modified, (WallTime{1577836800}));
}

TEST(Sitemap, MayBeAListOfLines) {
  const Sitemap sitemap = read_sitemap(
      "\xEF\xBB\xBFhttp://a.example/1\r\n\r\nno url\n \u00a0 \n\t https://a.example/2 ");
  EXPECT_EQ(sitemap.kind, SitemapKind::text);
  EXPECT_EQ(locs(sitemap), (Locs{"http://a.example/1", "https://a.example/2"}));
  EXPECT_EQ(sitemap.rejected, 1U);
}

TEST(Sitemap, HasExtensions) {
  const Sitemap sitemap = read_sitemap(
      "<urlset xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' "
      "xmlns:v='http://www.google.com/schemas/sitemap-video/1.1' "
      "xmlns:xhtml='http://www.w3.org/1999/xhtml'><url><loc>http://a.example/</loc>"
      "<image:image><image:loc>http://a.example/1.png</image:loc></image:image>"
      "<image:image><image:loc>http://a.example/2.png</image:loc><image:title>T</image:title>"
      "</image:image><v:video><v:title>V</v:title><v:content_loc>http://a.example/v.mp4"
      "</v:content_loc></v:video><news:news><news:publication><news:name>N</news:name>"
      "</news:publication><news:publication_date>2024-01-02</news:publication_date></news:news>"
      "<xhtml:link rel='alternate' hreflang='de' href='http://a.example/de'/></url></urlset>");
  ASSERT_EQ(locs(sitemap), (Locs{"http://a.example/"}));
  const SitemapExtensions& extensions = *sitemap.entries[0].extensions;
  ASSERT_EQ(extensions.images.size(), 2U);
  EXPECT_EQ(extensions.images[1].loc, "http://a.example/2.png");
  EXPECT_EQ(extensions.images[1].title, "T");
  ASSERT_EQ(extensions.videos.size(), 1U);
  EXPECT_EQ(extensions.videos[0].content_loc, "http://a.example/v.mp4");
  EXPECT_EQ(extensions.news->publication_name, "N");
  ASSERT_EQ(extensions.alternates.size(), 1U);
  EXPECT_EQ(extensions.alternates[0].hreflang, "de");
}

TEST(Sitemap, IsReadAsFarAsItGoes) {
  const Sitemap sitemap = read_sitemap(
      "<urlset><url><loc>http://a.example/1</loc></url><url><loc>http://a.example/2</loc></wrong>");
  EXPECT_EQ(locs(sitemap), (Locs{"http://a.example/1", "http://a.example/2"}));
  ASSERT_TRUE(sitemap.trouble);
  EXPECT_EQ(sitemap.trouble->code(), Errc::malformed);
  // A truncated URL is another URL.
  const Sitemap cut = read_sitemap("<urlset><url><loc>http://a.example/1");
  EXPECT_TRUE(cut.entries.empty());
  EXPECT_TRUE(cut.trouble);
  // A whole one counts, wherever it is.
  EXPECT_EQ(locs(read_sitemap("<rss><channel><item><guid>http://a.example/1</guid><link>http://")),
            (Locs{"http://a.example/1"}));
}

TEST(Sitemap, ForgivesAmpersandsThatAreNotEscaped) {
  const Sitemap sitemap =
      read_sitemap(url_set("<url><loc>http://a.example/?a=1&b=2&copy;</loc></url>"
                           "<url><loc><![CDATA[http://a.example/?a=1&b=2&amp;]]></loc></url>"));
  EXPECT_FALSE(sitemap.trouble);
  EXPECT_EQ(locs(sitemap),
            (Locs{"http://a.example/?a=1&b=2&copy;", "http://a.example/?a=1&b=2&amp;"}));
}

TEST(Sitemap, NeverExpandsEntities) {
  const Sitemap sitemap = read_sitemap(
      "<!DOCTYPE u [<!ENTITY x SYSTEM 'file:///etc/passwd'><!ENTITY y 'http://a.example/y'>]>"
      "<urlset><url><loc>http://a.example/&x;</loc></url><url><loc>&y;</loc></url>"
      "<url><loc>http://a.example/ok</loc></url></urlset>");
  EXPECT_EQ(locs(sitemap), (Locs{"http://a.example/ok"}));
  // Nor in attributes, nor where a quoted comment hides them from the escaper.
  EXPECT_TRUE(read_sitemap("<!DOCTYPE f [<!ENTITY y 'http://a.example/y'>]><feed><entry>"
                           "<link href='&y;'/></entry></feed>")
                  .entries.empty());
  EXPECT_TRUE(read_sitemap("<!DOCTYPE f [<!ENTITY y 'http://a.example/y'><!ENTITY z '<!--'>]>"
                           "<urlset><url><loc>&y;</loc></url></urlset>")
                  .entries.empty());
  for (const char* const entity :
       {"&x_y;", "&x-y;", "&x.y;", "&x:y;", "&_;", "&\xC3\xBC;", "&Az9;"}) {
    EXPECT_TRUE(read_sitemap("<!DOCTYPE u [ ]><urlset><url><loc>http://a.example/" +
                             std::string(entity) + "</loc></url></urlset>")
                    .entries.empty())
        << entity;
  }
  const Sitemap defaults = read_sitemap(
      "<!DOCTYPE u [<!ATTLIST url a CDATA 'b'>]><urlset><url><loc>http://a.example/</loc></url>"
      "</urlset>");
  EXPECT_EQ(defaults.trouble->code(), Errc::denied);
}

TEST(Sitemap, IsReadInItsEncoding) {
  EXPECT_EQ(locs(read_sitemap("<?xml version='1.0' encoding='utf-16'?><urlset><url><loc>"
                              "http://a.example/</loc></url></urlset>")),
            (Locs{"http://a.example/"}))
      << "such a declaration cannot be true";
  EXPECT_EQ(locs(read_sitemap("<?xml version='1.0' encoding='windows-1251'?><urlset><url><loc>"
                              "http://a.example/\xE6</loc></url></urlset>")),
            (Locs{"http://a.example/%D0%B6"}));
  std::string wide = "\xFF\xFE";
  for (const char c :
       std::string("<urlset><url><loc>http://a.example/&amp;</loc></url></urlset>")) {
    wide += c;
    wide += '\0';
  }
  EXPECT_EQ(locs(read_sitemap(wide)), (Locs{"http://a.example/&"}));
}

TEST(Sitemap, IgnoresEveryKindOfSpaceAroundAUrl) {
  for (const char* space :
       {" ", "\t", "\u00a0", "\u2003", "\u200b", "\u2060", "\u3000", "\ufeff", "\u0085", "\u1680",
        "\u180e", "\u2000", "\u200f", "\u2028", "\u202f", "\u205f"}) {
    const std::string loc = std::string(space) + "http://a.example/" + space;
    EXPECT_EQ(locs(read_sitemap(url_set("<url><loc>" + loc + "</loc></url>"))),
              (Locs{"http://a.example/"}));
  }
  for (const char* character : {"\u2010", "\u2027", "\u2030"}) {
    EXPECT_TRUE(read_sitemap(std::string(character) + "http://a.example/").entries.empty());
  }
  // A partial character is dropped.
  EXPECT_EQ(locs(read_sitemap("http://a.example/\xE2\x80")), (Locs{"http://a.example/%EF%BF%BD"}));
  EXPECT_EQ(read_sitemap("\xE2\x80").entries.size(), 0U);
}

TEST(Sitemap, HasBounds) {
  std::string many;
  for (int i = 0; i < 10; ++i) many += "<url><loc>http://a.example/</loc></url>";
  const Sitemap few = read_sitemap(url_set(many), {.entries_max = 3});
  EXPECT_EQ(few.entries.size(), 3U);
  EXPECT_EQ(few.trouble->code(), Errc::over_limit);
  const Sitemap small = read_sitemap(url_set(many), {.bytes_max = 200});
  EXPECT_EQ(small.trouble->code(), Errc::over_limit);
  EXPECT_GT(small.entries.size(), 0U);
}

TEST(Sitemap, KeepsToItsScope) {
  const std::string text = url_set(
      "<url><loc>http://a.example/d/1</loc></url><url><loc>http://a.example/2</loc></url>"
      "<url><loc>http://b.example/d/3</loc></url><url><loc>relative</loc></url>");
  const auto count = [&](SitemapScope scope) {
    return read_sitemap(text, {.location = "http://a.example/d/s.xml", .scope = scope})
        .entries.size();
  };
  EXPECT_EQ(count(SitemapScope::anywhere), 3U);
  EXPECT_EQ(count(SitemapScope::same_origin), 2U);
  EXPECT_EQ(count(SitemapScope::below_location), 1U);
}

TEST(Sitemap, IsNoneIfItIsSomethingElse) {
  for (const char* text : {"", "   ", "plain text", "<html><body/></html>", "<!doctype html><p>",
                           "\x1F\x8Bnot really gzip", "<", "{\"json\": 1}"}) {
    const Sitemap sitemap = read_sitemap(text);
    EXPECT_TRUE(sitemap.trouble) << text;
    EXPECT_TRUE(sitemap.entries.empty()) << text;
    EXPECT_EQ(sitemap.kind, SitemapKind::unknown) << text;
  }
}

TEST(Sitemap, HasABoundForExtensions) {
  std::string many;
  for (int i = 0; i < 1001; ++i) {
    many +=
        "<image:image/><video:video/><xhtml:link rel='alternate' href='http://a.example/x'/>"
        "<x:link rel='alternate' href='http://a.example/no'/>";
  }
  const Sitemap sitemap =
      read_sitemap(url_set("<url><loc>http://a.example/</loc>" + many + "<news:news/></url>"));
  const SitemapExtensions& all = *sitemap.entries.at(0).extensions;
  EXPECT_EQ(all.images.size(), 1000U);
  EXPECT_EQ(all.videos.size(), 1000U);
  EXPECT_EQ(all.alternates.size(), 1000U);
  EXPECT_TRUE(all.news);
}

class LocCollection final : public SitemapSink {
 public:
  void put(SitemapEntry entry) override { all.push_back(entry.loc); }
  Locs all;
};

TEST(Sitemap, IsReadInUtf16OfBothByteOrders) {
  const std::string plain = "<urlset><url><loc>http://a.example/x</loc></url></urlset>";
  std::string big;
  std::string little;
  for (const char c : plain) {
    (big += '\0') += c;
    (little += c) += '\0';
  }
  for (const std::string& text : {"\xFE\xFF" + big, big, "\xFF\xFE" + little, little}) {
    EXPECT_EQ(locs(read_sitemap(text)), (Locs{"http://a.example/x"}));
    LocCollection found;
    SitemapReader reader({}, found);
    for (const char c : text) reader.feed(std::string_view(&c, 1));
    reader.finish();
    EXPECT_EQ(found.all, (Locs{"http://a.example/x"}));
  }
  EXPECT_EQ(
      read_sitemap("<?xml version='1.0' encoding='no-such'?><urlset></urlset>").trouble->code(),
      Errc::malformed);
}

TEST(Sitemap, KeepsAsManyEntriesAsItsBoundAndNoMore) {
  std::string three;
  for (int i = 0; i < 3; ++i) three += "http://a.example/" + std::to_string(i) + "\n";
  const Sitemap lines = read_sitemap(three, {.entries_max = 2});
  EXPECT_EQ(lines.entries.size(), 2U);
  EXPECT_EQ(lines.trouble->code(), Errc::over_limit);
  EXPECT_FALSE(read_sitemap(three, {.entries_max = 3}).trouble) << "as many as the bound allows";
  const std::string entry = "<url><loc>http://a.example/</loc></url>";
  EXPECT_FALSE(read_sitemap(url_set(entry + entry), {.entries_max = 2}).trouble);
  const Sitemap more = read_sitemap(url_set(entry + entry + entry), {.entries_max = 2});
  EXPECT_EQ(more.entries.size(), 2U);
  EXPECT_EQ(more.trouble->code(), Errc::over_limit);
}

TEST(Sitemap, OfLinesDropsALineThatIsTooLong) {
  const std::string start = "http://a.example/";
  const std::string longest = start + std::string(64 * 1024 - start.size(), 'x');
  EXPECT_EQ(read_sitemap(longest + "\nhttp://a.example/2").entries.size(), 2U);
  EXPECT_EQ(locs(read_sitemap(longest + "x\nhttp://a.example/2")), (Locs{"http://a.example/2"}));
  LocCollection found;
  SitemapReader reader({}, found);
  reader.feed(longest);
  reader.feed("xxxx");
  reader.feed("\nhttp://a.example/");
  reader.feed("2");
  reader.finish();
  EXPECT_EQ(found.all, (Locs{"http://a.example/2"}));
}

TEST(Sitemap, IsNoneAfterAThousandLinesWithoutAUrl) {
  std::string lines;
  for (int i = 0; i < 999; ++i) lines += "prose\n";
  EXPECT_EQ(locs(read_sitemap(lines + "http://a.example/")), (Locs{"http://a.example/"}));
  EXPECT_TRUE(read_sitemap(lines + "prose\nhttp://a.example/").entries.empty());
  EXPECT_FALSE(read_sitemap("http://a.example/\n" + lines + lines + "http://a.example/2").trouble);
}

TEST(Sitemap, IgnoresHintsThatMakeNoSense) {
  const auto entry = [](std::string_view hints) {
    Sitemap sitemap =
        read_sitemap(url_set("<url><loc>http://a.example/</loc>" + std::string(hints) + "</url>"));
    return std::move(sitemap.entries.at(0));
  };
  EXPECT_FLOAT_EQ(entry("<priority>0</priority>").priority, 0.0F);
  EXPECT_FLOAT_EQ(entry("<priority>1.0</priority>").priority, 1.0F);
  EXPECT_FLOAT_EQ(entry("<priority>1.1</priority>").priority, 0.5F);
  EXPECT_FLOAT_EQ(entry("<priority>-1</priority>").priority, 0.5F);
  EXPECT_FLOAT_EQ(entry("<priority>high</priority>").priority, 0.5F);
  EXPECT_EQ(entry("<changefreq>sometimes</changefreq>").change_frequency, ChangeFrequency::none);
  EXPECT_EQ(entry("<changefreq>always</changefreq>").change_frequency, ChangeFrequency::always);
  EXPECT_EQ(entry("<changefreq>never</changefreq>").change_frequency, ChangeFrequency::never);
  EXPECT_EQ(entry("<lastmod>soon</lastmod>").last_modified, std::nullopt);
  EXPECT_EQ(entry("<lastmod>2024-01-02</lastmod><lastmod>soon</lastmod>").last_modified,
            (WallTime{1704153600}));
}

TEST(Sitemap, ReadsEntriesThatSloppyGeneratorsWrite) {
  EXPECT_EQ(locs(read_sitemap(url_set("<url>http://a.example/1</url>"))),
            (Locs{"http://a.example/1"}));
  EXPECT_EQ(
      locs(read_sitemap(url_set("<url><loc>http://a.example/1</loc><loc>http://a.example/2</loc>"
                                "</url>"))),
      (Locs{"http://a.example/1", "http://a.example/2"}));
  EXPECT_EQ(locs(read_sitemap(url_set("<url><lastmod>2024-01-02</lastmod></url>"))), Locs());
  EXPECT_EQ(
      locs(read_sitemap("<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'><s:url>"
                        "<s:loc>http://a.example/1</s:loc></s:url><url><loc>http://a.example/2"
                        "</loc></url><x:url><x:loc>http://a.example/3</x:loc></x:url></s:urlset>")),
      (Locs{"http://a.example/1", "http://a.example/2"}));
  EXPECT_EQ(locs(read_sitemap(url_set("<url><loc>www.a.example/1</loc></url>"),
                              {.location = "http://a.example/s.xml"})),
            (Locs{"http://www.a.example/1"}));
  EXPECT_EQ(locs(read_sitemap(url_set("<url><loc>www.a.example/1</loc></url>"))),
            (Locs{"https://www.a.example/1"}));
  const Sitemap other = read_sitemap(url_set("<url><loc>ftp://a.example/1</loc></url>"));
  EXPECT_EQ(locs(other), Locs());
  EXPECT_EQ(other.rejected, 1U);
}

TEST(Sitemap, HasTheNamespaceOfTheProtocolIfThatIsRequired) {
  const SitemapOptions strict = {.is_namespace_strict = true};
  const std::string entry = "<url><loc>http://a.example/1</loc></url>";
  EXPECT_EQ(read_sitemap(url_set(entry), strict).entries.size(), 1U);
  EXPECT_EQ(read_sitemap("<urlset>" + entry + "</urlset>", strict).kind, SitemapKind::unknown);
  EXPECT_EQ(read_sitemap("<sitemapindex xmlns='x'/>", strict).trouble->code(), Errc::malformed);
  EXPECT_EQ(read_sitemap("<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'>" +
                             entry + "</s:urlset>",
                         strict)
                .entries.size(),
            1U);
  EXPECT_EQ(read_sitemap("<rss><channel/></rss>", strict).kind, SitemapKind::rss);
}

TEST(Sitemap, HasABoundForNestedElements) {
  const auto nested = [](int depth) {
    std::string text = "<urlset>";
    for (int i = 1; i < depth; ++i) text += "<a>";
    for (int i = 1; i < depth; ++i) text += "</a>";
    return text + "</urlset>";
  };
  EXPECT_FALSE(read_sitemap(nested(1000)).trouble);
  EXPECT_EQ(read_sitemap(nested(1001)).trouble->code(), Errc::over_limit);
}

TEST(Sitemap, DropsATextThatIsTooLong) {
  const std::string start = "http://a.example/";
  const std::string longest = start + std::string(64 * 1024 - start.size(), 'x');
  EXPECT_EQ(read_sitemap(url_set("<url><loc>" + longest + "</loc></url>")).entries.size(), 1U);
  EXPECT_EQ(read_sitemap(url_set("<url><loc>" + longest + "x</loc></url>")).entries.size(), 0U);
}

TEST(Sitemap, HasEveryFieldOfItsExtensions) {
  const Sitemap sitemap = read_sitemap(url_set(
      "<url><loc>http://a.example/</loc><image:image><image:loc>http://a.example/1.png</image:loc>"
      "<image:license>L</image:license><image:caption>C <b>D</b> E</image:caption></image:image>"
      "<video:video><video:player_loc>"
      "http://a.example/p</video:player_loc><video:thumbnail_loc>http://a.example/t"
      "</video:thumbnail_loc><video:title>V</video:title><video:description>D</video:description>"
      "<video:publication_date>2024-01-02</video:publication_date></video:video><video:video/>"
      "<news:news><news:language>de</news:language><news:title>T</news:title>"
      "<news:publication_date>2024-01-02</news:publication_date></news:news>"
      "<xhtml:link rel='other' href='http://a.example/no'/><xhtml:link rel='alternate' href='no'/>"
      "</url><url><loc>http://a.example/2</loc></url>"));
  ASSERT_EQ(sitemap.entries.size(), 2U);
  const SitemapExtensions& all = *sitemap.entries[0].extensions;
  ASSERT_EQ(all.images.size(), 1U);
  EXPECT_TRUE(all.images[0].caption.starts_with("C ")) << all.images[0].caption;
  EXPECT_TRUE(all.images[0].caption.ends_with(" E")) << all.images[0].caption;
  EXPECT_EQ(all.images[0].title, "");
  ASSERT_EQ(all.videos.size(), 2U);
  EXPECT_EQ(all.videos[0].player_loc, "http://a.example/p");
  EXPECT_EQ(all.videos[0].thumbnail_loc, "http://a.example/t");
  EXPECT_EQ(all.videos[0].content_loc, "");
  EXPECT_EQ(all.videos[0].title, "V");
  EXPECT_EQ(all.videos[0].description, "D");
  EXPECT_EQ(all.videos[0].published, (WallTime{1704153600}));
  ASSERT_TRUE(all.news);
  EXPECT_EQ(all.news->language, "de");
  EXPECT_EQ(all.news->title, "T");
  EXPECT_EQ(all.news->published, (WallTime{1704153600}));
  EXPECT_TRUE(all.alternates.empty()) << "neither an alternate nor a URL";
  EXPECT_FALSE(sitemap.entries[1].extensions);
  const Sitemap plain = read_sitemap(
      url_set("<url><loc>http://a.example/</loc><image:image><image:loc>http://a.example/1.png"
              "</image:loc></image:image></url>"));
  EXPECT_FALSE(plain.entries.at(0).extensions->news);
  EXPECT_TRUE(plain.entries.at(0).extensions->videos.empty());
}

TEST(Sitemap, ReadsTheUrlsAndDatesOfFeedsWhereTheyBelong) {
  const Sitemap rss = read_sitemap(
      "<rss "
      "xmlns:dc='x'><channel><item><link>http://a.example/1</link><guid>http://a.example/no</guid>"
      "<dc:date>2024-01-02</dc:date><source><link>http://a.example/no</link></source></item>"
      "<item><pubDate>2021-01-01</pubDate><link>http://a.example/2</link></item></channel></rss>");
  ASSERT_EQ(locs(rss), (Locs{"http://a.example/1", "http://a.example/2"}));
  EXPECT_EQ(rss.entries[0].last_modified, (WallTime{1704153600}));
  EXPECT_EQ(rss.entries[1].last_modified, (WallTime{1609459200}));
  EXPECT_FALSE(rss.last_modified);
  EXPECT_EQ(locs(read_sitemap("<rdf:RDF><item rdf:about='http://a.example/3'/></rdf:RDF>")),
            (Locs{"http://a.example/3"}));
  const Sitemap atom = read_sitemap(
      "<feed><entry><link rel='alternate' href='http://a.example/4'/><link "
      "href='http://a.example/no'/>"
      "<published>2024-01-02</published><source><updated>2021-01-01</updated></source></entry>"
      "<entry><updated>2021-01-01</updated><published>2024-01-02</published>"
      "<link href='http://a.example/5'/></entry></feed>");
  ASSERT_EQ(locs(atom), (Locs{"http://a.example/4", "http://a.example/5"}));
  EXPECT_EQ(atom.entries[0].last_modified, (WallTime{1704153600}));
  EXPECT_EQ(atom.entries[1].last_modified, (WallTime{1609459200}));
  EXPECT_FALSE(atom.last_modified);
}

TEST(Sitemap, ReadsCharacterReferencesThatXmlAllows) {
  const auto path = [](std::string_view text) {
    const Sitemap sitemap =
        read_sitemap(url_set("<url><loc>http://a.example/" + std::string(text) + "z</loc></url>"));
    return sitemap.entries.empty() ? "none" : sitemap.entries[0].loc.substr(17);
  };
  EXPECT_EQ(path("&#97;&#x62;&#x43;"), "abCz");
  EXPECT_EQ(path("&#9;&#10;&#13;"), "z") << "white space in a URL is nothing";
  EXPECT_EQ(path("&lt;&gt;&quot;&apos;"), "%3C%3E%22'z");
  EXPECT_EQ(path("&#xD7FF;&#xE000;&#xFFFD;&#x10000;&#x10FFFF;"),
            "%ED%9F%BF%EE%80%80%EF%BF%BD%F0%90%80%80%F4%8F%BF%BFz");
  for (const char* const text : {"&#xD800;", "&#xFFFE;", "&#x110000;", "&#0;", "&#1;", "&#;",
                                 "&#x;", "&#9x;", "&;", "&", "&a b;"}) {
    EXPECT_TRUE(path(text).starts_with('&')) << text;
  }
}

TEST(SitemapReader, SaysThatSomethingIsWrongAsSoonAsItIs) {
  LocCollection found;
  SitemapReader reader({}, found);
  reader.feed("<urlset><url></wrong>");
  EXPECT_TRUE(reader.trouble());
  reader.feed("<url><loc>http://a.example/</loc></url></urlset>");
  reader.finish();
  EXPECT_TRUE(found.all.empty());
}

TEST(SitemapReader, BlanksBeforeAByteOrderMarkReadTheSameHoweverTheyAreCut) {
  const std::string wide = "\f\f\xFF\xFE\x0C\xFE\r\nhttp://a.example/1\n";
  for (std::size_t piece = 1; piece <= wide.size(); ++piece) {
    LocCollection found;
    SitemapReader reader({}, found);
    for (std::size_t at = 0; at < wide.size(); at += piece) {
      reader.feed(std::string_view(wide).substr(at, piece));
    }
    reader.finish();
    EXPECT_EQ(reader.kind(), SitemapKind::unknown) << "in pieces of " << piece;
    EXPECT_TRUE(reader.trouble()) << "in pieces of " << piece;
    EXPECT_TRUE(found.all.empty()) << "in pieces of " << piece;
  }
}

TEST(SitemapReader, BlanksAroundAMarkReadTheSameHoweverTheyAreCut) {
  const std::string text =
      "  \n\xEF\xBB\xBF  " + url_set("<url><loc>http://a.example/1</loc></url>");
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    LocCollection found;
    SitemapReader reader({}, found);
    for (std::size_t at = 0; at < text.size(); at += piece) {
      reader.feed(std::string_view(text).substr(at, piece));
    }
    reader.finish();
    EXPECT_EQ(found.all, Locs{"http://a.example/1"}) << "in pieces of " << piece;
  }
}

}  // namespace
}  // namespace gossamer::robots
