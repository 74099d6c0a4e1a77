#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "async/driver.h"
#include "async/drivers/uring_ring.h"

struct io_uring_cqe;
struct io_uring_sqe;

namespace gossamer::async {

// The fast driver: requests and completions pass through memory shared with the kernel, and one
// system call serves a whole turn of the loop. Sockets are direct descriptors and received bytes go
// into the ring's own buffers, so a waiting connection costs this process only its coroutine.
//
// The loop sleeps on the first ring. Further rings are added when its table of descriptors is full;
// they signal the same eventfd as post().
//
// Make it on the thread that will run it: the kernel ties a ring to its thread.
class UringDriver final : public Driver {
 public:
  static Result<std::unique_ptr<Driver>> make();
  ~UringDriver() override;

  std::string_view name() const override { return "io_uring"; }
  Instant now() const override;
  bool start(Operation& operation) override;
  void cancel(Operation& operation) noexcept override;
  bool poll(Instant until) override;
  Result<Handle> listen(Endpoint& endpoint, int backlog) override;
  void close(Handle handle) noexcept override;
  void give_back(std::uint32_t buffer) noexcept override;
  std::optional<std::uint64_t> connections_max() const override;
  std::size_t operations_in_flight() const override { return in_flight_; }

 private:
  // Where a handle is: a slot of a ring's table, or an ordinary descriptor.
  struct Place {
    UringRing& ring;
    std::int32_t index;
    bool is_slot;
  };

  explicit UringDriver(int wake_up) : wake_up_(wake_up) {}

  void wake() noexcept override;
  Result<void> add_ring();
  Place place_of(Handle handle);
  Handle take_slot();
  void release_slot(Handle handle);
  UringRing& ring_of(const Operation& operation);
  int make_socket(const ConnectOperation& operation, Place place);
  bool start_connect(ConnectOperation& operation, Handle slot);
  void start_accept(AcceptOperation& operation, Handle slot);
  void start_receive(ReceiveOperation& operation);
  void start_send(SendOperation& operation);
  void start_shutdown(Operation& operation);
  void start_watch(WatchOperation& operation);
  void start_file(FileOperation& operation);
  void arm_wake_up();
  void wait(Instant until);
  void sleep(UringRing& ring, Instant until);
  void reap(std::uint32_t ring_index);
  void on_completion(std::uint32_t ring_index, const io_uring_cqe& completion);
  void finish(Operation& operation, std::int64_t result);
  void on_received(ReceiveOperation& operation, std::uint32_t ring_index,
                   const io_uring_cqe& completion);
  void on_sent(SendOperation& operation, std::int32_t result);
  void on_connected(ConnectOperation& operation, std::int32_t result);
  void on_accepted(AcceptOperation& operation, std::int32_t result);

  int wake_up_;
  std::uint64_t wake_up_count_ = 0;
  std::vector<std::unique_ptr<UringRing>> rings_;
  std::size_t in_flight_ = 0;
  std::uint64_t turn_ = 0;  // counts polls
};

}  // namespace gossamer::async
