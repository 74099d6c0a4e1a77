#include "async/descriptor.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;

// A kernel pipe, which the runtime does not know.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe2(ends_.data(), O_NONBLOCK | O_CLOEXEC), 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_reader();
    close_writer();
  }

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void write(const std::string& text) const {
    EXPECT_EQ(::write(writer(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::string read() const {
    std::array<char, 64> buffer = {};
    const ssize_t count = ::read(reader(), buffer.data(), buffer.size());
    return count > 0 ? std::string(buffer.data(), static_cast<std::size_t>(count)) : "";
  }
  void fill() const {
    const std::string block(4096, 'x');
    while (::write(writer(), block.data(), block.size()) > 0) {
    }
  }
  void drain() const {
    while (!read().empty()) {
    }
  }
  void close_reader() { close_end(0); }
  void close_writer() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(std::exchange(ends_[end], -1));
  }
  std::array<int, 2> ends_ = {-1, -1};
};

class ReadinessTest : public DriverTest {};
ON_REAL_DRIVERS(ReadinessTest);

TEST_P(ReadinessTest, WaitsUntilThereIsSomethingToRead) {
  run([]() -> Task<void> {
    const Pipe pipe;
    Scope scope;
    auto reader = scope.spawn([](const Pipe& source) -> Task<std::string> {
      auto ready = co_await readiness(source.reader(), Readiness::readable);
      EXPECT_TRUE(includes(*ready, Readiness::readable));
      co_return source.read();
    }(pipe));
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_FALSE(reader.done());
    pipe.write("hello");
    EXPECT_EQ(co_await reader, "hello");
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(ReadinessTest, SaysAgainWhatWasNotReadYet) {
  run([]() -> Task<void> {
    const Pipe pipe;
    pipe.write("x");
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE((co_await readiness(pipe.reader(), Readiness::readable)).has_value());
    }
  }());
}

TEST_P(ReadinessTest, WaitsUntilThereIsRoomToWrite) {
  run([]() -> Task<void> {
    const Pipe pipe;
    auto ready = co_await readiness(pipe.writer(), Readiness::writable);
    EXPECT_TRUE(includes(*ready, Readiness::writable));
    pipe.fill();
    Scope scope;
    auto writer = scope.spawn([](const Pipe& full) -> Task<Result<Readiness>> {
      co_return co_await readiness(full.writer(), Readiness::writable);
    }(pipe));
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_FALSE(writer.done());
    pipe.drain();
    EXPECT_TRUE(includes(*co_await writer, Readiness::writable));
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(ReadinessTest, AHangUpCountsAsReadable) {
  run([]() -> Task<void> {
    Pipe pipe;
    pipe.close_writer();
    EXPECT_TRUE(
        includes(*co_await readiness(pipe.reader(), Readiness::readable), Readiness::readable));
  }());
}

TEST_P(ReadinessTest, ACancelledWaitLetsTheDescriptorBeWatchedAgain) {
  run([]() -> Task<void> {
    const Pipe pipe;
    for (int i = 0; i < 3; ++i) {
      auto result =
          co_await with_timeout(Duration(1), [](const Pipe& silent) -> Task<Result<Readiness>> {
            co_return co_await readiness(silent.reader(), Readiness::readable);
          }(pipe));
      EXPECT_EQ(result.error(), Errc::timed_out);
    }
    pipe.write("x");
    EXPECT_TRUE((co_await readiness(pipe.reader(), Readiness::readable)).has_value());
  }());
}

TEST_P(ReadinessTest, AnInvalidDescriptorIsAnError) {
  run([]() -> Task<void> {
    int closed = -1;
    {
      const Pipe pipe;
      closed = pipe.reader();
    }
    EXPECT_FALSE((co_await readiness(closed, Readiness::readable)).has_value());
  }());
}

class WatchTest : public DriverTest {};
ON_REAL_DRIVERS(WatchTest);

TEST_P(WatchTest, CallsEachTimeTheDescriptorIsReady) {
  run([](Loop& owner) -> Task<void> {
    const Pipe pipe;
    std::vector<std::string> received;
    Event arrived;
    const WatchHandle watch = owner.watch(pipe.reader(), Readiness::readable, [&](Readiness) {
      received.push_back(pipe.read());
      arrived.set();
    });
    for (const char* text : {"one", "two", "three"}) {
      pipe.write(text);
      EXPECT_TRUE((co_await arrived.wait()).has_value());
      arrived.clear();
    }
    EXPECT_THAT(received, ElementsAre("one", "two", "three"));
  }(loop()));
  run([]() -> Task<void> { EXPECT_TRUE((co_await yield_now()).has_value()); }());
}

TEST_P(WatchTest, ADroppedHandleEndsTheWatch) {
  run([](Loop& owner) -> Task<void> {
    const Pipe pipe;
    int calls = 0;
    WatchHandle watch =
        owner.watch(pipe.reader(), Readiness::readable, [&](Readiness) { ++calls; });
    EXPECT_TRUE((co_await yield_now()).has_value());
    watch = WatchHandle();
    pipe.write("x");
    for (int i = 0; i < 100; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_EQ(calls, 0);
  }(loop()));
}

// The event is reaped and its resumption queued in the same turn in which the handle is dropped.
// The captures of the callback may be gone by then, so it must not be called.
TEST_P(WatchTest, AHandleDroppedInTheTurnOfTheEventIsNotCalledAnyMore) {
  run([](Loop& owner) -> Task<void> {
    const Pipe first_pipe;
    const Pipe second_pipe;
    int calls = 0;
    WatchHandle first;
    WatchHandle second;
    const auto drop_both = [&](Readiness) {
      ++calls;
      first = WatchHandle();
      second = WatchHandle();
    };
    first = owner.watch(first_pipe.reader(), Readiness::readable, drop_both);
    second = owner.watch(second_pipe.reader(), Readiness::readable, drop_both);
    EXPECT_TRUE((co_await yield_now()).has_value());
    first_pipe.write("x");
    second_pipe.write("x");
    while (calls == 0) EXPECT_TRUE((co_await yield_now()).has_value());
    for (int i = 0; i < 200; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_EQ(calls, 1);
  }(loop()));
}

TEST_P(WatchTest, ACallbackMayDropItsOwnHandle) {
  run([](Loop& owner) -> Task<void> {
    const Pipe pipe;
    pipe.write("x");
    Event called;
    WatchHandle watch;
    const auto kept = std::make_shared<int>(1);
    watch = owner.watch(pipe.reader(), Readiness::readable, [&watch, &called, kept](Readiness) {
      watch = WatchHandle();
      EXPECT_EQ(*kept, 1);
      called.set();
    });
    EXPECT_TRUE((co_await called.wait()).has_value());
  }(loop()));
}

TEST_P(WatchTest, OneThatNeverRanIsDroppedWithItsLoop) {
  const Pipe pipe;
  {
    const WatchHandle watch = loop().watch(pipe.reader(), Readiness::readable, [](Readiness) {});
  }
  drop_loop();
}

}  // namespace
}  // namespace gossamer::async
