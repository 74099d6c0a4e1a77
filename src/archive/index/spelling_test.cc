// Queries that are proposed if no page has all words.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "index/search_reader.h"
#include "index/search_writer.h"
#include "tests/support/temporary_folder.h"

namespace gossamer::index {
namespace {

class SpellingTest : public testing::Test {
 protected:
  void add(const std::string& url, const std::string& title, const std::string& main) {
    auto writer = SearchWriter::open(path());
    ASSERT_TRUE(writer.has_value());
    const PageOrigin origin = {url, {1'700'000'000, 0}, "text/html", {"a.warc.gz", ""}, 42};
    ASSERT_TRUE(*writer->add(origin, {.title = title, .language = "en", .main = main}));
    ASSERT_TRUE(writer->commit());
  }
  SearchResults search(const std::string& text) {
    auto reader = SearchReader::open(path());
    EXPECT_TRUE(reader.has_value());
    auto found = reader->search(*parse_query(text));
    EXPECT_TRUE(found.has_value()) << text << ": " << found.error().to_string();
    return found ? std::move(*found) : SearchResults();
  }
  std::string path() const { return folder_.path() + "/search.db"; }

  tests::TemporaryFolder folder_;
};

TEST_F(SpellingTest, ReplacesUnknownWords) {
  add("https://a.example/1", "One", "The museum shows amber stones");
  EXPECT_EQ(search("musuem ambr site:a.example").suggestion, "museum amber site:a.example");
  EXPECT_EQ(search("xylophone").suggestion, "");
  EXPECT_EQ(search("museum").suggestion, "");
}

// Suggestions have words that are on one page, even if rarer words are more similar.
TEST_F(SpellingTest, ProposesOnlyWhatFindsPages) {
  for (int i = 0; i < 40; ++i) {
    add("https://a.example/" + std::to_string(i), "Page " + std::to_string(i),
        "A regular expression matches texts " + std::to_string(i));
  }
  add("https://a.example/typo", "Typo", "regule");
  add("https://a.example/other", "Other", "expresso and espresso");
  add("https://a.example/dialog", "Dialog", "check regular expresion");  // a mistake of a page
  EXPECT_EQ(search("regulr expresion").suggestion, "regular expression");
  EXPECT_EQ(search("regulr").suggestion, "regular");
  EXPECT_EQ(search("regulr espreso").suggestion, "");
  EXPECT_EQ(search("regulr expresion site:b.example").suggestion, "");
  // Pages with the other words are shown, and the suggestion is made all the same.
  const SearchResults found = search("regulr expression matches");
  EXPECT_EQ(found.suggestion, "regular expression matches");
  EXPECT_EQ(found.complete, 0U);
  EXPECT_EQ(found.total, 40U);
  EXPECT_EQ(found.hits.at(0).missing_words, std::vector<std::string>{"regulr"});
}

}  // namespace
}  // namespace gossamer::index
