#include "content/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/json_value.h"
#include "content/structured_data.h"
#include "dom/parse.h"

namespace gossamer::content {
namespace {

using testing::IsEmpty;

Metadata metadata_of(const std::string& page) {
  const auto url = url::Url::parse("http://a.example/b/c");
  return read_metadata(dom::parse(page), {.url = &*url});
}

TEST(Metadata, HasWhatThePageStates) {
  const Metadata found = metadata_of(
      "<html lang=en-GB><head><title>A</title><meta name=Description content=' A  test '>"
      "<link rel=canonical href=/c><link rel=alternate hreflang=de href=/de/c>"
      "<meta property=og:title content=T><meta property=og:image content=1>"
      "<meta property=og:image content=2><meta name=twitter:card content=summary>"
      "<meta name=author content='Ann Bee'><meta property=article:published_time "
      "content=2024-05-06T07:08:09Z><meta property=article:modified_time content=2025-01-02>"
      "</head><body><h1>One <b>big</b> heading</h1><h3>Third</h3><p>It is the text of a page."
      "<img src=x><img src=y alt=''><script>run()</script><script type=text/template>x</script>");
  EXPECT_EQ(found.language, "en-GB");
  EXPECT_EQ(found.detected_language, "en");
  EXPECT_EQ(found.canonical, "http://a.example/c");
  EXPECT_EQ(found.description, "A test");
  EXPECT_EQ(found.author, "Ann Bee");
  EXPECT_EQ(found.published, "2024-05-06T07:08:09Z");
  EXPECT_EQ(found.modified, "2025-01-02");
  EXPECT_EQ(to_json(found.translations), R"([{"language": "de", "url": "http://a.example/de/c"}])");
  EXPECT_EQ(to_json(found.open_graph), R"({"title": "T", "image": ["1", "2"]})");
  EXPECT_EQ(to_json(found.twitter), R"({"card": "summary"})");
  EXPECT_EQ(to_json(found.headings),
            R"([{"level": 1, "text": "One big heading"}, {"level": 3, "text": "Third"}])");
  EXPECT_EQ(found.words, 11u);
  EXPECT_EQ(found.images, 2u);
  EXPECT_EQ(found.images_without_alt, 1u);
  EXPECT_EQ(found.scripts, 1u);
  EXPECT_FALSE(found.is_truncated);
}

TEST(Metadata, IsEmptyForAnEmptyPage) {
  EXPECT_EQ(metadata_of(""), Metadata());
  EXPECT_EQ(metadata_of("<link rel=canonical><link rel=canonical href=''><meta name=description>"),
            Metadata());
}

TEST(Metadata, TellsWhetherThereAreSeveralCanonicalUrls) {
  const std::string one = "<link rel=canonical href=/c>";
  EXPECT_FALSE(
      metadata_of(one + "<link rel=canonical href=http://a.example/c>").has_several_canonicals)
      << "the same URL";
  const Metadata several = metadata_of(one + "<link rel=canonical href=/d>");
  EXPECT_TRUE(several.has_several_canonicals);
  EXPECT_EQ(several.canonical, "http://a.example/c") << "the first";
}

TEST(Metadata, ReadsJsonLd) {
  const Metadata found = metadata_of(
      "<script type=application/ld+json><!-- {\"@graph\": [{\"@type\": \"WebSite\", \"author\": "
      "\"no\"}, {\"@type\": [\"NewsArticle\"], \"datePublished\": \"2024-05-06\", "
      "\"dateModified\": \"2024-05-07\", \"author\": [{\"name\": \"Ann\"}, \"Bob\"], \"n\": inf}]}"
      " --></script><time datetime=1999-01-01>then</time>");
  EXPECT_EQ(found.author, "Ann, Bob");
  EXPECT_EQ(found.published, "2024-05-06");
  EXPECT_EQ(found.modified, "2024-05-07");
  EXPECT_EQ(found.json_ld_faults, 0u);
  EXPECT_TRUE(base::parse_json(found.json_ld)) << found.json_ld;
  EXPECT_THAT(found.json_ld, testing::HasSubstr(R"("n": "inf")"));
}

TEST(Metadata, CountsJsonLdThatIsNotJson) {
  const Metadata found = metadata_of(
      "<script type=application/ld+json>{\"a\": }</script><script type=application/ld+json>" +
      std::string(100'000, '[') + "</script><script type=application/ld+json>" +
      std::string(kJsonLdBytesMax + 1, ' ') +
      "</script><script type=application/ld+json>7</script>");
  EXPECT_EQ(found.json_ld_faults, 3u);
  EXPECT_EQ(found.json_ld, "[7]");
  EXPECT_TRUE(found.is_truncated);
}

// A record has it below "metadata" and "json_ld", in a list.
TEST(Metadata, HasNoJsonLdThatIsTooDeepForReadersOfRecords) {
  std::size_t accepted = 0;
  for (std::size_t levels = 50; levels < 70; ++levels) {
    const std::string page = "<script type='application/ld+json'>" + std::string(levels, '[') +
                             std::string(levels, ']') + "</script>";
    const Metadata found = metadata_of(page);
    if (found.json_ld.empty()) continue;
    ++accepted;
    EXPECT_TRUE(base::parse_json(R"({"metadata": {"json_ld": )" + found.json_ld + "}}")) << levels;
  }
  EXPECT_GT(accepted, 9u);
}

TEST(Metadata, CountsAPropertyWithTwoNamesOnce) {
  const Metadata found = metadata_of("<meta name=og:title property=og:title content=x>");
  EXPECT_EQ(found.open_graph.size(), 1u);
}

TEST(Metadata, ReadsMicrodata) {
  const Metadata found = metadata_of(
      "<div itemscope itemtype=https://schema.org/Product><b itemprop=name>Kettle</b>"
      "<img itemprop=image src=k.png><meta itemprop='sku gtin' content=7>"
      "<div itemprop=offers itemscope><data itemprop=price value=19.90>cheap</data></div>"
      "<i itemprop=color>red</i><i itemprop=color>blue</i>"
      "<p itemscope><u itemprop=x>apart</u></p></div>"
      "<article itemscope itemtype=http://schema.org/BlogPosting>"
      "<time itemprop=datePublished datetime=2024-05-06>May</time></article>");
  EXPECT_EQ(found.microdata,
            R"([{"@type": "https://schema.org/Product", "name": "Kettle", )"
            R"("image": "http://a.example/b/k.png", "sku": "7", "gtin": "7", )"
            R"("offers": {"price": "19.90"}, "color": ["red", "blue"]}, {"x": "apart"}, )"
            R"({"@type": "http://schema.org/BlogPosting", "datePublished": "2024-05-06"}])");
  EXPECT_EQ(found.published, "2024-05-06");
}

TEST(Metadata, LeavesOutTemplatesAndNoscript) {
  const Metadata found = metadata_of(
      "<body><noscript><h1>No</h1><img src=a></noscript><template><h1>No</h1></template><p>yes");
  EXPECT_THAT(found.headings, IsEmpty());
  EXPECT_EQ(found.images, 0u);
  EXPECT_EQ(found.words, 1u);
}

TEST(Metadata, IsBoundedForHostilePages) {
  std::string page;
  for (int i = 0; i < 20'000; ++i) {
    page += "<meta property=og:image content=x><h2>h</h2><link rel=alternate hreflang=a href=b>";
  }
  const Metadata many = metadata_of(page);
  EXPECT_EQ(many.open_graph.size(), kMetadataEntriesMax);
  EXPECT_EQ(many.headings.size(), kMetadataEntriesMax);
  EXPECT_EQ(many.translations.size(), kMetadataEntriesMax);
  EXPECT_TRUE(many.is_truncated);

  std::string nested;
  for (int i = 0; i < 10'000; ++i) nested += "<div itemscope itemprop='a b c d e f'>text";
  const Metadata deep = metadata_of("<div itemscope>" + nested);
  EXPECT_LE(deep.microdata.size(), kMicrodataBytesMax + 1000);
  EXPECT_TRUE(deep.is_truncated);

  const Metadata wide = metadata_of("<div itemscope><p itemprop=a>" + std::string(1 << 20, 'x'));
  EXPECT_LE(wide.microdata.size(), kMicrodataBytesMax + 100);

  std::string items;
  for (int i = 0; i < 50'000; ++i) items += "<p itemscope itemtype=a itemid=b>";
  const Metadata apart = metadata_of(items);
  EXPECT_LE(apart.microdata.size(), 2 * kMicrodataBytesMax);
  EXPECT_TRUE(apart.is_truncated);
}

}  // namespace
}  // namespace gossamer::content
