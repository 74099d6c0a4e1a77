#include "content/main_content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "content/content_text.h"
#include "dom/parse.h"

namespace gossamer::content {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string paragraph(std::string_view name) {
  std::string text = "<p>" + std::string(name);
  for (int i = 0; i < 12; ++i) text += " and then, some more words";
  return text + ".</p>";
}

std::string main_text(std::string_view page) {
  const dom::Document document = dom::parse(page);
  return to_text(find_main_content(document), 1'000'000);
}

TEST(MainContent, IsTheArticle) {
  const std::string text = main_text(
      "<title>A long title - A site</title><nav><a href=/>Home</a></nav><header>Logo</header>"
      "<div class=sidebar>" +
      paragraph("Sidebar") + "</div><div class=post><h1>A long title</h1>" + paragraph("First") +
      "<h2>Part</h2>" + paragraph("Second") + "<div class=share>Share this</div></div>" +
      "<div id=comments>" + paragraph("Reader") + "</div><footer>Imprint</footer>");
  EXPECT_THAT(text, HasSubstr("First and then"));
  EXPECT_THAT(text, HasSubstr("\nPart\nSecond"));
  for (const char* extra : {"Home", "Logo", "Sidebar", "Share", "Reader", "Imprint"}) {
    EXPECT_THAT(text, Not(HasSubstr(extra)));
  }
}

TEST(MainContent, IsWhatThePageDeclares) {
  const std::string text =
      main_text("<div>" + paragraph("Other") + paragraph("More") +
                "</div><div itemprop=articleBody>" + paragraph("Declared") + "</div>");
  EXPECT_TRUE(text.starts_with("Declared")) << text;
  EXPECT_THAT(text, Not(HasSubstr("Other")));
}

TEST(MainContent, SurvivesMisleadingNames) {
  const std::string text =
      main_text("<div class=sidebar-wrapper>" + paragraph("One") + paragraph("Two") + "</div>");
  EXPECT_THAT(text, HasSubstr("One"));
  EXPECT_THAT(text, HasSubstr("Two"));
}

TEST(MainContent, OmitsListsOfLinks) {
  const std::string text =
      main_text("<article>" + paragraph("Text") +
                "<ul><li><a href=1>Related one</a><li><a href=2>Related two</a></ul>"
                "<ul><li>An item of text, without links</ul></article>");
  EXPECT_THAT(text, Not(HasSubstr("Related")));
  EXPECT_THAT(text, HasSubstr("An item of text"));
}

TEST(MainContent, OmitsHiddenElements) {
  const std::string text =
      main_text("<article>" + paragraph("Seen") +
                "<p hidden>secret</p><p style='display : none'>"
                "secret</p><p aria-hidden=true>secret</p><p class='x sr-only'>seen</p></article>");
  EXPECT_THAT(text, Not(HasSubstr("secret")));
}

TEST(MainContent, KeepsInlineElementsWhateverTheirNames) {
  const std::string text =
      main_text("<article>" + paragraph("Text") +
                "<div>Choose <span class=menuselection>File</span>, then <b class=share>Save</b>, "
                "and <em id=related>wait</em>.</div></article>");
  EXPECT_THAT(text, HasSubstr("Choose File, then Save, and wait."));
}

TEST(MainContent, ReadsNamesWordByWord) {
  const std::string text =
      main_text("<article>" + paragraph("Text") + paragraph("More") + "<div id=shared-libraries>" +
                "<p>About libraries.</p></div><div class=unrelated><p>About links.</p></div>" +
                "<div class=share-buttons><p>Tell friends.</p></div></article>");
  EXPECT_THAT(text, HasSubstr("About libraries."));
  EXPECT_THAT(text, HasSubstr("About links."));
  EXPECT_THAT(text, Not(HasSubstr("Tell friends.")));
}

TEST(MainContent, MayBeInANoscriptElement) {
  const std::string page = "<div id=app></div><noscript><main><h1>Topic</h1>" + paragraph("One") +
                           paragraph("Two") + "</main></noscript>";
  EXPECT_THAT(main_text(page), HasSubstr("One and then"));
  const std::string notice = "<main>" + paragraph("Text") +
                             "<noscript><p>Please switch scripts on, friend.</p></noscript></main>";
  EXPECT_THAT(main_text(notice), Not(HasSubstr("switch scripts on")));
}

TEST(MainContent, HasWhatScriptsMoveToItsPlace) {
  const std::string text = main_text(
      "<main><!--$?--><template id=B:0></template><p>Loading</p></main>"
      "<div hidden id=S:0><article>" +
      paragraph("Late") +
      "</article></div>"
      "<div hidden id=S:menu>" +
      paragraph("Secret") + "</div>");
  EXPECT_THAT(text, HasSubstr("Late and then"));
  EXPECT_THAT(text, Not(HasSubstr("Secret")));
}

std::string repeated(std::string_view html, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += html;
  return all;
}

TEST(MainContent, MayBeData) {
  const std::string frame = "<div id=app>Loading</div>";
  const std::string text(
      R"(One and then, with some words, a comma and one more <thing> that makes )"
      R"(it long.\n\nTwo and then another paragraph, which is also of some )"
      R"(length, because less than this would be a teaser of the page.)");
  EXPECT_EQ(main_text(frame +
                      "<script type=application/ld+json>{\"@type\": \"Article\", "
                      "\"articleBody\": \"" +
                      text + "\"}</script>")
                .substr(0, 7),
            "One and");
  const std::string next = main_text(
      frame +
      "<script id=__NEXT_DATA__ type=application/json>{\"props\": {\"page\": {\"bodyHtml\": "
      "\"<p>" +
      text + "</p>\"}}}</script>");
  EXPECT_THAT(next, HasSubstr("Two and then"));
  const std::string topic =
      main_text(frame +
                "<div hidden data-preloaded='{\"topic_7\": \"{\\\"post_stream\\\": {\\\"posts\\\": "
                "[{\\\"cooked\\\": \\\"" +
                repeated("Some words of a post, ", 12) + "\\\"}]}}\"}'></div>");
  EXPECT_THAT(topic, HasSubstr("Some words of a post"));
}

TEST(MainContent, IsNotDataOfAPageThatShowsItsText) {
  const std::string page = paragraph("Shown") + paragraph("Again") +
                           "<script type=application/ld+json>{\"articleBody\": \"" +
                           repeated("Hidden words of it ", 20) + "\"}</script>";
  EXPECT_THAT(main_text(page), Not(HasSubstr("Hidden words")));
}

TEST(MainContent, HasAllPostsOfAThread) {
  std::string posts;
  for (const char* const name : {"Anna", "Bert", "Carla", "Dora", "Emil", "Finn"}) {
    posts += "<div class=post><div class=user><a href=/u>" + std::string(name) +
             "</a></div><div class=message>" + paragraph("Answer of " + std::string(name)) +
             "</div></div>";
  }
  const std::string text = main_text(
      "<title>A question - A forum</title><nav><a href=/>Home</a></nav>"
      "<div id=thread><h1>A question</h1>" +
      posts + "</div><footer><a href=/imprint>Imprint</a></footer>");
  for (const char* const name : {"Anna", "Bert", "Carla", "Dora", "Emil", "Finn"}) {
    EXPECT_THAT(text, HasSubstr("Answer of " + std::string(name)));
  }
  EXPECT_THAT(text, Not(HasSubstr("Imprint")));
}

TEST(MainContent, KeepsTheCellsOfRows) {
  const std::string page =
      "<main><h1>Kettles</h1>" + paragraph("First") + paragraph("Second") + "<table>" +
      repeated("<tr><td>A kettle of steel, for two litres<td><td>39 EUR", 4) + "</table>" +
      paragraph("Third") + paragraph("Fourth") + paragraph("Fifth") + "</main>";
  const dom::Document document = dom::parse(page);
  const MainContent main = find_main_content(document);
  std::size_t cells = 0;
  std::size_t rows = 0;
  for (std::size_t at = 0; at < main.outline.size(); ++at) {
    const OutlineItem& item = main.outline[at];
    if (!item.is_kept) continue;
    rows += item.node->is(html::TagId::tr) ? 1 : 0;
    cells += item.node->is(html::TagId::td) ? 1 : 0;
  }
  EXPECT_GT(rows, 0U);
  EXPECT_EQ(cells, 3 * rows);
}

TEST(MainContent, ReadsTheDeclarationsOfStyles) {
  const auto is_seen = [](std::string_view style) {
    return main_text("<article>" + paragraph("Text") + "<p style=\"" + std::string(style) +
                     "\">marked</p></article>")
        .contains("marked");
  };
  for (const char* const hidden :
       {"DISPLAY:None", "color:red;display:none!important", "visibility: hidden ;",
        "background:url('a;b');display:none", "/* x; */display:none", "dis/**/;display:none",
        "display:none !IMPORTANT; display:block"}) {
    EXPECT_FALSE(is_seen(hidden)) << hidden;
  }
  for (const char* const seen :
       {"--display:none", "content-visibility:hidden", "display:none-such",
        "background:url('display:none')", "/*display:none*/", "display:none;display:block",
        "display:none;display:block!important", "display:inline;/*", ";;:;", "display"}) {
    EXPECT_TRUE(is_seen(seen)) << seen;
  }
}

TEST(MainContent, IsInTheFirstElementsOfALargePage) {
  std::string page = "<div>" + paragraph("First") + "</div>";
  for (std::size_t i = 0; i < kOutlineItemsMax; ++i) page += "<i></i>";
  const dom::Document document = dom::parse(page);
  const MainContent main = find_main_content(document);
  EXPECT_TRUE(main.outline.is_truncated());
  EXPECT_THAT(to_text(main, 1000), HasSubstr("First"));
}

TEST(MainContent, MayBeShort) {
  EXPECT_EQ(main_text("<p>Only this."), "Only this.");
  EXPECT_EQ(main_text(""), "");
  EXPECT_EQ(main_text("<frameset><frame src=x></frameset>"), "");
}

}  // namespace
}  // namespace gossamer::content
