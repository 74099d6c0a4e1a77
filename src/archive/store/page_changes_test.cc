#include "store/page_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <vector>

namespace gossamer::store {
namespace {

crawler::FetchRecord page(int status, std::uint64_t digest = 1) {
  crawler::FetchRecord record;
  record.url = "https://a.example/";
  record.status = status;
  if (status == 200) record.digest = digest;
  return record;
}

TEST(PageChanges, AreNewChangedOrGone) {
  const crawler::FetchRecord here = page(200);
  const crawler::FetchRecord missing = page(404);
  EXPECT_EQ(compare(nullptr, here), ChangeKind::added);
  EXPECT_EQ(compare(nullptr, missing), std::nullopt);
  EXPECT_EQ(compare(&here, here), std::nullopt);
  EXPECT_EQ(compare(&here, page(200, 2)), ChangeKind::changed);
  EXPECT_EQ(compare(&here, page(301)), ChangeKind::changed);
  EXPECT_EQ(compare(&here, missing), ChangeKind::gone);
  EXPECT_EQ(compare(&here, page(410)), ChangeKind::gone);
  EXPECT_EQ(compare(&missing, here), ChangeKind::added);
  EXPECT_EQ(compare(&missing, missing), std::nullopt);
}

TEST(PageChanges, RecogniseChangesOfMarkupOnly) {
  crawler::FetchRecord before = page(200, 1);
  crawler::FetchRecord now = page(200, 2);
  before.text_digest = now.text_digest = 7;
  EXPECT_EQ(compare(&before, now), ChangeKind::markup);
  now.title = "another";
  EXPECT_EQ(compare(&before, now), ChangeKind::changed);
  now.title.clear();
  now.text_digest = 8;
  EXPECT_EQ(compare(&before, now), ChangeKind::changed);
  now.text_digest.reset();
  EXPECT_EQ(compare(&before, now), ChangeKind::changed) << "an older version stored it";
  const auto row = unpack_change(pack_change({.kind = ChangeKind::markup, .url = "u"}));
  ASSERT_TRUE(row);
  EXPECT_EQ(row->kind, ChangeKind::markup);
}

TEST(PageChanges, AFailureIsNotAChange) {
  const crawler::FetchRecord here = page(200);
  EXPECT_EQ(compare(&here, page(503)), std::nullopt);
  crawler::FetchRecord failed;
  failed.error = "timed_out";
  EXPECT_EQ(compare(&here, failed), std::nullopt);
}

TEST(PageChanges, OfTheLastRefreshAreListed) {
  SimulatedTables tables;
  Batch batch;
  const auto add = [&](std::uint64_t refresh, std::uint64_t number, const std::string& url) {
    std::string key;
    append_big_endian(key, refresh);
    append_big_endian(key, number);
    batch.put(Table::changes, key, pack_change({.kind = ChangeKind::gone, .url = url}));
  };
  std::string last;
  append_big_endian(last, 200);
  batch.put(Table::meta, std::string(kLastRefreshKey), last);
  add(100, 0, "https://a.example/old");
  add(200, 0, "https://a.example/1");
  add(200, 1, "https://a.example/2");
  ASSERT_TRUE(tables.write(batch));
  std::vector<std::string> urls;
  ASSERT_TRUE(for_each_change(tables, [&](const PageChange& change) {
    EXPECT_EQ(change.kind, ChangeKind::gone);
    urls.push_back(change.url);
    return true;
  }));
  EXPECT_THAT(urls, testing::ElementsAre("https://a.example/1", "https://a.example/2"));
}

TEST(PageChanges, OnlySuccessesAndRedirectsAreThere) {
  const auto is_new = [](int status) {
    const crawler::FetchRecord now = page(status);
    return compare(nullptr, now) == ChangeKind::added;
  };
  EXPECT_TRUE(is_new(200));
  EXPECT_TRUE(is_new(399));
  EXPECT_FALSE(is_new(199));
  EXPECT_FALSE(is_new(400));
}

TEST(PageChanges, NeedARefresh) {
  SimulatedTables tables;
  EXPECT_FALSE(*has_refreshed(tables));
  EXPECT_TRUE(for_each_change(tables, [](const PageChange&) { return true; }));
  Batch batch;
  std::string last;
  append_big_endian(last, 200);
  batch.put(Table::meta, std::string(kLastRefreshKey), last);
  ASSERT_TRUE(tables.write(batch));
  EXPECT_TRUE(*has_refreshed(tables));
  tables.fail_reads(Table::meta);
  EXPECT_EQ(has_refreshed(tables).error(), Errc::io_failed);
  EXPECT_EQ(for_each_change(tables, [](const PageChange&) { return true; }).error(),
            Errc::io_failed);
}

// The time of day was set back, so an earlier refresh has the later start.
TEST(PageChanges, OfALaterStartAreNotRead) {
  SimulatedTables tables;
  Batch batch;
  for (const std::uint64_t refresh : {100, 300, 301, 302}) {
    std::string key;
    append_big_endian(key, refresh);
    append_big_endian(key, 0);
    batch.put(Table::changes, key, pack_change({.kind = ChangeKind::gone, .url = "u"}));
  }
  std::string last;
  append_big_endian(last, 100);
  batch.put(Table::meta, std::string(kLastRefreshKey), last);
  ASSERT_TRUE(tables.write(batch));
  std::size_t changes = 0;
  EXPECT_TRUE(for_each_change(tables, [&](const PageChange&) { return ++changes > 0; }));
  EXPECT_EQ(changes, 1u);
  EXPECT_EQ(tables.rows_read(Table::changes), 1u + 1u) << "and the one after it";
}

}  // namespace
}  // namespace gossamer::store
