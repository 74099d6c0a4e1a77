#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "async/driver.h"
#include "async/drivers/lent_buffers.h"
#include "async/worker_threads.h"

struct epoll_event;

namespace gossamer::async {

// The driver that works everywhere: edge-triggered epoll, with every descriptor registered once.
//
// Readiness is remembered per descriptor, so a receive with nothing to read makes no system call,
// and a request on a reused connection makes two (send, recv). The system call is made when the
// coroutine runs, so that the bytes are still in the cache when it reads them. File operations
// block, so two threads execute them.
class EpollDriver final : public Driver {
 public:
  static Result<std::unique_ptr<Driver>> make();
  ~EpollDriver() override;

  std::string_view name() const override { return "epoll"; }
  Instant now() const override;
  bool start(Operation& operation) override;
  void cancel(Operation& operation) noexcept override;
  bool perform(Operation& operation) override;
  bool poll(Instant until) override;
  Result<Handle> listen(Endpoint& endpoint, int backlog) override;
  void close(Handle handle) noexcept override;
  void give_back(std::uint32_t buffer) noexcept override;
  std::size_t operations_in_flight() const override { return in_flight_; }

 private:
  // The state of a descriptor, indexed by its number.
  struct Slot {
    Operation* reader = nullptr;
    Operation* writer = nullptr;
    bool readable = false;
    bool writable = false;
    bool hung_up = false;
  };

  // At most this many operations complete immediately between two polls. Further ones are queued,
  // so that a peer with endless data cannot monopolise the loop.
  static constexpr std::uint32_t kImmediateMax = 256;
  static constexpr std::size_t kEventsMax = 128;

  EpollDriver(int epoll, int wake_up);

  void wake() noexcept override;
  Slot& slot_of(int descriptor);
  int add_to_epoll(int descriptor, std::uint32_t events);
  bool start_connect(ConnectOperation& operation);
  bool start_watch(WatchOperation& operation);
  bool start_file(FileOperation& operation);
  bool wait_for(Operation*& place, Operation& operation);
  bool try_now(Operation& operation);
  bool perform_connect(ConnectOperation& operation);
  bool perform_accept(Operation& operation);
  bool perform_receive(ReceiveOperation& operation);
  bool perform_send(SendOperation& operation);
  bool done(Operation& operation, std::int64_t result);
  void on_event(int descriptor, std::uint32_t events);
  void wake_operation(Operation*& place);
  int wait_for_events(Instant until, std::span<epoll_event> events);

  int epoll_;
  int wake_up_;
  std::vector<Slot> slots_;
  LentBuffers buffers_;
  std::deque<ReceiveOperation*> starving_;     // receives that found no free buffer
  std::optional<WorkerThreads> file_threads_;  // made when the first file is opened
  std::size_t in_flight_ = 0;
  std::uint32_t immediate_left_ = kImmediateMax;
};

}  // namespace gossamer::async
