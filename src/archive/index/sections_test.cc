#include "index/sections.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "dom/parse.h"
#include "index/checked_pages.h"
#include "index/page_text.h"
#include "index/search_reader.h"
#include "index/search_writer.h"
#include "store/sqlite.h"
#include "tests/support/temporary_folder.h"

namespace gossamer::index {
namespace {

std::vector<Section> sections_of(std::string_view html, std::string_view main) {
  return find_sections(dom::parse(html, {}), main);
}

TEST(Sections, HaveTheIdOfTheirHeadingOrOfABoxThatBeginsWithIt) {
  using Sections = std::vector<Section>;
  const std::string main = "Title\nFirst part\ntext\nSecond\nmore\n";
  EXPECT_EQ(sections_of("<h1 id=top>Title</h1><h2 id=one>First part</h2>text<h2 id=two>Second</h2>",
                        main),
            (Sections{{6, "one"}, {22, "two"}}));
  EXPECT_EQ(sections_of("<section id=one><div><h2>First <b>part</b> <a class=headerlink href=#one>"
                        "\u00B6</a></h2></div>text<h2>Second</h2></section>",
                        main),
            (Sections{{6, "one"}}));
  EXPECT_EQ(sections_of("<span id=one></span>\n<h2>First part</h2><h3><a name='t w\u00F6'></a>"
                        "Second</h3>",
                        main),
            (Sections{{6, "one"}, {22, "t%20w%C3%B6"}}));
  EXPECT_EQ(sections_of("<dl><dt id=one>First part<dd>text<dt>Second</dl>", main),
            (Sections{{6, "one"}}));
  EXPECT_EQ(sections_of("<h2 id=one>Elsewhere</h2><h2>First part</h2>", main), Sections{});
}

TEST(Sections, OfADamagedIndexStayInTheText) {
  const std::vector<Section> sections = {{6, "one"}, {22, "two"}};
  EXPECT_EQ(parse_sections(sections_text(sections), 30), sections);
  EXPECT_EQ(parse_sections("6 one\n16 two\n", 22), (std::vector<Section>{{6, "one"}}));
  for (const std::string_view text : {"x", "-1 a\n", "99999999999999999999 a\n", "5\n", "\n\n"}) {
    EXPECT_TRUE(parse_sections(text, 30).empty()) << text;
  }
}

class SectionSearchTest : public testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/search.db"; }

  void add(std::string_view html) {
    auto writer = SearchWriter::open(path());
    ASSERT_TRUE(writer.has_value());
    const auto url = url::Url::parse("https://a.example/manual");
    const PageText text = read_page_text(TextKind::html, html, "utf-8", *url);
    const PageOrigin origin = {url->href(), {next_++, 0}, "text/html", {"a.warc.gz", ""}, 42};
    ASSERT_TRUE(*writer->add(origin, text));
    ASSERT_TRUE(writer->commit());
    ASSERT_TRUE(writer->check().has_value());
  }
  Hit first_hit(const std::string& query) {
    auto reader = SearchReader::open(path());
    auto found = reader->search(*parse_query(query));
    EXPECT_TRUE(found.has_value() && !found->hits.empty()) << query;
    return found && !found->hits.empty() ? std::move(found->hits[0]) : Hit();
  }

  static constexpr std::string_view kManual =
      "<title>Manual</title><main><h1 id=top>Manual</h1><p>About amber, stones and glass, and what "
      "you can do with them.</p><h2 id=polish>Polishing stones</h2><p>Stones of every kind become "
      "smooth if you polish them long enough.</p><h2 id=melt>Melting glass</h2><p>Glass melts in a "
      "furnace, and amber burns there.</p></main>";

  tests::TemporaryFolder folder_;
  std::int64_t next_ = 1'700'000'000;
};

TEST_F(SectionSearchTest, LeadsToTheHeading) {
  add(kManual);
  const Hit polishing = first_hit("polish stones");
  EXPECT_EQ(polishing.page.url, "https://a.example/manual");
  EXPECT_EQ(polishing.anchor, "polish");
  EXPECT_EQ(polishing.heading, "Polishing stones");
  EXPECT_TRUE(polishing.snippet.text.starts_with("Stones of every kind"));
  EXPECT_EQ(first_hit("furnace").anchor, "melt");
  EXPECT_EQ(first_hit("melting glass").heading, "Melting glass");
  EXPECT_EQ(first_hit("amber stones glass").anchor, "") << "the page as a whole has all words";
  EXPECT_EQ(first_hit("manual").anchor, "");
}

TEST_F(SectionSearchTest, ReadsAndContinuesAnIndexWithoutSections) {
  add(kManual);
  {
    auto database = open_checked(path(), store::Database::Access::write);
    ASSERT_TRUE(database->execute("DROP TABLE section").has_value());  // an earlier version
  }
  const Hit old = first_hit("polish stones");
  EXPECT_EQ(old.anchor, "");
  EXPECT_FALSE(old.snippet.marks.empty());
  std::string changed(kManual);
  add(changed.append("<p>A new version."));
  EXPECT_EQ(first_hit("polish stones version").anchor, "polish");
}

}  // namespace
}  // namespace gossamer::index
