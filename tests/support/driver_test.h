// Tests that run under every driver: epoll, io_uring and the simulated world.
//
//   class EventTest : public DriverTest {};
//   ON_EVERY_DRIVER(EventTest);
//   TEST_P(EventTest, LetsAllWhoWaitGo) { run(...); }
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "async/driver.h"
#include "async/endpoint.h"
#include "async/frame_pool.h"
#include "async/loop.h"
#include "base/result.h"
#include "tests/simulated/sim_driver.h"

namespace gossamer::async {

enum class TestedDriver : std::uint8_t { epoll, io_uring, sim };

inline std::string_view name(TestedDriver tested) {
  switch (tested) {
    case TestedDriver::epoll: return "epoll";
    case TestedDriver::io_uring: return "io_uring";
    case TestedDriver::sim: return "sim";
  }
  return "?";
}

inline Result<std::unique_ptr<Driver>> make_tested_driver(TestedDriver tested) {
  switch (tested) {
    case TestedDriver::epoll: return make_driver(DriverKind::epoll);
    case TestedDriver::io_uring: return make_driver(DriverKind::io_uring);
    case TestedDriver::sim: break;
  }
  return std::unique_ptr<Driver>(std::make_unique<sim::SimDriver>());
}

// Gives each test a fresh loop, and checks at the end that no task, timer, operation or frame is
// left.
class DriverTest : public testing::TestWithParam<TestedDriver> {
 protected:
  void SetUp() override {
    frames_before_ = FramePool::live();
    auto driver = make_tested_driver(GetParam());
    if (!driver) {
      if (driver.error() == Errc::unsupported) GTEST_SKIP() << driver.error().to_string();
      FAIL() << driver.error().to_string();
    }
    loop_ = std::make_unique<Loop>(std::move(*driver));
  }

  void TearDown() override {
    if (loop_ == nullptr) return;
    EXPECT_TRUE(loop_->timers().empty());
    loop_.reset();  // CHECKs that no task is alive and no operation in flight
    EXPECT_EQ(FramePool::live(), frames_before_);
  }

  Loop& loop() { return *loop_; }
  // For tests of the destruction of the loop.
  void drop_loop() { loop_.reset(); }
  bool is_simulated() const { return GetParam() == TestedDriver::sim; }

  template <class T>
  T run(Task<T> task) {
    return loop_->run(std::move(task));
  }

 private:
  std::int64_t frames_before_ = 0;
  std::unique_ptr<Loop> loop_;
};

inline std::string tested_driver_name(const testing::TestParamInfo<TestedDriver>& tested) {
  return std::string(name(tested.param));
}

#define ON_EVERY_DRIVER(Suite)                                                                    \
  INSTANTIATE_TEST_SUITE_P(                                                                       \
      On, Suite, testing::Values(TestedDriver::epoll, TestedDriver::io_uring, TestedDriver::sim), \
      tested_driver_name)

// For features that the simulated world lacks: descriptors, signals, other threads.
#define ON_REAL_DRIVERS(Suite) \
  INSTANTIATE_TEST_SUITE_P(    \
      On, Suite, testing::Values(TestedDriver::epoll, TestedDriver::io_uring), tested_driver_name)

// Fewer repetitions if every step costs twenty times as much.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#define GOSSAMER_TESTS_SANITIZED
#endif
#endif
#ifndef GOSSAMER_TESTS_SANITIZED
inline constexpr bool kSanitized = false;
#endif

}  // namespace gossamer::async
