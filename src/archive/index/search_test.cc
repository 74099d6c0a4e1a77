#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "index/checked_pages.h"
#include "index/search_reader.h"
#include "index/search_writer.h"
#include "store/sqlite.h"
#include "tests/support/temporary_folder.h"

namespace gossamer::index {
namespace {

class SearchTest : public testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/search.db"; }

  static WallTime day(int number) { return {1'700'000'000 + 86'400LL * number, 0}; }

  void add(SearchWriter& writer, const std::string& url, const std::string& title,
           const std::string& main, int day_number = 0, const std::string& language = "en") {
    PageText text = {.title = title, .language = language, .main = main};
    text.sketch = content::text_sketch(main);
    const PageOrigin origin = {url, day(day_number), "text/html", {"archive/a.warc.gz", ""}, 42};
    const auto added = writer.add(origin, text);
    ASSERT_TRUE(added.has_value()) << added.error().to_string();
  }

  SearchWriter writer() {
    auto writer = SearchWriter::open(path());
    EXPECT_TRUE(writer.has_value()) << writer.error().to_string();
    return std::move(*writer);
  }

  SearchResults search(const std::string& text, SearchOptions options = {}) {
    auto reader = SearchReader::open(path());
    EXPECT_TRUE(reader.has_value()) << reader.error().to_string();
    auto found = reader->search(*parse_query(text), options);
    EXPECT_TRUE(found.has_value()) << text << ": " << found.error().to_string();
    return found ? std::move(*found) : SearchResults();
  }
  std::vector<std::string> urls(const std::string& text, SearchOptions options = {}) {
    std::vector<std::string> list;
    for (const Hit& hit : search(text, options).hits) list.push_back(hit.page.url);
    return list;
  }
  using Urls = std::vector<std::string>;

  tests::TemporaryFolder folder_;
};

TEST_F(SearchTest, FindsAllFormsOfAWordButOnlyExactPhrases) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "One", "The dogs were running home");
    add(index, "https://a.example/2", "Two", "A dog runs to its house");
    add(index, "https://a.example/3", "Drei", "Die H\u00E4user der Stadt", 0, "de");
    ASSERT_TRUE(index.commit());
    ASSERT_TRUE(index.check().has_value());
  }
  EXPECT_EQ(urls("run").size(), 2U);
  EXPECT_EQ(urls("\"dog\""), Urls{"https://a.example/2"});
  EXPECT_EQ(urls("\"dogs were\""), Urls{"https://a.example/1"});
  EXPECT_EQ(urls("\"dog were\""), Urls{});
  EXPECT_EQ(urls("runn*"), Urls{"https://a.example/1"});
  EXPECT_EQ(urls("haus"), Urls{"https://a.example/3"});
  EXPECT_EQ(urls("H\u00C4USER"), Urls{"https://a.example/3"});
  EXPECT_EQ(urls("dog -running"), Urls{});
  EXPECT_EQ(urls("dog -home"), Urls{"https://a.example/2"});
  EXPECT_EQ(urls("-dog"), Urls{"https://a.example/3"});
  EXPECT_EQ(urls("title:two dog"), Urls{"https://a.example/2"});
  EXPECT_EQ(urls("title:dog"), Urls{});
}

TEST_F(SearchTest, FindsIdeographs) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "\u65E5\u672C",
        "\u3053\u308C\u306F\u81EA\u7136\u8A00\u8A9E\u51E6\u7406\u306E\u672C\u3067\u3059", 0, "ja");
    add(index, "https://a.example/2", "\u72AC", "\u5C0F\u72AC\u304C\u3044\u308B", 0, "ja");
    ASSERT_TRUE(index.commit());
    ASSERT_TRUE(index.check().has_value());
  }
  EXPECT_EQ(urls("\u81EA\u7136"), Urls{"https://a.example/1"});
  EXPECT_EQ(urls("\u8A00\u8A9E\u51E6\u7406"), Urls{"https://a.example/1"});
  EXPECT_EQ(urls("\u72AC"), Urls{"https://a.example/2"});
  EXPECT_EQ(urls("\u672C"), Urls{"https://a.example/1"});
  EXPECT_EQ(urls("\u8A00\u81EA"), Urls{});
}

TEST_F(SearchTest, FiltersBySiteTypeLanguageAndDate) {
  {
    SearchWriter index = writer();
    add(index, "https://example.com/", "One", "amber stones", 0);
    add(index, "https://www.example.com/x", "Two", "amber rings and more", 10);
    add(index, "https://badexample.com/", "Three", "amber glass and so on", 20, "de");
    ASSERT_TRUE(index.commit());
  }
  EXPECT_EQ(urls("amber site:example.com").size(), 2U);
  EXPECT_EQ(urls("amber site:www.example.com"), Urls{"https://www.example.com/x"});
  EXPECT_EQ(urls("amber -site:example.com"), Urls{"https://badexample.com/"});
  EXPECT_EQ(urls("amber lang:de"), Urls{"https://badexample.com/"});
  EXPECT_EQ(urls("amber type:html").size(), 3U);
  EXPECT_EQ(urls("amber type:pdf"), Urls{});
  EXPECT_EQ(urls("amber after:2023-12-01"), Urls{"https://badexample.com/"});
  EXPECT_EQ(urls("amber before:2023-11-20"), Urls{"https://example.com/"});
  EXPECT_EQ(urls("url:x"), Urls{"https://www.example.com/x"});
  EXPECT_EQ(urls("", {.sort = SearchSort::newest}).front(), "https://badexample.com/");
  EXPECT_EQ(urls("", {.limit = 1, .offset = 1, .sort = SearchSort::url}),
            Urls{"https://example.com/"});
}

TEST_F(SearchTest, FoldsCapturesAndDuplicates) {
  const std::string text =
      "A long enough text about amber stones that has more than ten words in it, twice.";
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "One", text, 0);
    add(index, "https://a.example/1", "One", text, 400);            // unchanged
    add(index, "https://a.example/1", "One", text + " New.", 800);  // changed
    add(index, "https://a.example/copy", "One", text, 0);
    ASSERT_TRUE(index.commit());
    ASSERT_TRUE(index.check().has_value());
  }
  const SearchResults folded = search("amber");
  ASSERT_EQ(folded.hits.size(), 1U);
  EXPECT_EQ(folded.hits[0].duplicates.size(), 3U);
  EXPECT_EQ(search("amber", {.folds_duplicates = false}).hits.size(), 4U);
  // The second capture has no text of its own, but it has a date.
  EXPECT_EQ(search("amber after:2024-06 before:2025").hits.size(), 1U);
  auto reader = SearchReader::open(path());
  EXPECT_EQ(reader->captures("https://a.example/1")->size(), 3U);
  EXPECT_EQ(reader->summary()->pages, 4U);
}

TEST_F(SearchTest, CountsFacets) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "One", "amber first", 0);
    add(index, "https://a.example/2", "Two", "amber second page", 0);
    add(index, "https://b.example/1", "Three", "amber third one here", 400, "de");
    ASSERT_TRUE(index.commit());
  }
  const Facets facets = search("amber", {.has_facets = true}).facets;
  ASSERT_EQ(facets.sites.size(), 2U);
  EXPECT_EQ(facets.sites[0].value, "a.example");
  EXPECT_EQ(facets.sites[0].pages, 2U);
  ASSERT_EQ(facets.years.size(), 2U);
  EXPECT_EQ(facets.years[0].value, "2024");
  ASSERT_EQ(facets.types.size(), 1U);
  EXPECT_EQ(facets.types[0].pages, 3U);
  ASSERT_EQ(facets.languages.size(), 2U);
  EXPECT_EQ(facets.languages[0].value, "en");
  EXPECT_EQ(facets.languages[0].pages, 2U);
}

TEST_F(SearchTest, PutsThePageWithTheTitleFirst) {
  {
    SearchWriter index = writer();
    for (int i = 0; i < 50; ++i) {
      add(index, "https://a.example/" + std::to_string(i), "Chapter " + std::to_string(i),
          "The amber road, amber road, amber road number " + std::to_string(i * 7919));
    }
    add(index, "https://a.example/road", "The amber road", "A page about trade in the past.");
    ASSERT_TRUE(index.commit());
  }
  const SearchResults found = search("amber road", {.explains = true});
  EXPECT_EQ(found.hits.at(0).page.url, "https://a.example/road");
  EXPECT_FALSE(found.hits.at(0).score_parts.empty());
}

TEST_F(SearchTest, StoresACaptureOnce) {
  SearchWriter index = writer();
  const PageOrigin origin = {"https://a.example/", day(0), "text/html", {"a.warc", ""}, 0};
  EXPECT_TRUE(*index.add(origin, {.title = "A", .main = "text"}));
  EXPECT_FALSE(*index.add(origin, {.title = "A", .main = "text"}));
  EXPECT_TRUE(*index.has(origin.url, origin.captured));
  PageOrigin later = origin;
  later.captured = day(1);
  EXPECT_TRUE(*index.add_revisit(later, origin.url, origin.captured));
  EXPECT_FALSE(*index.add_revisit(later, origin.url, origin.captured));
  later.captured = day(2);
  EXPECT_FALSE(*index.add_revisit(later, origin.url, day(9)));
}

TEST_F(SearchTest, RemembersPositionsOnlyWithTheirPages) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "One", "amber");
    ASSERT_TRUE(index.set_position({"a.warc", ""}, {.offset = 100, .fingerprint = 7}));
    ASSERT_TRUE(index.commit());
    add(index, "https://a.example/2", "Two", "amber");
    ASSERT_TRUE(index.set_position({"a.warc", ""}, {.offset = 200, .fingerprint = 7}));
  }
  SearchWriter index = writer();
  EXPECT_EQ(index.position({"a.warc", ""})->offset, 100U);
  EXPECT_EQ(urls("amber").size(), 1U);
}

TEST_F(SearchTest, ReadsWhileAnotherConnectionWrites) {
  SearchWriter index = writer();
  add(index, "https://a.example/1", "One", "amber first");
  ASSERT_TRUE(index.commit());
  auto reader = SearchReader::open(path());
  add(index, "https://a.example/2", "Two", "amber second");
  EXPECT_EQ(reader->search(*parse_query("amber"))->total, 1U);
  ASSERT_TRUE(index.commit());
  EXPECT_EQ(reader->search(*parse_query("amber"))->total, 2U);
}

TEST_F(SearchTest, ReplacesADamagedOrForeignIndex) {
  {
    std::ofstream(path()) << "this is not a database, but it has the name of an index";
  }
  EXPECT_EQ(SearchReader::open(path()).error(), Errc::malformed);
  {
    SearchWriter index = writer();
    EXPECT_TRUE(index.was_rebuilt());
  }
  const std::string other = folder_.path() + "/notes.db";
  {
    std::ofstream(other) << "notes of the user that must not be removed, whatever happens";
  }
  EXPECT_EQ(SearchWriter::open(other).error(), Errc::exists);
  EXPECT_EQ(SearchReader::open(folder_.path() + "/none.db").error(), Errc::not_found);
}

void run_sql(const std::string& path, const std::string& sql) {
  auto database = open_checked(path, store::Database::Access::write);
  ASSERT_TRUE(database.has_value());
  ASSERT_TRUE(database->execute(sql).has_value());
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(SearchTest, NeverChangesTheDatabaseOfAnotherProgram) {
  for (const std::string name : {"/search.db", "/other.db"}) {
    const std::string other = folder_.path() + name;
    run_sql(other, "CREATE TABLE mine(x); INSERT INTO mine VALUES(1)");
    const std::string before = bytes_of(other);
    EXPECT_EQ(SearchWriter::open(other).error(), Errc::exists);
    EXPECT_EQ(SearchWriter::create(other).error(), Errc::exists);
    EXPECT_EQ(bytes_of(other), before);
  }
}

TEST_F(SearchTest, HasItsIdBeforeItsFirstPage) {
  SearchWriter index = writer();  // open: nothing has moved from the log into the file
  EXPECT_EQ(bytes_of(path()).substr(68, 4), "GOSS");
}

TEST_F(SearchTest, SeparatesTheMainTextFromTheRest) {
  {
    SearchWriter index = writer();
    const PageOrigin origin = {"https://a.example/", day(0), "text/html", {"a.warc", ""}, 0};
    ASSERT_TRUE(
        index.add(origin, {.title = "A", .main = "two amber stones", .rest = "Home\nContact"}));
    PageOrigin later = origin;
    later.captured = day(1);
    EXPECT_TRUE(*index.add_revisit(later, origin.url, origin.captured));
    ASSERT_TRUE(index.commit());
    ASSERT_TRUE(index.check().has_value());
  }
  const SearchResults found = search("stones");
  ASSERT_EQ(found.hits.size(), 1U);
  EXPECT_EQ(found.hits[0].snippet.text, "two amber stones Home Contact");
  EXPECT_EQ(found.hits[0].snippet.marks, (std::vector<Mark>{{10, 16}}));
  EXPECT_EQ(found.hits[0].duplicates.size(), 1U);  // the revisit has no text of its own
  EXPECT_EQ(search("home").hits.at(0).snippet.marks.size(), 1U);
}

TEST_F(SearchTest, IndexesANewTitleOfTheSameText) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/", "Release one", "Please enable scripts", 0);
    add(index, "https://a.example/", "Release two", "Please enable scripts", 1);
    add(index, "https://b.example/", "Another shop", "Please enable scripts", 1);
    ASSERT_TRUE(index.commit());
  }
  EXPECT_EQ(urls("title:two").size(), 1U);
  EXPECT_EQ(urls("enable").size(), 2U);  // short texts do not make pages the same
}

TEST_F(SearchTest, LimitsTimesOfADamagedIndex) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "One", "amber");
    ASSERT_TRUE(index.commit());
  }
  run_sql(path(), "UPDATE page SET captured = 9223372036854775807");
  EXPECT_EQ(base::to_rfc3339(search("amber").hits.at(0).page.captured), "9999-12-31T23:59:59Z");
  run_sql(path(), "UPDATE page SET captured = -9223372036854775807");
  EXPECT_EQ(base::to_rfc3339(search("amber").hits.at(0).page.captured), "0000-01-01T00:00:00Z");
}

TEST_F(SearchTest, FindsTheSameTextByAnIndex) {
  SearchWriter index = writer();
  auto database = open_checked(path(), store::Database::Access::read);
  auto plan = database->prepare(
      "EXPLAIN QUERY PLAN SELECT id FROM page WHERE +url = ? AND digest = ? AND same_as IS NULL");
  ASSERT_TRUE(*plan->text("").number(0).step());
  EXPECT_TRUE(plan->text_at(3).contains("page_text_of")) << plan->text_at(3);
}

TEST_F(SearchTest, ShowsPagesBehindManyCapturesOfOne) {
  {
    SearchWriter index = writer();
    for (int i = 0; i < 250; ++i) {
      add(index, "https://a.example/status", "Status", "status " + std::to_string(i), i);
    }
    add(index, "https://a.example/other", "Other", "a status in a text with more words", 0);
    ASSERT_TRUE(index.commit());
  }
  EXPECT_EQ(urls("status").size(), 2U);
  EXPECT_EQ(urls("status", {.offset = 1}), Urls{"https://a.example/other"});
  EXPECT_EQ(urls("status", {.sort = SearchSort::newest}).size(), 2U);
}

TEST_F(SearchTest, ShowsTheCaptureInTheRangeOfDates) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "One", "amber", 0);
    add(index, "https://a.example/1", "One", "amber", 400);
    ASSERT_TRUE(index.commit());
  }
  const SearchResults found = search("amber after:2024-06");
  ASSERT_EQ(found.hits.size(), 1U);
  EXPECT_EQ(found.hits[0].page.captured, day(400));
  ASSERT_EQ(found.hits[0].duplicates.size(), 1U);
  EXPECT_EQ(found.hits[0].duplicates[0].captured, day(0));
}

TEST_F(SearchTest, SortsAndCountsByTheNewestCapture) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "One", "amber", 0);
    add(index, "https://a.example/2", "Two", "amber ring", 300);
    add(index, "https://a.example/1", "One", "amber", 800);  // unchanged
    add(index, "https://a.example/1", "One", "amber", 100);  // unchanged, read later
    ASSERT_TRUE(index.commit());
  }
  const Urls newest = {"https://a.example/1", "https://a.example/2"};
  EXPECT_EQ(urls("amber", {.sort = SearchSort::newest}), newest);
  EXPECT_EQ(urls(""), newest);
  const SearchResults found = search("amber", {.sort = SearchSort::newest, .has_facets = true});
  EXPECT_EQ(found.hits[0].page.captured, day(800));
  EXPECT_EQ(found.hits[0].duplicates.size(), 2U);
  ASSERT_EQ(found.facets.years.size(), 2U);
  EXPECT_EQ(found.facets.years[0].value, "2026");
  EXPECT_EQ(found.facets.years[1].value, "2024");
  // Only captures before the date count.
  const Urls older = {"https://a.example/2", "https://a.example/1"};
  const SearchResults before =
      search("amber before:2025", {.sort = SearchSort::newest, .has_facets = true});
  ASSERT_EQ(before.hits.size(), 2U);
  EXPECT_EQ(before.hits[0].page.url, older[0]);
  EXPECT_EQ(before.hits[1].page.captured, day(100));
  EXPECT_EQ(before.facets.years[0].value, "2024");
  EXPECT_EQ(urls("amber", {.sort = SearchSort::oldest}), newest);
}

TEST_F(SearchTest, ComparesPortsAsAWhole) {
  {
    SearchWriter index = writer();
    add(index, "http://localhost:8080/", "One", "amber", 0);
    add(index, "https://example.com/", "Two", "quartz", 0);
    ASSERT_TRUE(index.commit());
  }
  EXPECT_EQ(urls("site:localhost:808"), Urls{});
  EXPECT_EQ(urls("site:localhost:8080").size(), 1U);
  EXPECT_EQ(urls("site:localhost").size(), 1U);
  EXPECT_EQ(urls("site:example.com:443").size(), 1U);
}

TEST_F(SearchTest, TellsTheArchivesOfAnOutdatedIndex) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "One", "amber");
    ASSERT_TRUE(index.commit());
    EXPECT_TRUE(index.former_archives().paths.empty());
  }
  run_sql(path(), "PRAGMA user_version = 1");
  SearchWriter index = writer();
  EXPECT_TRUE(index.was_rebuilt());
  EXPECT_EQ(index.former_archives().paths, Urls{folder_.path() + "/archive/a.warc.gz"});
}

TEST_F(SearchTest, ReadsNoArchivesOutsideOfTheFolderOfAReplacedIndex) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "One", "amber");
    ASSERT_TRUE(index.commit());
  }
  std::filesystem::create_symlink("/etc", folder_.path() + "/link");
  run_sql(path(),
          "INSERT INTO source(path, member) VALUES('/etc/passwd', ''), ('../b.warc', ''),"
          " ('link/passwd', ''); PRAGMA user_version = 1");
  SearchWriter index = writer();
  EXPECT_EQ(index.former_archives().paths, Urls{folder_.path() + "/archive/a.warc.gz"});
  EXPECT_EQ(index.former_archives().elsewhere, 3U);
}

TEST_F(SearchTest, SearchesTheOldIndexUntilTheNewOneIsComplete) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "One", "amber");
    ASSERT_TRUE(index.commit());
  }
  auto reader = SearchReader::open(path());
  auto created = SearchWriter::create(path());
  ASSERT_TRUE(created.has_value()) << created.error().to_string();
  add(*created, "https://a.example/2", "Two", "quartz");
  ASSERT_TRUE(created->commit());
  EXPECT_EQ(urls("amber").size(), 1U);
  EXPECT_EQ(urls("quartz").size(), 0U);
  ASSERT_TRUE(created->publish());
  EXPECT_EQ(urls("amber").size(), 0U);
  EXPECT_EQ(urls("quartz").size(), 1U);
  EXPECT_EQ(reader->search(*parse_query("amber"))->total, 1U);  // of its own file
  add(*created, "https://a.example/3", "Three", "quartz stones");
  ASSERT_TRUE(created->commit());
  EXPECT_EQ(urls("quartz").size(), 2U);
}

TEST_F(SearchTest, KeepsTheOldIndexIfTheNewOneIsNotCompleted) {
  {
    SearchWriter index = writer();
    add(index, "https://a.example/1", "One", "amber");
    ASSERT_TRUE(index.commit());
  }
  {
    auto created = SearchWriter::create(path());
    ASSERT_TRUE(created.has_value());
    add(*created, "https://a.example/2", "Two", "quartz");
    ASSERT_TRUE(created->commit());
  }
  EXPECT_EQ(urls("amber").size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(path() + ".new"));
  std::ofstream(path() + ".new") << "left by a process that was killed";
  SearchWriter index = writer();
  EXPECT_FALSE(std::filesystem::exists(path() + ".new"));
}

TEST_F(SearchTest, ReplacesNoIndexThatAnotherWriterHas) {
  SearchWriter index = writer();
  add(index, "https://a.example/1", "One", "amber");
  const auto created = SearchWriter::create(path());
  ASSERT_FALSE(created.has_value());
  EXPECT_EQ(created.error(), Errc::unavailable);
  ASSERT_TRUE(index.commit());
  EXPECT_EQ(urls("amber").size(), 1U);
  SearchWriter other = writer();  // two may add pages
  add(other, "https://a.example/2", "Two", "amber");
  ASSERT_TRUE(other.commit());
  EXPECT_EQ(urls("amber").size(), 2U);
}

TEST_F(SearchTest, AddsNothingToAnIndexThatIsBeingReplaced) {
  auto created = SearchWriter::create(path());
  ASSERT_TRUE(created.has_value());
  EXPECT_EQ(SearchWriter::open(path()).error(), Errc::unavailable);
  ASSERT_TRUE(created->publish());
  EXPECT_TRUE(SearchWriter::open(path()).has_value());
}

TEST_F(SearchTest, EndsAfterItsTime) {
  {
    SearchWriter index = writer();
    for (int i = 0; i < 3000; ++i) {
      add(index, "https://a.example/" + std::to_string(i), "T" + std::to_string(i),
          "amber word" + std::to_string(i));
    }
    ASSERT_TRUE(index.commit());
  }
  auto reader = SearchReader::open(path());
  const auto found = reader->search(*parse_query("amber"), {.time_max = 1ns});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error(), Errc::timed_out);
  EXPECT_TRUE(reader->search(*parse_query("amber"), {.time_max = 60s}).has_value());
}

}  // namespace
}  // namespace gossamer::index
