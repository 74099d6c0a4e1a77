#include "tests/simulated/disk.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "async/file.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
namespace {

using async::File;
using async::OpenMode;
using async::Task;

Task<Result<void>> save(std::string path, std::string text, bool sync) {
  auto file = co_await File::open(path, OpenMode::write_truncate);
  if (!file) co_return fail(std::move(file).error());
  auto written = co_await file->write_all_at(0, as_bytes(text));
  if (!written) co_return fail(std::move(written).error());
  if (sync) co_return co_await file->sync();
  co_return {};
}

Task<Result<std::string>> load(std::string path) {
  auto file = co_await File::open(path, OpenMode::read);
  if (!file) co_return fail(std::move(file).error());
  std::string text;
  std::array<std::byte, 64> piece;
  for (;;) {
    const auto size = co_await file->read_at(text.size(), piece);
    if (!size) co_return fail(Errc::io_failed);
    if (*size == 0) co_return text;
    text += as_text(Bytes(piece).first(*size));
  }
}

TEST(Disk, ReadsWhatWasWritten) {
  World world = World::calm();
  ASSERT_TRUE(world.run(save("journal", std::string(1000, 'x'), false)));
  const auto text = world.run(load("journal"));
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, std::string(1000, 'x'));
  EXPECT_EQ(world.loop().now(), Instant(50us * 20));
}

TEST(Disk, AFileThatIsNotThereCannotBeRead) {
  World world = World::calm();
  const auto text = world.run(load("nothing"));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error(), Errc::not_found);
}

TEST(Disk, ANewFileMustNotBeThere) {
  World world = World::calm();
  world.driver().disk()->put("old", "content");
  const auto created = world.run([]() -> Task<Result<void>> {
    auto file = co_await File::open("old", OpenMode::write_new);
    if (!file) co_return fail(std::move(file).error());
    co_return {};
  }());
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error(), Errc::exists);
}

TEST(Disk, ANewNameIsDurableOnceTheNamesAreSynced) {
  for (const bool is_synced : {false, true}) {
    Disk disk;
    disk.put("draft", "content");
    disk.put("junk", "");
    EXPECT_EQ(disk.rename("draft", "whole"), 0);
    EXPECT_EQ(disk.remove("junk"), 0);
    EXPECT_EQ(disk.names(), std::vector<std::string>{"whole"});
    if (is_synced) EXPECT_EQ(disk.sync_names(), 0);
    disk.crash();
    const std::vector<std::string> left = {"draft", "junk"};
    EXPECT_EQ(disk.names(), is_synced ? std::vector<std::string>{"whole"} : left);
    EXPECT_EQ(disk.content(is_synced ? "whole" : "draft"), "content");
  }
}

TEST(Disk, AFileThatIsCutIsWholeAgainAfterACrash) {
  Disk disk;
  disk.put("file", "content");
  EXPECT_EQ(disk.truncate("file", 3), 0);
  EXPECT_EQ(disk.content("file"), "con");
  disk.crash();
  EXPECT_EQ(disk.content("file"), "content");
  EXPECT_EQ(disk.truncate("nothing", 3), -ENOENT);
}

TEST(Disk, TransfersMayBeShort) {
  SimOptions options;
  options.disk.short_transfer = 1;
  World world(options);
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>('a' + i % 26);
  ASSERT_TRUE(world.run(save("journal", text, true)));
  const auto loaded = world.run(load("journal"));
  ASSERT_TRUE(loaded);
  EXPECT_EQ(*loaded, text);
}

TEST(Disk, ACrashLosesWhatWasNotSynced) {
  World world = World::calm();
  ASSERT_TRUE(world.run(save("synced", "old", true)));
  ASSERT_TRUE(world.run(save("synced", "new!", false)));
  ASSERT_TRUE(world.run(save("never synced", "text", false)));
  EXPECT_EQ(world.driver().disk()->content("synced"), "new!");
  EXPECT_EQ(world.driver().disk()->durable_content("synced"), "old");
  world.driver().crash();
  const auto text = world.run(load("synced"));
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "old");
  const auto gone = world.run(load("never synced"));
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error(), Errc::not_found);
}

TEST(Disk, AnotherWorldCanStartFromWhatACrashLeft) {
  std::shared_ptr<Disk> disk;
  {
    World before = World::calm();
    ASSERT_TRUE(before.run(save("journal", "kept", true)));
    before.driver().power_off();
    EXPECT_FALSE(before.run(save("journal", "repaired", true)));
    disk = before.driver().disk();
  }
  World after(calm_options(), disk);
  const auto text = after.run(load("journal"));
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "kept");
}

TEST(Disk, AFileThatWasOpenInACrashFails) {
  World world = World::calm();
  const auto result = world.run([](SimDriver* driver) -> Task<Result<void>> {
    auto file = co_await File::open("journal", OpenMode::read_write);
    if (!file) co_return fail(std::move(file).error());
    auto synced = co_await file->sync();
    if (!synced) co_return synced;
    driver->crash();
    co_return co_await file->sync();
  }(&world.driver()));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), Errc::io_failed);
  EXPECT_EQ(world.driver().disk()->content("journal"), "");
}

TEST(Disk, WritesThatWereNotSyncedMaySurviveTorn) {
  bool lost = false;
  bool torn = false;
  bool whole = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SimOptions options = calm_options(seed);
    options.disk.unsynced_survives = 0.5;
    World world(options);
    ASSERT_TRUE(world.run(save("journal", "", true)));
    ASSERT_TRUE(world.run(save("journal", "0123456789", false)));
    world.driver().crash();
    const std::string left = world.driver().disk()->content("journal").value();
    EXPECT_TRUE(std::string("0123456789").starts_with(left));
    (left.empty() ? lost : left.size() < 10 ? torn : whole) = true;
  }
  EXPECT_TRUE(lost && torn && whole);
}

TEST(Disk, AFullDiskTakesWhatFitsAndThenNoMore) {
  SimOptions options;
  options.disk.bytes_max = 100;
  World world(options);
  const auto saved = world.run(save("journal", std::string(150, 'x'), false));
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error(), Errc::no_space);
  EXPECT_EQ(world.driver().disk()->content("journal")->size(), 100u);
  // Truncating a file frees its space.
  EXPECT_TRUE(world.run(save("journal", std::string(90, 'y'), false)));
}

TEST(Disk, TheNthFileOperationFailsWithTheGivenError) {
  World world = World::calm();
  world.driver().disk()->fail_operation(3, ENOSPC);
  const auto saved = world.run(save("journal", "text", true));
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error(), Errc::no_space);
  EXPECT_EQ(world.driver().disk()->durable_content("journal"), std::nullopt);
}

TEST(Disk, OperationsFailByChance) {
  SimOptions options;
  options.disk.fails = 1;
  World world(options);
  const auto saved = world.run(save("journal", "text", true));
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error(), Errc::io_failed);
}

TEST(Disk, ACancelledOperationHasNoEffect) {
  SimOptions options;
  options.disk.delay = {1s, 1s};
  World world(options);
  const auto saved = world.run([]() -> Task<Result<void>> {
    co_return co_await async::with_timeout(1500ms, save("journal", "text", false));
  }());
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error(), Errc::timed_out);
  EXPECT_EQ(world.loop().now(), Instant(1500ms));
  EXPECT_EQ(world.driver().disk()->content("journal"), "");
}

TEST(Disk, AFileOpenForReadingCannotBeWritten) {
  World world = World::calm();
  world.driver().disk()->put("journal", "content");
  const auto written = world.run([]() -> Task<Result<void>> {
    auto file = co_await File::open("journal", OpenMode::read);
    if (!file) co_return fail(std::move(file).error());
    co_return co_await file->write_all_at(0, as_bytes("text"));
  }());
  EXPECT_FALSE(written);
  EXPECT_EQ(world.driver().disk()->content("journal"), "content");
}

TEST(Disk, AWriteBehindTheEndLeavesZeros) {
  World world = World::calm();
  ASSERT_TRUE(world.run([]() -> Task<Result<void>> {
    auto file = co_await File::open("sparse", OpenMode::read_write);
    if (!file) co_return fail(std::move(file).error());
    co_return co_await file->write_all_at(3, as_bytes("x"));
  }()));
  EXPECT_EQ(world.driver().disk()->content("sparse"), std::string("\0\0\0x", 4));
}

}  // namespace
}  // namespace gossamer::sim
