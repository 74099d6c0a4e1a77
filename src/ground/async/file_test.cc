#include "async/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tests/support/driver_test.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::async {
namespace {

using testing::HasSubstr;

// A folder that is removed after the test. The simulated disk accepts any name.
class FileTest : public DriverTest {
 protected:
  FileTest() {
    std::string wanted = testing::TempDir() + "gossamer_file_test_XXXXXX";
    folder_ = mkdtemp(wanted.data());
  }
  ~FileTest() override {
    for (const char* name : {"a", "b", "c"}) unlink(path(name).c_str());
    rmdir(folder_.c_str());
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};
ON_EVERY_DRIVER(FileTest);

Task<Result<std::string>> read_whole(std::string path) {
  auto file = co_await File::open(std::move(path), OpenMode::read);
  if (!file) co_return fail(std::move(file).error());
  std::string text;
  std::array<std::byte, 1000> buffer = {};
  for (;;) {
    auto count = co_await file->read_at(text.size(), buffer);
    if (!count) co_return fail(std::move(count).error());
    if (*count == 0) co_return text;
    text += as_text(Bytes(buffer).first(*count));
  }
}

Task<Result<void>> write_whole(std::string path, OpenMode mode, std::string text) {
  auto file = co_await File::open(std::move(path), mode);
  if (!file) co_return fail(std::move(file).error());
  if (auto done = co_await file->write_all_at(0, as_bytes(text)); !done) co_return done;
  co_return co_await file->sync();
}

TEST_P(FileTest, ReadsWhatWasWritten) {
  run([](std::string name) -> Task<void> {
    EXPECT_TRUE((co_await write_whole(name, OpenMode::write_new, "some text")).has_value());
    EXPECT_EQ(*co_await read_whole(name), "some text");
  }(path("a")));
}

TEST_P(FileTest, AFileThatIsNotThereIsNotFound) {
  run([](std::string name) -> Task<void> {
    const auto file = co_await File::open(name, OpenMode::read);
    EXPECT_EQ(file.error(), Errc::not_found);
    EXPECT_THAT(file.error().to_string(), HasSubstr(name));
  }(path("missing")));
}

TEST_P(FileTest, ANewFileMustNotExist) {
  run([](std::string name) -> Task<void> {
    EXPECT_TRUE((co_await write_whole(name, OpenMode::write_new, "first")).has_value());
    EXPECT_EQ((co_await write_whole(name, OpenMode::write_new, "second")).error(), Errc::exists);
    EXPECT_EQ(*co_await read_whole(name), "first");
  }(path("a")));
}

TEST_P(FileTest, TruncatingEmptiesAndReadWriteKeeps) {
  run([](std::string name) -> Task<void> {
    EXPECT_TRUE((co_await write_whole(name, OpenMode::write_truncate, "long text")).has_value());
    EXPECT_TRUE((co_await write_whole(name, OpenMode::write_truncate, "short")).has_value());
    EXPECT_EQ(*co_await read_whole(name), "short");
    EXPECT_TRUE((co_await write_whole(name, OpenMode::read_write, "SH")).has_value());
    EXPECT_EQ(*co_await read_whole(name), "SHort");
  }(path("a")));
}

TEST_P(FileTest, ReadingAtTheEndGivesNothing) {
  run([](std::string name) -> Task<void> {
    EXPECT_TRUE((co_await write_whole(name, OpenMode::write_new, "12345")).has_value());
    auto file = co_await File::open(name, OpenMode::read);
    std::array<std::byte, 10> buffer = {};
    EXPECT_EQ(*co_await file->read_at(3, buffer), 2u);
    EXPECT_EQ(as_text(Bytes(buffer).first(2)), "45");
    EXPECT_EQ(*co_await file->read_at(5, buffer), 0u);
    EXPECT_EQ(*co_await file->read_at(100, buffer), 0u);
  }(path("a")));
}

TEST_P(FileTest, WritingToAFileOpenForReadingFails) {
  run([](std::string name) -> Task<void> {
    EXPECT_TRUE((co_await write_whole(name, OpenMode::write_new, "text")).has_value());
    auto file = co_await File::open(name, OpenMode::read);
    EXPECT_FALSE((co_await file->write_at(0, as_bytes("x"))).has_value());
    EXPECT_EQ(*co_await read_whole(name), "text");
  }(path("a")));
}

TEST_P(FileTest, WritesBeyondTheEndLeaveZerosBetween) {
  run([](std::string name) -> Task<void> {
    {
      auto file = co_await File::open(name, OpenMode::read_write);
      EXPECT_TRUE((co_await file->write_all_at(4, as_bytes("end"))).has_value());
      EXPECT_TRUE((co_await file->sync()).has_value());
    }
    EXPECT_EQ(*co_await read_whole(name), std::string("\0\0\0\0end", 7));
  }(path("a")));
}

TEST_P(FileTest, ConcurrentWritesGoToTheirOffsets) {
  run([](std::string name) -> Task<void> {
    constexpr std::size_t kBlocks = 64;
    constexpr std::size_t kBlockBytes = 5000;
    auto file = co_await File::open(name, OpenMode::read_write);
    std::vector<std::string> blocks;
    for (std::size_t i = 0; i < kBlocks; ++i) {
      blocks.emplace_back(kBlockBytes, static_cast<char>('A' + i % 26));
    }
    Scope scope;
    for (std::size_t i = 0; i < kBlocks; ++i) {
      scope.spawn(file->write_all_at(i * kBlockBytes, as_bytes(blocks[i])));
    }
    EXPECT_TRUE((co_await scope.join()).has_value());
    std::string expected;
    for (const auto& block : blocks) expected += block;
    EXPECT_TRUE(*co_await read_whole(name) == expected);
  }(path("a")));
}

TEST_P(FileTest, CancelledOperationsEndAndTheFileStaysUsable) {
  run([](std::string name) -> Task<void> {
    auto file = co_await File::open(name, OpenMode::read_write);
    const std::string block(100'000, 'x');
    for (int turns = 0; turns < 20; ++turns) {
      Scope scope;
      for (std::size_t i = 0; i < 5; ++i) {
        scope.spawn(
            [](File& target, std::size_t place, const std::string& text) -> Task<Result<void>> {
              if (auto done = co_await target.write_all_at(place, as_bytes(text)); !done)
                co_return done;
              co_return co_await target.sync();
            }(*file, i * block.size(), block));
      }
      for (int i = 0; i < turns; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
      scope.cancel();
      EXPECT_TRUE((co_await scope.join()).has_value());
    }
    EXPECT_TRUE((co_await file->write_all_at(0, as_bytes("fine"))).has_value());
  }(path("a")));
}

TEST_P(FileTest, ACancelledTaskOpensNothing) {
  run([](std::string name) -> Task<void> {
    Scope scope;
    scope.cancel();
    auto task = scope.spawn(write_whole(name, OpenMode::write_new, "text"));
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ(task.take().error(), Errc::cancelled);
    EXPECT_EQ((co_await read_whole(name)).error(), Errc::not_found);
  }(path("a")));
}

Task<Result<void>> write_and_read_back() {
  if (auto done = co_await write_whole("journal", OpenMode::write_truncate, std::string(5000, 'j'));
      !done) {
    co_return done;
  }
  auto text = co_await read_whole("journal");
  if (!text) co_return fail(std::move(text).error());
  co_return Result<void>();
}

TEST(FileCutTest, EndsWhereverItIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point(write_and_read_back), 5u);
}

TEST(FileCutTest, EndsWhicheverOperationFails) {
  EXPECT_GT(sim::for_every_failing_operation(write_and_read_back, EIO), 5u);
}

}  // namespace
}  // namespace gossamer::async
