#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "async/driver.h"

namespace gossamer::async {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

// From now on this process has a kernel without epoll_pwait2.
bool forbid_epoll_pwait2() {
  std::array<sock_filter, 4> program = {{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_epoll_pwait2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog filter{.len = program.size(), .filter = program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(MakeDriverTest, NamesAreThoseOfTheOption) {
  const auto expect = [](const char* text, DriverKind kind) {
    const auto parsed = parse_driver_kind(text);
    ASSERT_TRUE(parsed.has_value()) << text;
    EXPECT_EQ(*parsed, kind) << text;
  };
  expect("auto", DriverKind::automatic);
  expect("io_uring", DriverKind::io_uring);
  expect("epoll", DriverKind::epoll);
}

TEST(MakeDriverTest, AnUnknownNameIsAnErrorThatListsTheKnownOnes) {
  for (const char* text : {"", "Auto", "uring", "kqueue", "epoll "}) {
    const auto parsed = parse_driver_kind(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_EQ(parsed.error(), Errc::invalid_argument);
    EXPECT_THAT(parsed.error().to_string(), HasSubstr("auto, io_uring or epoll"));
  }
}

TEST(MakeDriverTest, EpollIsAlwaysAvailable) {
  const auto driver = make_driver(DriverKind::epoll);
  ASSERT_TRUE(driver.has_value()) << driver.error().to_string();
  EXPECT_EQ((*driver)->name(), "epoll");
  EXPECT_EQ((*driver)->operations_in_flight(), 0u);
}

TEST(MakeDriverTest, EpollWaitsOnAKernelWithoutItsNewestCall) {
  if (prctl(PR_GET_SECCOMP) < 0) GTEST_SKIP() << "calls cannot be forbidden here, as under qemu";
  const auto wait_once = [] {
    if (!forbid_epoll_pwait2()) std::_Exit(2);
    const auto driver = make_driver(DriverKind::epoll);
    if (!driver) std::_Exit(3);
    const Instant until = (*driver)->now() + std::chrono::milliseconds(20);
    (*driver)->poll(until);
    std::_Exit((*driver)->now() >= until ? 0 : 1);
  };
  EXPECT_EXIT(wait_once(), testing::ExitedWithCode(0), "");
}

TEST(MakeDriverTest, IoUringWorksOrSaysThatItIsUnsupported) {
  const auto driver = make_driver(DriverKind::io_uring);
  if (driver) {
    EXPECT_EQ((*driver)->name(), "io_uring");
  } else {
    EXPECT_EQ(driver.error(), Errc::unsupported);
  }
}

TEST(MakeDriverTest, AutomaticTakesIoUringWhereItWorks) {
  const bool has_io_uring = make_driver(DriverKind::io_uring).has_value();
  const auto driver = make_driver(DriverKind::automatic);
  ASSERT_TRUE(driver.has_value());
  EXPECT_EQ((*driver)->name(), has_io_uring ? "io_uring" : "epoll");
}

TEST(MakeDriverTest, TheClockOfADriverNeverGoesBack) {
  for (const DriverKind kind : {DriverKind::epoll, DriverKind::automatic}) {
    const auto driver = make_driver(kind);
    ASSERT_TRUE(driver.has_value());
    Instant before = (*driver)->now();
    for (int i = 0; i < 1000; ++i) {
      const Instant now = (*driver)->now();
      ASSERT_GE(now, before);
      before = now;
    }
  }
}

}  // namespace
}  // namespace gossamer::async
