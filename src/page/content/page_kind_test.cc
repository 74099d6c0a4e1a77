#include "content/page_kind.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "content/metadata.h"
#include "dom/parse.h"

namespace gossamer::content {
namespace {

std::string kind_of(std::string_view page, std::string_view address) {
  const dom::Document document = dom::parse(page);
  const auto url = url::Url::parse(address);
  return read_metadata(document, {.url = &*url}).page_kind;
}

std::string repeated_text(std::string_view unit, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += unit;
  return text;
}

const std::string kParagraph = "<p>" + repeated_text("Words of a long text, ", 8) + "</p>";

TEST(PageKind, IsAnArticleWithADateAndText) {
  const std::string text =
      "<meta property=og:type content=article>"
      "<meta property=article:published_time content=2026-05-04>"
      "<h1>Kettles</h1>" +
      repeated_text(kParagraph, 10);
  EXPECT_EQ(kind_of(text, "https://a.example/blog/kettles"), "article");
  EXPECT_EQ(kind_of(kParagraph, "https://a.example/x/y"), "") << "nothing says so";
}

TEST(PageKind, IsAThreadByItsProgramOrItsData) {
  EXPECT_EQ(kind_of("<meta name=generator content='Discourse 3.2'>" + kParagraph,
                    "https://a.example/x/y/z"),
            "forum");
  EXPECT_EQ(kind_of("<script type=application/ld+json>{\"@type\": \"QAPage\", \"mainEntity\": "
                    "{\"@type\": \"Question\", \"datePublished\": \"2026-01-02\"}}</script>" +
                        kParagraph,
                    "https://a.example/x/y/z"),
            "forum");
}

TEST(PageKind, IsDocumentationByItsHostAndCode) {
  const std::string page = kParagraph + repeated_text("<pre>code</pre>", 5);
  EXPECT_EQ(kind_of(page, "https://docs.a.example/guide/x"), "documentation");
}

TEST(PageKind, IsAProductOrACollectionOfThem) {
  EXPECT_EQ(kind_of("<div itemscope itemtype=https://schema.org/Product>"
                    "<h1 itemprop=name>Kettle</h1><b>$19.90</b></div>",
                    "https://a.example/products/kettle"),
            "product");
  EXPECT_EQ(kind_of(repeated_text("<div><h3><a href=/k>Kettle</a></h3><b>19,90 \xE2\x82\xAC</b>"
                                  "</div>",
                                  24),
                    "https://a.example/collections/kettles"),
            "collection");
}

TEST(PageKind, IsAListOfOtherPages) {
  EXPECT_EQ(kind_of(repeated_text("<h2><a href=/x>A title of another page</a></h2>", 12),
                    "https://a.example/tea"),
            "listing");
}

TEST(PageKind, IsAServiceThatAPageOffers) {
  EXPECT_EQ(kind_of("<meta property=og:type content=website><script type=application/ld+json>"
                    "{\"@type\": \"Service\"}</script>" +
                        repeated_text(kParagraph, 4),
                    "https://a.example/services/repair"),
            "service");
}

TEST(PageKind, NeedsNoAddress) {
  const dom::Document document = dom::parse("<p>text");
  EXPECT_EQ(find_page_kind(document, {}), PageKind::unsure);
  EXPECT_EQ(name(PageKind::unsure), "");
}

}  // namespace
}  // namespace gossamer::content
