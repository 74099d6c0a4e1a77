// How pages get into the file of an index.
#include "index/search_writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "index/checked_pages.h"
#include "index/page_lengths.h"
#include "index/schema.h"
#include "store/sqlite.h"
#include "tests/support/temporary_folder.h"

namespace gossamer::index {
namespace {

std::int64_t number_in(const std::string& path, const std::string& sql) {
  auto database = open_checked(path, store::Database::Access::read);
  EXPECT_TRUE(database.has_value());
  auto statement = database->prepare(sql);
  EXPECT_TRUE(statement.has_value());
  const auto row = statement->step();
  EXPECT_TRUE(row.has_value() && *row);
  return statement->number_at(0);
}

// FTS5 collects the words of a batch in memory. If any statement made it write them for each page,
// it would have to merge all these pieces later, which takes longer than everything else.
TEST(SearchWriter, WritesTheWordsOfABatchTogether) {
  constexpr int kPages = 12;
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/search.db";
  auto writer = SearchWriter::open(path);
  ASSERT_TRUE(writer.has_value()) << writer.error().to_string();
  const ArchiveName archive = {"archive/a.warc.gz", ""};
  for (int i = 0; i < kPages; ++i) {
    const std::string url = "https://a.example/" + std::to_string(i);
    const PageText text = {.title = "Page", .language = i % 2 == 0 ? "en" : "de", .main = url};
    for (const std::int64_t second : {1'700'000'000, 1'700'000'060}) {
      const PageOrigin origin = {url, {second, 0}, "text/html", archive, 42};
      ASSERT_TRUE(writer->add(origin, text).value_or(false));
    }
    ASSERT_TRUE(
        writer->add_revisit({url, {1'700'000'090, 0}, "", archive, 43}, url, {1'700'000'000, 0})
            .value_or(false));
    ASSERT_TRUE(writer->skip(url + ".png", {1'700'000'000, 0}).has_value());
    ASSERT_TRUE(writer->set_position(archive, {static_cast<std::uint64_t>(i), 1}).has_value());
  }
  ASSERT_TRUE(writer->commit().has_value());
  EXPECT_EQ(number_in(path, "SELECT count(*) FROM page"), 3 * kPages);
  EXPECT_EQ(number_in(path, "SELECT count(DISTINCT segid) FROM fts_idx"), 1);
}

// FTS5 counts words, too, and check() compares. Stems and pairs of ideographs are no words more.
TEST(SearchWriter, NotesTheLengthsOfPages) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/search.db";
  const ArchiveName archive = {"archive/a.warc.gz", ""};
  const auto add = [&](int number, const PageText& text) {
    auto writer = SearchWriter::open(path);
    ASSERT_TRUE(writer.has_value()) << writer.error().to_string();
    const std::string url = "https://a.example/" + std::to_string(number);
    const PageOrigin origin = {url, {1'700'000'000, 0}, "text/html", archive, 42};
    ASSERT_TRUE(writer->add(origin, text).value_or(false));
    const PageOrigin revisit = {url, {1'700'000'090, 0}, "", archive, 43};
    ASSERT_TRUE(writer->add_revisit(revisit, url, {1'700'000'000, 0}).value_or(false));
    ASSERT_TRUE(writer->commit().has_value());
  };
  add(1, {.title = "Running dogs", .language = "en", .main = "they ran", .rest = "and more"});
  add(2, {.title = "", .language = "zh", .main = "\u4e2d\u6587\u7db2\u9801"});
  add(3, {.title = "", .language = "", .main = ""});
  auto database = open_checked(path, store::Database::Access::read);
  ASSERT_TRUE(database.has_value());
  PageLengths lengths;
  ASSERT_TRUE(lengths.update(*database).has_value());
  // The words of the title, the address (a, example, 1) and the texts.
  EXPECT_EQ(lengths.of(1), 2U + 3U + 2U + 2U);
  auto index = IndexDatabase::open_to_write(path);
  ASSERT_TRUE(index.has_value());
  EXPECT_TRUE((*index)->check().has_value());
  ASSERT_TRUE((*index)->database().execute("UPDATE length SET words = zeroblob(2048)").has_value());
  EXPECT_EQ((*index)->check().error(), Errc::malformed);
}

}  // namespace
}  // namespace gossamer::index
