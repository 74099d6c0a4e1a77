// Tests how many rows the queue of a crawl reads to take in origins.

#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <cstdint>
#include <utility>

#include "store/stored_work.h"
#include "store/work_rows.h"

namespace gossamer::store {
namespace {

// Counts what is read of the queue.
class CountedTables final : public Tables {
 public:
  Result<void> write(const Batch& batch) override { return tables_.write(batch); }
  Result<void> sync() override { return tables_.sync(); }
  Result<void> close() override { return tables_.close(); }
  Result<std::optional<std::string>> get(Table table, std::string_view key) const override {
    return tables_.get(table, key);
  }
  Result<void> scan(Table table, std::string_view from, Use use) const override {
    if (table != Table::waiting) return tables_.scan(table, from, std::move(use));
    ++scans;
    return tables_.scan(table, from, [&](std::string_view key, std::string_view row) {
      ++rows;
      return use(key, row);
    });
  }
  Result<void> scan_back(Table table, std::string_view before, Use use) const override {
    return tables_.scan_back(table, before, std::move(use));
  }

  mutable std::size_t scans = 0;
  mutable std::size_t rows = 0;

 private:
  SimulatedTables tables_;
};

class WorkReadingTest : public testing::Test {
 protected:
  // Stores chunks that nothing takes in: their rank is too high.
  void store_origin(std::uint32_t id, std::uint64_t chunks) {
    Batch batch;
    for (std::uint64_t number = 1; number <= chunks; ++number) {
      batch.put(Table::waiting, ChunkKey{.origin = id, .place = {kRank, number}}.text(), "");
    }
    ASSERT_TRUE(tables_.write(batch).has_value());
  }
  StoredWork::TakenIn take_in(std::uint32_t from) {
    Journal journal(tables_, Durability::group);
    StoredWork work(journal, {});
    tables_.scans = tables_.rows = 0;
    return work.take_in(from, kRank - 1, 100);
  }

  static constexpr std::uint32_t kRank = 5;
  CountedTables tables_;
};

TEST_F(WorkReadingTest, ALongOriginIsLeftAfterSixteenRows) {
  store_origin(1, 1000);
  store_origin(2, 1);
  EXPECT_TRUE(take_in(0).origins.empty());
  EXPECT_EQ(tables_.rows, 16U + 1U);
  EXPECT_EQ(tables_.scans, 2U);
}

TEST_F(WorkReadingTest, ShortOriginsAreReadInOneScan) {
  for (std::uint32_t id = 1; id <= 100; ++id) store_origin(id, 15);
  EXPECT_TRUE(take_in(0).origins.empty());
  EXPECT_EQ(tables_.scans, 1U);
  EXPECT_EQ(tables_.rows, 1500U);
}

TEST_F(WorkReadingTest, OtherTasksRunAfter4096Rows) {
  for (std::uint32_t id = 1; id <= 5000; ++id) store_origin(id, 1);
  const std::uint32_t next = take_in(0).next;
  EXPECT_EQ(next, 4097U);
  EXPECT_EQ(take_in(next).next, 0U) << "that was the rest";
  EXPECT_EQ(tables_.rows, 904U);
}

}  // namespace
}  // namespace gossamer::store
