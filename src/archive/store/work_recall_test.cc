#include "store/work_recall.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/packing.h"
#include "store/work_chunk.h"
#include "store/work_rows.h"

namespace gossamer::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class WorkRecallTest : public testing::Test {
 protected:
  void put(Table table, std::string key, std::string value) {
    Batch batch;
    batch.put(table, std::move(key), std::move(value));
    ASSERT_TRUE(tables.write(batch));
  }
  // Stores a chunk with two targets of this origin, named by its number.
  void put_chunk(std::uint32_t id, std::uint64_t number) {
    const std::string origin = fmt::format("https://h{}.example", id);
    ChunkBuilder chunk;
    for (const char* const path : {"/a", "/b"}) {
      crawler::Target target;
      target.url = fmt::format("{}{}{}", origin, path, number);
      chunk.add(origin, number, target);
    }
    put(Table::waiting, ChunkKey{.origin = id, .place = {1, number}}.text(), chunk.take());
    put(Table::origins, name_key(id), origin);
  }
  std::string count_of(std::uint64_t key) const {
    return count_key(7, {.what = crawler::Counted::tokens, .key = key});
  }
  static std::string packed(std::uint64_t number) {
    Packer row;
    row.number(number);
    return std::move(row).take();
  }

  SimulatedTables tables;
  crawler::Backlog::Recall recall;
};

TEST_F(WorkRecallTest, ReadsTheRowsOfOneKind) {
  put(Table::origins, origin_key(OriginRow::id, "https://a.example"), packed(1));
  put(Table::origins, origin_key(OriginRow::id, "https://b.example:8443"), packed(2));
  put(Table::origins, count_of(5), packed(3));
  for (int i = 0; i < 50; ++i) {
    put(Table::origins, origin_key(OriginRow::rules, std::to_string(i)), "");
    put(Table::origins, origin_key(OriginRow::host, std::to_string(i)), "");
  }
  std::vector<std::string> hosts;
  recall.host = [&](std::string_view name) { hosts.emplace_back(name); };
  ASSERT_TRUE(recall_hosts(tables, recall, {}));
  EXPECT_THAT(hosts, ElementsAre("a.example", "b.example"));
  EXPECT_EQ(tables.rows_read(Table::origins), 2U + 1U) << "and the one after them";
  std::vector<std::uint64_t> keys;
  recall.count = [&](const crawler::StoredCount& count) { keys.push_back(count.key); };
  ASSERT_TRUE(recall_counts(tables, recall, {}));
  EXPECT_THAT(keys, ElementsAre(5));
  EXPECT_EQ(tables.rows_read(Table::origins), 3U + 1U + 1U);
}

TEST_F(WorkRecallTest, CountsAfterADamagedOneAreKept) {
  put(Table::origins, count_of(5), packed(3));
  put(Table::origins, count_of(6) + "longer", packed(3));
  put(Table::origins, count_of(7), "");
  put(Table::origins, count_of(8), packed(4));
  std::vector<std::uint64_t> keys;
  recall.count = [&](const crawler::StoredCount& count) { keys.push_back(count.key); };
  ASSERT_TRUE(recall_counts(tables, recall, {}));
  EXPECT_THAT(keys, ElementsAre(5, 8));
}

TEST_F(WorkRecallTest, AllRowsOfSeenUrlsCount) {
  for (std::uint64_t number = 1; number <= 3; ++number) {
    std::string key;
    append_big_endian(key, number);
    std::string fingerprints;
    append_big_endian(fingerprints, number * 10);
    if (number == 2) {  // as earlier versions wrote it, without a site
      put(Table::seen, key, fingerprints);
      continue;
    }
    Packer row;
    row.number(7);
    row.text(fingerprints);
    put(Table::seen, key + '\1', std::move(row).take());
  }
  std::vector<std::uint64_t> seen;
  recall.seen = [&](std::uint64_t fingerprint) { seen.push_back(fingerprint); };
  ASSERT_TRUE(recall_seen(tables, recall, {}));
  EXPECT_THAT(seen, ElementsAre(10, 20, 30));
}

TEST_F(WorkRecallTest, VisitsTheQueuedUrlsOfAllChunks) {
  put_chunk(1, 1);
  put_chunk(1, 2);
  put_chunk(2, 3);
  put(Table::waiting, "damaged", "");
  put(Table::waiting, std::string("\0\0\0\1x", 5), "damaged, too");
  std::vector<std::string> urls;
  ASSERT_TRUE(
      visit_queued(tables, [&](std::string_view url) { urls.emplace_back(url); }).has_value());
  EXPECT_THAT(
      urls, ElementsAre("https://h1.example/a1", "https://h1.example/b1", "https://h1.example/a2",
                        "https://h1.example/b2", "https://h2.example/a3", "https://h2.example/b3"));
}

TEST_F(WorkRecallTest, FailsIfTheNamesOfOriginsCannotBeRead) {
  put_chunk(1, 1);
  put_chunk(2, 2);
  tables.fail_reads(Table::origins);
  std::vector<std::string> urls;
  const auto visited = visit_queued(tables, [&](std::string_view url) { urls.emplace_back(url); });
  ASSERT_FALSE(visited) << "the queue would seem empty";
  EXPECT_EQ(visited.error(), Errc::io_failed);
  EXPECT_THAT(urls, IsEmpty());
  EXPECT_EQ(tables.rows_read(Table::waiting), 1U) << "it fails early";
}

}  // namespace
}  // namespace gossamer::store
