// Measures the memory of a connection that waits for its first byte, with everything the runtime
// keeps for it: frame, task, table entries. Then all connections are answered.
#include <fmt/format.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "async/descriptor_limit.h"
#include "async/drivers/kernel_address.h"
#include "async/loop.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "base/check.h"
#include "bench/async/benchmarks.h"
#include "bench/servers/holding_servers.h"
#include "bench/support/cpu.h"
#include "bench/support/memory.h"

namespace gossamer::bench {

namespace {

constexpr double kBytesEachMax = 350;

struct WaitCost {
  double connections = 0;
  MemoryUse memory;        // of all waiting connections
  double frame_bytes = 0;  // of one, on the heap: frame, task, share of tables
  double kernel_stacks = 0;
  double answered = 0;
  double answer_cpu_us = 0;  // to handle all responses
};

// The state that all waiting connections share.
struct Crowd {
  const HoldingServers& servers;
  std::uint64_t connected = 0;
  std::uint64_t answered = 0;
};

// A connection that waits for its first byte.
// BORROWS: crowd, which outlives the scope this runs in.
async::Task<void> wait_for_a_byte(Crowd& crowd, async::Socket socket) {
  auto lent = co_await socket.receive();
  if (lent) crowd.answered += lent->size();
}

// BORROWS: crowd and scope, in which this runs too.
async::Task<Result<void>> connect(Crowd& crowd, async::Scope& scope, std::uint64_t number) {
  auto socket = co_await async::Socket::connect(crowd.servers.endpoint_of(number));
  if (!socket) co_return fail(std::move(socket).error());
  scope.spawn(wait_for_a_byte(crowd, std::move(*socket)));
  ++crowd.connected;
  co_return {};
}

// BORROWS: servers and cost, which outlive the loop.
async::Task<Result<void>> connect_and_wait(const HoldingServers& servers, WaitCost& cost,
                                           std::uint64_t connections) {
  constexpr std::uint64_t kAtOnce = 128;  // fewer than a server's backlog
  Crowd crowd = {.servers = servers};
  async::Scope scope;
  const MemoryUse memory = memory_use();
  const double heap = heap_bytes();
  for (std::uint64_t i = 0; i < connections; ++i) {
    scope.spawn(connect(crowd, scope, i));
    const bool pause = (i + 1) % kAtOnce == 0 || i + 1 == connections;
    while (pause && crowd.connected <= i && scope.size() > i) {
      static_cast<void>(co_await async::sleep(1ms));
    }
  }
  cost.frame_bytes = (heap_bytes() - heap) / static_cast<double>(connections);
  cost.connections = static_cast<double>(crowd.connected);
  cost.memory = memory_use() - memory;
  const CpuTime cpu = process_cpu_time();
  servers.release();
  auto joined = co_await scope.join();
  cost.answer_cpu_us = (process_cpu_time() - cpu).total_us();
  cost.answered = static_cast<double>(crowd.answered);
  co_return joined;
}

WaitCost wait_on_loop(async::DriverKind kind, const HoldingServers& servers,
                      std::uint64_t connections) {
  async::raise_descriptor_limit();
  auto driver = async::make_driver(kind);
  CHECK(driver.has_value(), "{}", driver.error().to_string());
  async::Loop loop(std::move(*driver));
  WaitCost cost;
  const auto done = loop.run(connect_and_wait(servers, cost, connections));
  CHECK(done.has_value(), "{}", done.error().to_string());
  return cost;
}

struct ThreadWork {
  async::Endpoint server;
  std::atomic<std::uint64_t>* connected;
  std::atomic<std::uint64_t>* answered;
};

void* wait_in_thread(void* argument) {
  const auto& work = *static_cast<const ThreadWork*>(argument);
  alignas(8) std::array<std::byte, 32> address = {};
  const auto length = static_cast<socklen_t>(async::to_kernel(work.server, address));
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK_EQ(connect(descriptor, reinterpret_cast<const sockaddr*>(address.data()), length), 0);
  ++*work.connected;
  char byte = 0;
  *work.answered += static_cast<std::uint64_t>(recv(descriptor, &byte, 1, 0));
  close(descriptor);
  return nullptr;
}

WaitCost wait_in_threads(const HoldingServers& servers, std::uint64_t connections) {
  constexpr std::size_t kStackBytes = 64 * 1024;
  async::raise_descriptor_limit();
  std::atomic<std::uint64_t> connected = 0;
  std::atomic<std::uint64_t> answered = 0;
  std::vector<ThreadWork> works;
  for (std::uint64_t i = 0; i < connections; ++i) {
    works.push_back({servers.endpoint_of(i), &connected, &answered});
  }
  std::vector<pthread_t> threads(connections);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);

  const MemoryUse memory = memory_use();
  const double stacks = kernel_stack_bytes();
  for (std::uint64_t i = 0; i < connections; ++i) {
    CHECK_EQ(pthread_create(&threads[i], &attributes, wait_in_thread, &works[i]), 0);
  }
  while (connected < connections) usleep(1000);
  WaitCost cost = {.connections = static_cast<double>(connections),
                   .memory = memory_use() - memory,
                   .kernel_stacks = kernel_stack_bytes() - stacks};
  const CpuTime cpu = process_cpu_time();
  servers.release();
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  cost.answer_cpu_us = (process_cpu_time() - cpu).total_us();
  cost.answered = static_cast<double>(answered);
  return cost;
}

void report_answers(const std::string& title, const WaitCost& cost, Report& report) {
  report.add({.name = title + ": CPU per answer",
              .value = cost.answer_cpu_us / cost.connections,
              .unit = "us"});
  report.add({.name = title + ": not answered",
              .value = cost.connections - cost.answered,
              .unit = "",
              .target = 0});
}

void report_loop(async::DriverKind kind, std::string_view name, std::uint64_t connections,
                 Report& report) {
  const HoldingServers servers(connections);
  const WaitCost cost = measure_in_child([&] { return wait_on_loop(kind, servers, connections); });
  const std::string title = fmt::format("wait {}, {} connections", name, cost.connections);
  report.heading(title);
  report.add({.name = title + ": memory of each",
              .value = cost.memory.resident / cost.connections,
              .unit = "B",
              .target = kBytesEachMax});
  report.add({.name = title + ": heap of each", .value = cost.frame_bytes, .unit = "B"});
  report_answers(title, cost, report);
}

}  // namespace

void wait_on_epoll(const Options& options, Report& report) {
  constexpr std::uint64_t kConnections = 19'000;
  constexpr std::uint64_t kOtherDescriptors = 64;
  const std::uint64_t possible = async::raise_descriptor_limit().most - kOtherDescriptors;
  const std::uint64_t wanted = options.quick ? kConnections / 10 : kConnections;
  report_loop(async::DriverKind::epoll, "epoll", std::min(wanted, possible), report);
}

void wait_on_uring(const Options& options, Report& report) {
  if (!async::make_driver(async::DriverKind::io_uring)) {
    report.heading("wait io_uring: skipped, the kernel does not allow it");
    return;
  }
  report_loop(async::DriverKind::io_uring, "io_uring", options.quick ? 20'000 : 200'000, report);
}

void wait_in_a_thread_each(const Options& options, Report& report) {
  const std::uint64_t connections = options.quick ? 500 : 2'000;
  const HoldingServers servers(connections);
  const WaitCost cost = measure_in_child([&] { return wait_in_threads(servers, connections); });
  const std::string title = fmt::format("wait threads, {} connections", connections);
  report.heading(title);
  report.add({.name = title + ": memory of each",
              .value = cost.memory.resident / cost.connections,
              .unit = "B"});
  report.add({.name = title + ": page tables of each",
              .value = cost.memory.page_tables / cost.connections,
              .unit = "B"});
  report.add({.name = title + ": kernel stack of each",
              .value = cost.kernel_stacks / cost.connections,
              .unit = "B"});
  report_answers(title, cost, report);
}

}  // namespace gossamer::bench
