// Measures a round trip from another thread to a sleeping loop, in wall time, since both sides
// wait. The floor is two threads that only wake each other through eventfds.
#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <thread>

#include "async/event.h"
#include "async/loop.h"
#include "base/check.h"
#include "bench/async/benchmarks.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"

namespace gossamer::bench {

namespace {

// A flag that one thread waits for and another sets.
class Bell {
 public:
  Bell() : descriptor_(eventfd(0, EFD_CLOEXEC)) { CHECK(descriptor_ >= 0); }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  ~Bell() { close(descriptor_); }

  void ring() const { CHECK_EQ(eventfd_write(descriptor_, 1), 0); }
  void wait() const {
    eventfd_t count = 0;
    CHECK_EQ(eventfd_read(descriptor_, &count), 0);
  }

 private:
  int descriptor_;
};

double us_each(double begin_ns, std::uint64_t rounds) {
  return (wall_ns() - begin_ns) / 1000 / static_cast<double>(rounds);
}

double bells_only(std::uint64_t rounds) {
  const Bell there;
  const Bell back;
  std::thread other([&] {
    claim_core(kServerCore);
    for (std::uint64_t i = 0; i < rounds; ++i) {
      there.wait();
      back.ring();
    }
  });
  const double begin = wall_ns();
  for (std::uint64_t i = 0; i < rounds; ++i) {
    there.ring();
    back.wait();
  }
  const double us = us_each(begin, rounds);
  other.join();
  return us;
}

async::Task<Result<void>> wait_for(async::Event* over) { co_return co_await over->wait(); }

double post_to_loop(async::DriverKind kind, std::uint64_t rounds) {
  auto driver = async::make_driver(kind);
  CHECK(driver.has_value(), "{}", driver.error().to_string());
  async::Loop loop(std::move(*driver));
  async::Event over;
  const Bell back;
  double us = 0;
  std::thread other([&] {
    claim_core(kServerCore);
    const double begin = wall_ns();
    for (std::uint64_t i = 0; i < rounds; ++i) {
      loop.post([&] { back.ring(); });
      back.wait();
    }
    us = us_each(begin, rounds);
    loop.post([&] { over.set(); });
  });
  CHECK(loop.run(wait_for(&over)).has_value());
  other.join();
  return us;
}

}  // namespace

void post_round_trip(const Options& options, Report& report) {
  report.heading("post: from another thread to a sleeping loop and back, on the wall");
  const std::uint64_t rounds = options.quick ? 2'000 : 20'000;
  const bool has_uring = async::make_driver(async::DriverKind::io_uring).has_value();
  const auto samples = in_turns(options.quick ? 1 : 7, has_uring ? 3 : 2, [&](std::size_t i) {
    return measure_in_child([&] {
      if (i == 0) return bells_only(rounds);
      return post_to_loop(i == 1 ? async::DriverKind::epoll : async::DriverKind::io_uring, rounds);
    });
  });
  for (std::size_t i = 1; i < samples.size(); ++i) {
    report.add({.name = fmt::format("post round trip: {}", i == 1 ? "epoll" : "io_uring"),
                .value = median(samples[i]),
                .unit = "us",
                .floor = median(samples[0])});
  }
}

}  // namespace gossamer::bench
