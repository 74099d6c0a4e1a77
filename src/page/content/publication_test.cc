// Authors and dates of whole pages.
#include "content/publication.h"

#include <gtest/gtest.h>

#include <string>

#include "content/metadata.h"
#include "content/person_name.h"
#include "dom/parse.h"

namespace gossamer::content {
namespace {

Metadata metadata_at(std::string_view address, const std::string& page) {
  const auto url = url::Url::parse(address);
  return read_metadata(dom::parse(page), {.url = &*url});
}

Metadata metadata_under_headline(const std::string& page) {
  return metadata_at("http://a.example/kettles",
                     "<title>Kettles</title><body><h1>Kettles</h1>" + page);
}

TEST(Publication, HasTheAuthorThatThePageShows) {
  for (const std::string page :
       {"<p>By <a href=/ann>Ann Bee</a>", "<p>Written by: Ann Bee", "<p><b>Author</b> Ann Bee",
        "<p class=post-author>Ann Bee", "<div class=postAuthor><p>By Ann Bee</div>",
        "<a rel=author href=/ann>Ann Bee</a>", "<p>by Ann Bee | May 6, 2024",
        "<p class=byline><span>By</span> <span>Ann Bee</span> <time>May 6, 2024</time>",
        "<p itemprop=author>Ann Bee"}) {
    EXPECT_EQ(metadata_under_headline(page).author, "Ann Bee") << page;
  }
  EXPECT_EQ(metadata_under_headline("<p>By <a>Ann Bee</a> and <a>Cy Dee</a>").author,
            "Ann Bee, Cy Dee");
}

TEST(Publication, HasNoAuthorWithoutAName) {
  for (const std::string page :
       {"<a rel=author href=/ann>View more posts</a>", "<p>By clicking you accept cookies.",
        "<p class=author-bio>Ann Bee", "<table><th>Author<th>Message<td>Ann<td>Hi</table>",
        "<p class=author>admin", "<p>By 2024", "<meta name=author content=undefined>",
        "<meta name=author content='{{ author }}'>"}) {
    EXPECT_EQ(metadata_under_headline(page).author, "") << page;
  }
}

TEST(Publication, HasTheDayThatThePageShows) {
  for (const std::string page :
       {"<p>May 6, 2024", "<p>Published: 6 May 2024 <p>Updated: 7 May 2025",
        "<time datetime=2024-05-06T10:00:00Z>a day ago</time>", "<p>Last updated 2024-05-06",
        "<dd>Joined: May 1, 2010</dd><p>May 6, 2024"}) {
    EXPECT_EQ(metadata_under_headline(page).published.substr(0, 10), "2024-05-06") << page;
  }
}

TEST(Publication, IsThatOfAnArticleWhoseSiteNamesItsFrontPageAsCanonical) {
  const std::string page =
      "<link rel=canonical href=http://a.example/><meta property=og:type content=article>"
      "<meta property=article:published_time content=2024-05-06>";
  EXPECT_EQ(metadata_at("http://a.example/blog/kettles", page).published, "2024-05-06");
  EXPECT_EQ(metadata_at("http://a.example/", page).published, "");
  EXPECT_EQ(metadata_at("http://a.example/?from=mail", page).published, "");
}

TEST(Publication, PrefersMetadata) {
  EXPECT_EQ(metadata_under_headline("<meta property=article:published_time content=2023-01-02>"
                                    "<p>Updated May 6, 2024")
                .published,
            "2023-01-02");
  EXPECT_EQ(
      metadata_under_headline("<meta name=date content='2 January 2023'><p>By Ann Bee").published,
      "2023-01-02");
}

TEST(Publication, NeedsAnArticle) {
  const std::string stated =
      "<meta property=article:published_time content=2023-01-02T03:04:05Z><p>Buy it.";
  EXPECT_EQ(metadata_under_headline(stated).published, "");
  EXPECT_EQ(metadata_at("http://a.example/blog/kettles", stated).published, "2023-01-02T03:04:05Z");
  EXPECT_EQ(metadata_at("http://a.example/2024/05/06/kettles", "<h1>Kettles</h1>").published,
            "2024-05-06");
  const Metadata front =
      metadata_under_headline("<link rel=canonical href=/><p>By Ann Bee<p>May 6, 2024");
  EXPECT_EQ(front.published, "");
  EXPECT_EQ(front.author, "");
}

TEST(Publication, IsOnAPageThatOnlyTheQueryNames) {
  const std::string page = "<p>By Ann Bee<p>May 6, 2024";
  EXPECT_EQ(metadata_under_headline("<link rel=canonical href='/?p=12'>" + page).author, "Ann Bee");
  EXPECT_EQ(metadata_under_headline("<meta property=og:url content=kettles>" + page).author,
            "Ann Bee");
}

TEST(Publication, IsNotThatOfTheFirstItemOfAList) {
  const Metadata list = metadata_under_headline(
      "<ul><li>May 6, 2024 - Red kettles are here, at last<li>May 2, 2024 - Blue ones are "
      "gone</ul>");
  EXPECT_EQ(list.published, "");
}

TEST(Publication, NamesTheSiteOnlyForArticles) {
  const std::string site =
      "<meta property=og:site_name content='Kettle Shop'><meta name=author content='Kettle shop'>";
  EXPECT_EQ(metadata_under_headline(site).author, "");
  EXPECT_EQ(metadata_under_headline(site + "<p>May 6, 2024").author, "Kettle shop");
}

TEST(Publication, ReadsStructuredData) {
  const Metadata thread = metadata_under_headline(
      "<script type=application/ld+json>{\"@type\":\"WebPage\",\"mainEntity\":{\"@type\":"
      "\"DiscussionForumPosting\",\"datePublished\":\"2024-05-06\",\"author\":{\"@id\":\"#ann\"}}}"
      "</script><script type=application/ld+json>[]</script>");
  EXPECT_EQ(thread.published, "2024-05-06");
  EXPECT_EQ(thread.author, "");
  const Metadata graph = metadata_under_headline(
      "<script type=application/ld+json>{\"@graph\":[{\"@type\":\"Article\",\"author\":{\"@id\":"
      "\"#ann\"}},{\"@type\":\"Person\",\"@id\":\"#ann\",\"name\":\"Ann Bee\"}]}</script>");
  EXPECT_EQ(graph.author, "Ann Bee");
  const Metadata nameless = metadata_under_headline(
      "<script type=application/ld+json>{\"@type\":\"Article\",\"name\":\"How to boil\","
      "\"author\":{\"@type\":\"Person\",\"url\":\"/ann\"}}</script>");
  EXPECT_EQ(nameless.author, "");
  EXPECT_EQ(metadata_under_headline("<meta name=citation_author content='Ann Bee'>"
                                    "<meta name=citation_author content='Cy Dee'>")
                .author,
            "Ann Bee, Cy Dee");
}

TEST(PersonName, HasNoLabelsAndDates) {
  EXPECT_EQ(author_name(" By:  Ann Bee | The Shop"), "Ann Bee");
  EXPECT_EQ(author_name("Ann Bee on May 6"), "Ann Bee");
  EXPECT_EQ(author_name("Byron Bee"), "Byron Bee");
  EXPECT_EQ(author_name("von der Bee, Ann"), "von der Bee, Ann");
  std::string many = "Ann Bee";
  while (many.size() < 300) many += ", Cy Dee";
  EXPECT_TRUE(author_name(many).ends_with(", Cy Dee")) << author_name(many);
  EXPECT_FALSE(is_author_name("https://a.example/ann"));
  EXPECT_FALSE(is_author_name("page.head.author"));
  EXPECT_FALSE(is_author_name("12"));
  EXPECT_TRUE(is_author_name("Ann Bee, MD"));
  EXPECT_TRUE(is_name_of_person("b.scherer"));
  EXPECT_FALSE(is_name_of_person("5 min read"));
  EXPECT_FALSE(is_name_of_person("clicking here you accept our rules"));
}

}  // namespace
}  // namespace gossamer::content
