// Pages that lack some words of a query.
#include "index/partial_match.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "index/search_reader.h"
#include "index/search_writer.h"
#include "tests/support/temporary_folder.h"

namespace gossamer::index {
namespace {

class PartialMatchTest : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  // Adds pages "name0", "name1" and so on.
  void add(const std::string& name, int count, const std::string& text) {
    auto writer = SearchWriter::open(path());
    ASSERT_TRUE(writer.has_value());
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      const PageOrigin origin = {"https://a.example/" + name + number,
                                 {1'700'000'000 + next_++, 0},
                                 "text/html",
                                 {"a.warc.gz", ""},
                                 42};
      ASSERT_TRUE(*writer->add(
          origin, {.title = "Page", .language = "en", .main = text + " n" + name + number}));
    }
    ASSERT_TRUE(writer->commit());
  }

  SearchResults search(const std::string& text, SearchOptions options = {.limit = 100}) {
    auto reader = SearchReader::open(path());
    EXPECT_TRUE(reader.has_value());
    auto found = reader->search(*parse_query(text), options);
    EXPECT_TRUE(found.has_value()) << text << ": " << found.error().to_string();
    return found ? std::move(*found) : SearchResults();
  }
  static std::string name(const Hit& hit) { return hit.page.url.substr(18); }

  std::string path() const { return folder_.path() + "/search.db"; }

  tests::TemporaryFolder folder_;
  std::int64_t next_ = 0;
};

TEST_F(PartialMatchTest, ComesBelowPagesWithAllWords) {
  add("all", 2, "The error codes are in this list, among many other words of a long page");
  add("most", 3, "error codes");
  add("other", 40, "a list of stones");
  const SearchResults found = search("error codes list");
  EXPECT_EQ(found.complete, 2U);
  EXPECT_EQ(found.total, 5U);
  ASSERT_EQ(found.hits.size(), 5U);
  for (const Hit& hit : found.hits) {
    const bool is_complete = name(hit).starts_with("all");
    EXPECT_EQ(&hit - found.hits.data() < 2, is_complete) << name(hit);
    EXPECT_EQ(hit.missing_words, is_complete ? Words{} : Words{"list"}) << name(hit);
  }
}

TEST_F(PartialMatchTest, KeepsItsPlaceInEveryOrder) {
  add("most", 3, "error codes");
  add("all", 1, "the error codes in a list");
  add("more", 3, "codes of an error");
  add("other", 40, "a list of stones");
  for (const SearchSort sort : {SearchSort::newest, SearchSort::oldest, SearchSort::url}) {
    const SearchResults found = search("error codes list", {.sort = sort});
    EXPECT_EQ(found.total, 7U);
    ASSERT_EQ(found.hits.size(), 7U);
    EXPECT_EQ(name(found.hits[0]), "all0");
    EXPECT_EQ(found.hits[6].missing_words, Words{"list"});
    const std::string next = name(found.hits[1]);
    EXPECT_EQ(next, sort == SearchSort::newest   ? "more2"
                    : sort == SearchSort::oldest ? "most0"
                                                 : "more0");
  }
}

TEST_F(PartialMatchTest, IsLeftOutIfManyPagesHaveAllWords) {
  add("all", 10, "the error codes in a list");
  add("most", 3, "error codes");
  const SearchResults found = search("error codes list");
  EXPECT_EQ(found.total, 10U);
  EXPECT_EQ(found.complete, 10U);
}

TEST_F(PartialMatchTest, IsRankedByWordsThatAreTogether) {
  const std::string gap =
      "Much else is said in between, which takes more than a line of this text. ";
  add("apart", 8, "stone stone " + gap + gap + "amber amber");
  add("together", 1, gap + "An amber stone. " + gap + gap);
  add("other", 30, gap);
  const auto found = search("amber stone", {.explains = true}).hits;
  ASSERT_EQ(found.size(), 9U);
  EXPECT_EQ(name(found[0]), "together0");
  EXPECT_EQ(found[0].score_parts.back().name, "passage");
  EXPECT_EQ(found[0].score_parts.back().points, 1);
  EXPECT_GT(found[0].score, found[1].score);
  // Later results begin where the earlier ones end.
  Words whole;
  for (const Hit& hit : found) whole.push_back(name(hit));
  Words parts;
  for (std::size_t offset = 0; offset < 9; offset += 4) {
    for (const Hit& hit : search("amber stone", {.limit = 4, .offset = offset}).hits) {
      parts.push_back(name(hit));
    }
  }
  EXPECT_EQ(parts, whole);
}

TEST_F(PartialMatchTest, IsShownAmongOthersForASentence) {
  add("all", 12, "make many directories, remove them, and do other things with names of a list");
  add("best", 1, "temporary directories: remove a temporary directory automatically");
  add("also", 12, "make temporary directories, remove them automatically, and many other words");
  add("other", 300, "make something of stones");
  const SearchResults found = search("make temporary directories remove automatically");
  EXPECT_EQ(found.complete, 12U);
  EXPECT_EQ(found.total, 13U);
  EXPECT_EQ(name(found.hits.at(0)), "best0");
  EXPECT_EQ(found.hits[0].missing_words, Words{"make"});
}

TEST_F(PartialMatchTest, NeverLacksWhatTheQueryRequires) {
  add("most", 3, "error codes");
  add("other", 40, "a list of stones");
  EXPECT_EQ(search("error codes list").total, 3U);
  EXPECT_EQ(search("error codes \"list\"").total, 0U);
  EXPECT_EQ(search("error codes list*").total, 0U);
  EXPECT_EQ(search("error codes title:list").total, 0U);
  EXPECT_EQ(search("\"error codes list\"").total, 0U);
  EXPECT_EQ(search("error codes list -codes").total, 0U);
  EXPECT_EQ(search("error codes list site:b.example").total, 0U);
  EXPECT_EQ(search("error codes list", {.finds_partial = false}).total, 0U);
}

TEST_F(PartialMatchTest, IsCountedByFacets) {
  add("all", 1, "the error codes in a list");
  add("most", 3, "error codes");
  add("other", 40, "a list of stones");
  const SearchResults found = search("error codes list", {.has_facets = true});
  EXPECT_EQ(found.total, 4U);
  ASSERT_EQ(found.facets.sites.size(), 1U);
  EXPECT_EQ(found.facets.sites[0].pages, 4U);
  EXPECT_EQ(search("error codes list", {.folds_duplicates = false}).total, 4U);
  EXPECT_EQ(search("error codes list", {.limit = 2, .offset = 3}).hits.size(), 1U);
}

}  // namespace
}  // namespace gossamer::index
