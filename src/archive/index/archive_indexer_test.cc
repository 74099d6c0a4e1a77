#include "index/archive_indexer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "async/monotonic.h"
#include "base/bytes.h"
#include "index/checked_pages.h"
#include "index/live_index.h"
#include "index/search_reader.h"
#include "store/sqlite.h"
#include "tests/support/temporary_folder.h"
#include "warc/record.h"

namespace gossamer::index {
namespace {

std::string record(const std::string& fields, const std::string& block) {
  return "WARC/1.1\r\nWARC-Record-ID: <urn:uuid:0>\r\n" + fields +
         "Content-Type: application/http\r\nContent-Length: " + std::to_string(block.size()) +
         "\r\n\r\n" + block + "\r\n\r\n";
}

std::string page_of(int number) {
  return "<title>Page " + std::to_string(number) + "</title><p>amber word" + std::to_string(number);
}

std::string response(int number, const std::string& status = "200 OK",
                     const std::string& type = "text/html") {
  return record("WARC-Type: response\r\nWARC-Target-URI: http://a.example/" +
                    std::to_string(number) + "\r\nWARC-Date: 2026-01-01T00:00:00.5Z\r\n",
                "HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\n\r\n" + page_of(number));
}

std::string revisit(int number, int day, int original) {
  return record("WARC-Type: revisit\r\nWARC-Target-URI: http://a.example/" +
                    std::to_string(number) + "\r\nWARC-Date: 2026-01-0" + std::to_string(day) +
                    "T00:00:00Z\r\nWARC-Refers-To-Target-URI: http://a.example/" +
                    std::to_string(original) +
                    "\r\nWARC-Refers-To-Date: 2026-01-01T00:00:00.500Z\r\n",
                "HTTP/1.1 304 Not Modified\r\n\r\n");
}

class ArchiveIndexerTest : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string index_path() const { return file("search.db"); }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(file(name), std::ios::binary) << content;
  }

  IndexCounts index(const std::vector<std::string>& names) const {
    auto writer = SearchWriter::open(index_path());
    EXPECT_TRUE(writer.has_value()) << writer.error().to_string();
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(file(name));
    auto counts = index_archives(*writer, paths);
    EXPECT_TRUE(counts.has_value()) << counts.error().to_string();
    EXPECT_TRUE(writer->check().has_value());
    return counts ? *counts : IndexCounts();
  }
  std::uint64_t found(const std::string& query) const {
    auto reader = SearchReader::open(index_path());
    auto results = reader->search(*parse_query(query), {.folds_duplicates = false});
    EXPECT_TRUE(results.has_value()) << results.error().to_string();
    return results ? results->total : 0;
  }

  tests::TemporaryFolder folder_;
};

TEST_F(ArchiveIndexerTest, AddsSuccessfulPagesOnce) {
  write("a.warc", response(1) + response(2, "404 Not Found") + response(3, "200 OK", "image/png") +
                      response(4));
  EXPECT_EQ(index({"a.warc"}).added, 2U);
  EXPECT_EQ(index({"a.warc"}).added, 0U);
  EXPECT_EQ(found("amber"), 2U);
  EXPECT_EQ(found("word4"), 1U);
  write("copy.warc", response(1) + response(5));
  const IndexCounts counts = index({"copy.warc"});
  EXPECT_EQ(counts.added, 1U);
  EXPECT_EQ(counts.known, 1U);
}

TEST_F(ArchiveIndexerTest, SaysWhereAPageIs) {
  write("a.warc", response(1) + response(2));
  index({"a.warc"});
  auto reader = SearchReader::open(index_path());
  const auto captures = reader->captures("http://a.example/2");
  ASSERT_EQ(captures->size(), 1U);
  EXPECT_EQ(captures->front().archive, "a.warc");
  EXPECT_EQ(captures->front().offset, response(1).size());
  EXPECT_EQ(base::to_rfc3339(captures->front().captured, base::SecondDigits::milli),
            "2026-01-01T00:00:00.500Z");
}

TEST_F(ArchiveIndexerTest, ContinuesWhereTheFileEnded) {
  write("a.warc", response(1));
  EXPECT_EQ(index({"a.warc"}).added, 1U);
  write("a.warc", response(1) + response(2));
  const IndexCounts counts = index({"a.warc"});
  EXPECT_EQ(counts.added, 1U);
  EXPECT_EQ(counts.known, 0U);  // the first record was not read again
  auto reader = SearchReader::open(index_path());
  EXPECT_EQ(reader->captures("http://a.example/2")->at(0).offset, response(1).size());
}

TEST_F(ArchiveIndexerTest, ReadsAShorterFileFromItsBegin) {
  write("a.warc", response(1) + response(2));
  index({"a.warc"});
  write("a.warc", response(3));
  const IndexCounts counts = index({"a.warc"});
  EXPECT_EQ(counts.added, 1U);
  EXPECT_EQ(counts.faults, 0U);
}

TEST_F(ArchiveIndexerTest, IgnoresTheIncompleteEndOfAGrowingFile) {
  const std::string second = response(2);
  write("a.warc.open", response(1) + second.substr(0, second.size() / 2));
  IndexCounts counts = index({"a.warc.open"});
  EXPECT_EQ(counts.added, 1U);
  EXPECT_EQ(counts.faults, 0U);
  write("a.warc", response(1) + second);
  counts = index({"a.warc"});
  EXPECT_EQ(counts.added, 1U);
  EXPECT_EQ(counts.known, 0U);  // the first record was not read again
  EXPECT_EQ(found("amber"), 2U);
}

TEST_F(ArchiveIndexerTest, FindsTheOriginalsOfRevisitsInAnyOrder) {
  write("a.warc", revisit(2, 5, 1) + revisit(9, 5, 8));
  write("b.warc", response(1) + revisit(1, 3, 1));
  const IndexCounts counts = index({"a.warc", "b.warc"});
  EXPECT_EQ(counts.added, 3U);
  EXPECT_EQ(counts.unresolved, 1U);
  EXPECT_EQ(found("word1"), 3U);
  EXPECT_EQ(found("word1 after:2026-01-04"), 1U);
}

TEST_F(ArchiveIndexerTest, FindsTheOriginalOfARevisitInALaterRun) {
  write("b.warc", response(5) + revisit(2, 5, 1) + response(6));
  EXPECT_EQ(index({"b.warc"}).unresolved, 1U);
  write("a.warc", response(1));
  const IndexCounts counts = index({"a.warc", "b.warc"});
  EXPECT_EQ(counts.added, 2U);
  EXPECT_EQ(counts.known, 1U);  // b was read from the revisit on
  EXPECT_EQ(counts.unresolved, 0U);
  EXPECT_EQ(found("word1"), 2U);
  EXPECT_EQ(index({"a.warc", "b.warc"}).known, 0U);
}

TEST_F(ArchiveIndexerTest, IgnoresRevisitsOfImages) {
  const std::string image = record(
      "WARC-Type: revisit\r\nWARC-Target-URI: http://a.example/i.png\r\n"
      "WARC-Date: 2026-01-02T00:00:00Z\r\n"
      "WARC-Refers-To-Target-URI: http://a.example/j.png\r\n"
      "WARC-Refers-To-Date: 2026-01-01T00:00:00Z\r\n",
      "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n");
  write("a.warc", image + response(1));
  EXPECT_EQ(index({"a.warc"}).unresolved, 0U);
  EXPECT_EQ(index({"a.warc"}).known, 0U);
}

TEST_F(ArchiveIndexerTest, IgnoresUnchangedImages) {
  write("a.warc", revisit(1, 5, 1));
  write("b.warc", response(1, "200 OK", "image/png") + response(2));
  IndexCounts counts = index({"a.warc", "b.warc"});
  EXPECT_EQ(counts.added, 1U);
  EXPECT_EQ(counts.unresolved, 0U);
  write("c.warc", revisit(1, 6, 1) + revisit(9, 6, 8));
  EXPECT_EQ(index({"c.warc"}).unresolved, 1U);  // 8 is in no archive
}

TEST_F(ArchiveIndexerTest, FindsAPageWithTheUrlAndTimeOfARedirect) {
  write("a.warc", response(1, "302 Found") + response(1) + revisit(1, 5, 1));
  const IndexCounts counts = index({"a.warc"});
  EXPECT_EQ(counts.added, 2U);
  EXPECT_EQ(counts.unresolved, 0U);
  EXPECT_EQ(found("word1"), 2U);
}

TEST_F(ArchiveIndexerTest, FindsAPageInALaterArchiveThanItsRedirect) {
  write("a.warc", response(1, "503 Service Unavailable"));
  EXPECT_EQ(index({"a.warc"}).added, 0U);
  write("b.warc", response(1));
  EXPECT_EQ(index({"b.warc"}).added, 1U);
}

TEST_F(ArchiveIndexerTest, ReadsAnotherFileOfTheSameNameFromItsBegin) {
  write("a.warc", response(1) + response(2));
  index({"a.warc"});
  write("a.warc", response(3) + response(4));  // has the same size
  EXPECT_EQ(index({"a.warc"}).added, 2U);
  write("a.warc", response(5) + response(6) + response(7));
  const IndexCounts counts = index({"a.warc"});
  EXPECT_EQ(counts.added, 3U);
  EXPECT_EQ(counts.faults, 0U);
}

TEST_F(ArchiveIndexerTest, FailsIfTheIndexIsDamaged) {
  write("a.warc", response(1));
  auto writer = SearchWriter::open(index_path());
  {
    auto other = open_checked(index_path(), store::Database::Access::write);
    ASSERT_TRUE(other->execute("DROP TABLE source").has_value());
  }
  const auto counts = index_archives(*writer, {file("a.warc")});
  EXPECT_FALSE(counts.has_value());
}

TEST_F(ArchiveIndexerTest, KeepsTheArchivesOfAnOutdatedIndex) {
  write("a.warc", response(1));
  write("b.warc.open", response(2));
  index({"a.warc", "b.warc.open"});
  {
    auto other = open_checked(index_path(), store::Database::Access::write);
    ASSERT_TRUE(other->execute("PRAGMA user_version = 1").has_value());
  }
  write("c.warc", response(3));
  auto writer = SearchWriter::open(index_path());
  std::vector<std::string> paths = {file("c.warc"), file("a.warc")};
  add_former_archives(*writer, paths);
  EXPECT_EQ(paths, (std::vector<std::string>{file("c.warc"), file("a.warc"), file("b.warc.open")}));
}

TEST_F(ArchiveIndexerTest, RemovesNoFilesOfTheUser) {
  const std::string index = file("notes");
  write("notes.new", "my notes");
  EXPECT_EQ(SearchWriter::open(index).error(), Errc::exists);
  EXPECT_EQ(SearchWriter::create(index).error(), Errc::exists);
  EXPECT_TRUE(std::filesystem::exists(file("notes.new")));
  EXPECT_FALSE(std::filesystem::exists(index));
  write("search.db.new", "half of an index");
  EXPECT_TRUE(SearchWriter::open(index_path()));
  EXPECT_FALSE(std::filesystem::exists(file("search.db.new")));
}

TEST_F(ArchiveIndexerTest, CommitsAfterASecondOfReading) {
  auto writer = SearchWriter::open(index_path());
  const PageOrigin origin = {"http://a.example/", {}, "text/html", {"a.warc", ""}, 0};
  ASSERT_TRUE(writer->add(origin, {.title = "A", .main = "amber"}));
  EXPECT_FALSE(writer->is_batch_full());
  const Instant begun = async::monotonic_now();
  while (!writer->is_batch_full()) ASSERT_LT(async::monotonic_now() - begun, 60s);
  ASSERT_TRUE(writer->commit());
  EXPECT_FALSE(writer->has_batch());
}

TEST_F(ArchiveIndexerTest, SkipsDamagedPlacesAndUnreadableFiles) {
  write("a.warc", response(1) + "garbage that is not a record\r\n\r\n" + response(2));
  const IndexCounts counts = index({"a.warc", "missing.warc"});
  EXPECT_EQ(counts.added, 2U);
  EXPECT_GE(counts.faults, 2U);
  EXPECT_EQ(counts.unreadable, 1U);
}

TEST_F(ArchiveIndexerTest, FindsTheArchivesOfAFolder) {
  std::filesystem::create_directory(file("archive"));
  write("archive/b.warc.gz", "");
  write("archive/c.warc.gz.open", "");
  write("a.wacz", "");
  write("notes.txt", "");
  const auto found = find_archives(folder_.path());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(*found, (std::vector<std::string>{file("archive/b.warc.gz"),
                                              file("archive/c.warc.gz.open"), file("a.wacz")}));
  EXPECT_EQ(archive_name(index_path(), found->at(1)).path, "archive/c.warc.gz");
  EXPECT_EQ(find_archives(file("archive/b.warc.gz"))->size(), 1U);
  EXPECT_EQ(find_archives(file("missing.warc")).error(), Errc::not_found);
  std::filesystem::create_directory(file("empty"));
  EXPECT_EQ(find_archives(file("empty")).error(), Errc::not_found);
}

// The folder may come from another person, who puts a link there later.
TEST_F(ArchiveIndexerTest, FollowsNoLinkInAFolder) {
  namespace fs = std::filesystem;
  fs::create_directory(file("victim"));
  fs::create_directory(file("job"));
  fs::create_directory(file("job/archive"));
  write("victim/a.warc", response(1));
  write("job/archive/a.warc", response(2));
  const auto listed = find_archives(file("job"));
  ASSERT_TRUE(listed.has_value());
  auto writer = SearchWriter::open(index_path());
  fs::remove(file("job/archive/a.warc"));
  fs::create_symlink(file("victim/a.warc"), file("job/archive/a.warc"));
  EXPECT_EQ(index_archives(*writer, *listed)->unreadable, 1U);
  fs::remove_all(file("job/archive"));
  fs::create_directory_symlink(file("victim"), file("job/archive"));
  EXPECT_EQ(index_archives(*writer, *listed)->unreadable, 1U);
  EXPECT_EQ(archive_begin(listed->at(0)), "");
  // A link that the user names is one.
  fs::create_symlink(file("victim/a.warc"), file("named.warc"));
  fs::create_directory_symlink(file("victim"), file("named"));
  for (const char* const name : {"named.warc", "named"}) {
    const auto named = find_archives(file(name));
    ASSERT_TRUE(named.has_value());
    EXPECT_EQ(index_archives(*writer, *named)->unreadable, 0U) << name;
  }
  EXPECT_EQ(found("amber"), 1U);
}

LivePage live_page(int number, const std::string& path) {
  return {.url = "http://a.example/" + std::to_string(number),
          .captured = *warc::parse_record_date("2026-01-01T00:00:00.5Z"),
          .archive = path,
          .offset = 0,
          .head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
          .payload = page_of(number)};
}

TEST_F(ArchiveIndexerTest, IndexesPagesWhileTheyArrive) {
  write("a.warc", response(1) + response(2));
  LiveIndex live(index_path());
  live.offer(live_page(1, file("a.warc")));
  live.offer(live_page(2, file("a.warc")));
  const auto counts = live.finish({.of_this_run = {file("a.warc")}, .earlier = {}});
  ASSERT_TRUE(counts.has_value()) << counts.error().to_string();
  EXPECT_EQ(counts->added, 2U);
  EXPECT_EQ(counts->known, 0U);  // the archive was not read
  EXPECT_EQ(found("amber"), 2U);
}

TEST_F(ArchiveIndexerTest, RemembersImagesOfARunningCrawl) {
  write("a.warc", response(1) + response(2, "200 OK", "image/png"));
  {
    LiveIndex live(index_path());
    live.offer(live_page(1, file("a.warc")));
    LivePage image = live_page(2, file("a.warc"));
    image.head.clear();
    image.payload.clear();
    live.offer(std::move(image));
    ASSERT_TRUE(live.finish({.of_this_run = {file("a.warc")}, .earlier = {}}).has_value());
  }
  write("b.warc", revisit(2, 5, 2));
  EXPECT_EQ(index({"b.warc"}).unresolved, 0U);
}

TEST_F(ArchiveIndexerTest, FindsLeftOutPagesInTheArchive) {
  write("a.warc", response(1) + response(2) + response(3));
  LiveIndex live(index_path());
  live.offer(live_page(2, file("a.warc")));
  LivePage huge = live_page(1, file("a.warc"));
  huge.payload.resize(LiveIndex::kQueueBytes + 1);
  live.offer(std::move(huge));
  const auto counts = live.finish({.of_this_run = {file("a.warc")}, .earlier = {}});
  ASSERT_TRUE(counts.has_value()) << counts.error().to_string();
  EXPECT_EQ(counts->added, 3U);
  EXPECT_EQ(found("amber"), 3U);
}

TEST_F(ArchiveIndexerTest, ReplacesADamagedIndexWhileACrawlRuns) {
  write("a.warc", response(1));
  write("search.db", "this is not a database");
  LiveIndex live(index_path());
  live.offer(live_page(1, file("a.warc")));
  ASSERT_TRUE(live.finish({.of_this_run = {file("a.warc")}, .earlier = {}}).has_value());
  EXPECT_EQ(found("amber"), 1U);
}

TEST_F(ArchiveIndexerTest, ACrawlThatBeginsDuringARebuildIsIndexed) {
  write("a.warc", response(1));
  index({"a.warc"});
  auto rebuilding = SearchWriter::create(index_path());
  ASSERT_TRUE(rebuilding.has_value());
  write("b.warc", response(2));
  LiveIndex live(index_path());
  live.offer(live_page(2, file("b.warc")));
  EXPECT_FALSE(SearchWriter::open(index_path()).has_value()) << "it does not wait for anything";
  ASSERT_TRUE(index_archives(*rebuilding, {file("a.warc")}).has_value());
  ASSERT_TRUE(rebuilding->publish().has_value());
  const auto counts = live.finish({.of_this_run = {file("b.warc")}, .earlier = {}});
  ASSERT_TRUE(counts.has_value()) << counts.error().to_string();
  EXPECT_EQ(found("amber"), 2U);
}

TEST_F(ArchiveIndexerTest, KeepsTheOldIndexIfTheNewOneCannotTakeItsName) {
  write("a.warc", response(1));
  index({"a.warc"});
  // A reader keeps the journal of the old index alive.
  auto reader = SearchReader::open(index_path());
  ASSERT_TRUE(reader.has_value());
  {
    auto rebuilding = SearchWriter::create(index_path());
    ASSERT_TRUE(rebuilding.has_value());
    ASSERT_TRUE(rebuilding->commit().has_value());
    std::filesystem::remove(file("search.db.new"));
    EXPECT_FALSE(rebuilding->publish().has_value());
  }
  EXPECT_EQ(found("amber"), 1U);
  EXPECT_TRUE(SearchWriter::open(index_path())->check().has_value());
}

TEST_F(ArchiveIndexerTest, AReaderMakesNoJournalOfAnIndexThatIsBeingReplaced) {
  write("a.warc", response(1));
  index({"a.warc"});
  {
    auto rebuilding = SearchWriter::create(index_path());
    ASSERT_TRUE(rebuilding.has_value());
    std::filesystem::remove(file("search.db.new"));
    // Ends where the new file would take the name.
    EXPECT_FALSE(rebuilding->publish().has_value());
  }
  auto reader = SearchReader::open(index_path());
  ASSERT_TRUE(reader.has_value());
  EXPECT_EQ(found("amber"), 1U);
  EXPECT_FALSE(std::filesystem::exists(file("search.db-wal")));
  EXPECT_FALSE(std::filesystem::exists(file("search.db-shm")));
}

TEST_F(ArchiveIndexerTest, ANewIndexHasNothingOfTheJournalOfTheOldOne) {
  write("a.warc", response(1) + response(2) + response(3));
  index({"a.warc"});
  auto reader = SearchReader::open(index_path());
  ASSERT_TRUE(reader.has_value());
  write("b.warc", response(4));
  index({"b.warc"});
  {
    auto rebuilding = SearchWriter::create(index_path());
    ASSERT_TRUE(index_archives(*rebuilding, {file("b.warc")}).has_value());
    ASSERT_TRUE(rebuilding->publish().has_value());
    EXPECT_TRUE(rebuilding->check().has_value());
  }
  EXPECT_EQ(found("amber"), 1U);
}

TEST_F(ArchiveIndexerTest, EndsWithoutFinish) {
  LiveIndex live(index_path());
  for (int i = 0; i < 100; ++i) live.offer(live_page(i, file("a.warc")));
}

}  // namespace
}  // namespace gossamer::index
