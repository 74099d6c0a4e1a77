#include "store/rocks_tables.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <tests/support/short_files.h>
#include <tests/support/temporary_folder.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "store/row_position.h"

namespace gossamer::store {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::EndsWith;

std::vector<std::string> keys_from(const Tables& tables, Table table, std::string_view from) {
  std::vector<std::string> keys;
  EXPECT_TRUE(tables.scan(table, from, [&](std::string_view key, std::string_view) {
    keys.emplace_back(key);
    return true;
  }));
  return keys;
}

TEST(RocksTables, KeepTheirContentsWhenReopened) {
  const tests::TemporaryFolder folder;
  const std::string at = folder.path() + "/tables";
  {
    auto tables = RocksTables::open(at);
    ASSERT_TRUE(tables) << tables.error().to_string();
    Batch batch;
    batch.put(Table::pages, "a", "1");
    batch.put(Table::seen, "a", "2");
    batch.put(Table::pages, "b", "3");
    ASSERT_TRUE((*tables)->write(batch));
    batch.clear();
    batch.remove(Table::pages, "b");
    ASSERT_TRUE((*tables)->write(batch));
    ASSERT_TRUE((*tables)->sync());
  }
  auto tables = RocksTables::open(at, {.is_read_only = true});
  ASSERT_TRUE(tables) << tables.error().to_string();
  EXPECT_EQ((*tables)->get(Table::pages, "a").value(), "1");
  EXPECT_EQ((*tables)->get(Table::seen, "a").value(), "2");
  EXPECT_EQ((*tables)->get(Table::pages, "b").value(), std::nullopt);
}

// What a killed process leaves: the rows are in the log.
class KilledTables : public testing::Test {
 protected:
  KilledTables() {
    auto tables = RocksTables::open(folder_.path() + "/running");
    EXPECT_TRUE(tables);
    for (const char* key : {"a", "b", "c", "d"}) {
      const std::string position = folder_.path() + "/running/position";
      const auto keep = std::filesystem::copy_options::overwrite_existing;
      std::filesystem::copy_file(position, before_last_, keep);
      Batch batch;
      batch.put(Table::pages, key, std::string(1000, 'x'));
      EXPECT_TRUE((*tables)->write(batch));
      if (*key == 'b') EXPECT_TRUE((*tables)->sync());
    }
    std::filesystem::copy(folder_.path() + "/running", at_);
    for (const auto& entry : std::filesystem::directory_iterator(at_)) {
      if (entry.path().extension() == ".log") log_ = entry.path();
    }
  }

  std::vector<std::string> keys_left(bool is_read_only) const {
    auto tables = RocksTables::open(at_, {.is_read_only = is_read_only});
    if (!tables) return {std::string(base::name(tables.error().code()))};
    return keys_from(**tables, Table::pages, "");
  }

  void lose_last_row() const {
    std::filesystem::resize_file(log_, std::filesystem::file_size(log_) - 10);
  }
  // The machine has started again since.
  void restart_machine() const {
    std::ifstream file(at_ + "/position");
    auto position = unpack_row_position(std::string(std::istreambuf_iterator<char>(file), {}));
    ASSERT_TRUE(position);
    position->boot = "before";
    std::ofstream(at_ + "/position") << pack_row_position(*position);
  }

  tests::TemporaryFolder folder_;
  const std::string at_ = folder_.path() + "/tables";
  const std::string before_last_ = folder_.path() + "/position";
  std::filesystem::path log_;
};

TEST_F(KilledTables, HaveAllRows) { EXPECT_THAT(keys_left(true), ElementsAre("a", "b", "c", "d")); }

TEST_F(KilledTables, WithADamagedLogAreNotRead) {
  std::fstream(log_, std::ios::in | std::ios::out | std::ios::binary).seekp(1500).put('y');
  EXPECT_THAT(keys_left(true), ElementsAre("malformed"));
  EXPECT_THAT(keys_left(false), ElementsAre("a")) << "the crawl goes back";
  EXPECT_THAT(keys_left(true), ElementsAre("a")) << "and can be read then";
}

TEST_F(KilledTables, WithoutALogAreNotRead) {
  std::filesystem::remove(log_);
  EXPECT_THAT(keys_left(true), ElementsAre("malformed"));
}

// The process was killed while it wrote.
TEST_F(KilledTables, LoseAnIncompleteLastRow) {
  lose_last_row();
  std::filesystem::copy_file(before_last_, at_ + "/position",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(keys_left(true), ElementsAre("a", "b", "c"));
}

TEST_F(KilledTables, WithoutTheEndOfTheirLogAreNotRead) {
  lose_last_row();
  const auto read = RocksTables::open(at_, {.is_read_only = true});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error(), Errc::malformed);
  EXPECT_THAT(read.error().detail(), EndsWith("has lost its last 1 of 4 changes"));
  EXPECT_EQ(RocksTables::open(at_).value()->lost_changes(), 1U);
  EXPECT_THAT(keys_left(false), ElementsAre("a", "b", "c")) << "the crawl goes back";
  EXPECT_THAT(keys_left(true), ElementsAre("a", "b", "c")) << "and can be read then";
}

TEST_F(KilledTables, MayLoseWhatWasNotSyncedInAPowerCut) {
  restart_machine();
  lose_last_row();
  EXPECT_THAT(keys_left(true), ElementsAre("a", "b", "c"));
  std::filesystem::resize_file(log_, 100);
  EXPECT_THAT(keys_left(true), ElementsAre("malformed")) << "b was synced";
}

TEST_F(KilledTables, AreReadWithADamagedPosition) {
  for (const std::string& text : {std::string(), std::string(96, '\0'), std::string(96, '9')}) {
    std::ofstream(at_ + "/position", std::ios::trunc) << text;
    EXPECT_THAT(keys_left(true), ElementsAre("a", "b", "c", "d"));
  }
  std::filesystem::remove(at_ + "/position");
  EXPECT_THAT(keys_left(true), ElementsAre("a", "b", "c", "d"));
}

TEST(RocksTables, AreScannedInBothDirections) {
  const tests::TemporaryFolder folder;
  auto tables = RocksTables::open(folder.path() + "/tables");
  ASSERT_TRUE(tables);
  Batch batch;
  for (const char* key : {"b", "d", "a", "c"}) batch.put(Table::waiting, key, "");
  ASSERT_TRUE((*tables)->write(batch));
  EXPECT_THAT(keys_from(**tables, Table::waiting, "b"), ElementsAre("b", "c", "d"));
  std::vector<std::string> back;
  ASSERT_TRUE((*tables)->scan_back(Table::waiting, "c", [&](std::string_view key, auto) {
    back.emplace_back(key);
    return true;
  }));
  EXPECT_THAT(back, ElementsAre("b", "a"));
}

TEST(RocksTables, WriteNothingWithoutRoom) {
  const tests::TemporaryFolder folder;
  auto tables = RocksTables::open(folder.path() + "/tables", {.room_min = ~std::uint64_t{0}});
  ASSERT_TRUE(tables);
  Batch batch;
  batch.put(Table::pages, "a", "1");
  EXPECT_EQ((*tables)->write(batch).error(), Errc::no_space);
  EXPECT_EQ((*tables)->get(Table::pages, "a").value(), std::nullopt);
}

TEST(RocksTables, MustExistForReading) {
  const tests::TemporaryFolder folder;
  const auto tables = RocksTables::open(folder.path() + "/none", {.is_read_only = true});
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error(), Errc::not_found);
}

// Returns the files in the folder that this process has open.
std::size_t open_files_in(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const auto file = std::filesystem::read_symlink(entry.path(), gone);
    if (file.string().starts_with(folder)) ++count;
  }
  return count;
}

// Restores the process's limit.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t count) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few = {.rlim_cur = count, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_ = {};
};

// Each open() creates a file for every table.
TEST(RocksTables, UseAtMostHalfOfFewDescriptors) {
  const FewDescriptors few(64);
  const tests::TemporaryFolder folder;
  const std::string at = folder.path() + "/tables";
  std::size_t open_files = 0;
  for (const char* key : {"1", "2", "3", "4", "5"}) {
    auto tables = RocksTables::open(at);
    ASSERT_TRUE(tables) << tables.error().to_string();
    Batch batch;
    for (std::size_t table = 0; table < kTables; ++table) {
      EXPECT_TRUE((*tables)->get(static_cast<Table>(table), "1"));
      EXPECT_LT(keys_from(**tables, static_cast<Table>(table), "").size(), 5U);
      batch.put(static_cast<Table>(table), key, key);
    }
    ASSERT_TRUE((*tables)->write(batch));
    open_files = std::max(open_files, open_files_in(at));
  }
  EXPECT_LE(open_files, 24U);
}

// Another user who can write to the folder puts links there while it is open.
class LinkedTables : public testing::Test {
 protected:
  LinkedTables() {
    fs::create_directory(victim_);
    std::ofstream(victim_ / "file") << "precious";
  }
  std::string victims() const {
    std::ifstream file(victim_ / "file");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Result<void> write(std::string_view key) const {
    Batch batch;
    batch.put(Table::pages, std::string(key), "1");
    return (*tables_)->write(batch);
  }

  tests::TemporaryFolder folder_;
  const std::string at_ = folder_.path() + "/tables";
  const fs::path victim_ = folder_.path() + "/victim";
  Result<std::unique_ptr<RocksTables>> tables_ = RocksTables::open(at_);
};

TEST_F(LinkedTables, NoLinkIsFollowedThatAppearsWhileTheyAreOpen) {
  ASSERT_TRUE(tables_);
  ASSERT_TRUE(write("a"));
  for (int number = 1; number < 100; ++number) {
    for (const char* const name :
         {"{:06}.log", "{:06}.sst", "MANIFEST-{:06}", "{:06}.dbtmp", "OPTIONS-{:06}.dbtmp"}) {
      const std::string link = at_ + "/" + fmt::format(fmt::runtime(name), number);
      if (!fs::exists(link)) fs::create_symlink(victim_ / "file", link);
    }
  }
  EXPECT_FALSE((*tables_)->close()) << "its next file is a link";
  EXPECT_EQ(victims(), "precious");
  tables_ = fail(Errc::closed);
  tables_ = RocksTables::open(at_);
  EXPECT_FALSE(tables_);
  EXPECT_EQ(victims(), "precious");
}

TEST_F(LinkedTables, TheFolderStaysTheSameWhenALinkTakesItsName) {
  ASSERT_TRUE(tables_);
  fs::rename(at_, at_ + ".moved");
  fs::create_directory_symlink(victim_, at_);
  ASSERT_TRUE(write("a"));
  ASSERT_TRUE((*tables_)->close());
  EXPECT_EQ(std::distance(fs::directory_iterator(victim_), fs::directory_iterator()), 1);
  EXPECT_FALSE(RocksTables::open(at_)) << "the name is a link now";
  EXPECT_FALSE(RocksTables::open(at_, {.is_read_only = true}));
  const auto moved = RocksTables::open(at_ + ".moved", {.is_read_only = true});
  ASSERT_TRUE(moved);
  EXPECT_EQ((*moved)->get(Table::pages, "a").value(), "1");
}

TEST_F(LinkedTables, NoLinkIsRead) {
  ASSERT_TRUE(tables_);
  ASSERT_TRUE(write("a"));
  ASSERT_TRUE((*tables_)->close());
  fs::rename(at_ + "/CURRENT", victim_ / "CURRENT");
  fs::create_symlink(victim_ / "CURRENT", at_ + "/CURRENT");
  EXPECT_FALSE(RocksTables::open(at_));
  EXPECT_FALSE(RocksTables::open(at_, {.is_read_only = true}));
}

TEST(RocksTables, NumbersInKeysKeepTheirOrder) {
  std::string small;
  std::string large;
  append_big_endian(small, 255);
  append_big_endian(large, 256);
  EXPECT_LT(small, large);
  EXPECT_EQ(read_big_endian(large), 256U);
}

TEST(RocksTables, AreScannedBackFromAKeyThatIsNotThere) {
  const tests::TemporaryFolder folder;
  auto tables = RocksTables::open(folder.path() + "/tables");
  ASSERT_TRUE(tables);
  Batch batch;
  for (const char* key : {"a", "c"}) batch.put(Table::waiting, key, "");
  ASSERT_TRUE((*tables)->write(batch));
  const auto keys_before = [&](std::string_view before) {
    std::string keys;
    EXPECT_TRUE((*tables)->scan_back(Table::waiting, before, [&](std::string_view key, auto) {
      keys += key;
      return true;
    }));
    return keys;
  };
  EXPECT_EQ(keys_before("d"), "ca");
  EXPECT_EQ(keys_before("b"), "a");
  EXPECT_EQ(keys_before("a"), "");
  EXPECT_EQ(keys_before(""), "");
}

TEST(RocksTables, AreWrittenIfTheFreeSpaceIsUnknown) {
  const tests::TemporaryFolder folder;
  const std::string at = folder.path() + "/tables";
  auto tables = RocksTables::open(at, {.room_min = 1});
  ASSERT_TRUE(tables);
  std::filesystem::rename(at, at + "-elsewhere");
  Batch batch;
  batch.put(Table::pages, "a", "1");
  EXPECT_TRUE((*tables)->write(batch));
  EXPECT_EQ((*tables)->get(Table::pages, "a").value(), "1");
  std::filesystem::rename(at + "-elsewhere", at);
}

TEST(RocksTables, FailForEverAfterAWriteThatFailed) {
  const tests::TemporaryFolder folder;
  auto tables = RocksTables::open(folder.path() + "/tables");
  ASSERT_TRUE(tables);
  Batch batch;
  batch.put(Table::pages, "a", std::string(100'000, 'x'));
  {
    const support::ShortFiles files(1);
    const auto written = (*tables)->write(batch);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error(), Errc::io_failed);
    EXPECT_THAT(written.error().message(), testing::HasSubstr(" " + folder.path() + "/tables: "));
  }
  for (const auto& again : {(*tables)->write(batch), (*tables)->sync()}) {
    ASSERT_FALSE(again) << "what follows must not survive what is lost";
    EXPECT_EQ(again.error(), Errc::io_failed);
    EXPECT_EQ(again.error().detail(), "an earlier write to the tables failed");
  }
}

}  // namespace
}  // namespace gossamer::store
