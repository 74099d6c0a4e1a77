#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "async/endpoint.h"
#include "async/inbox.h"
#include "async/operation.h"
#include "base/time.h"

namespace gossamer::async {

// How the loop reaches the world: it starts operations, tells the time and waits. There are three
// (io_uring, epoll, and the seeded simulation in sim/); whoever uses sockets and timers cannot
// tell which one is at work. Only the drivers' sources include kernel headers.
//
// Belongs to one loop and one thread; only post() may be called from others.
class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  virtual std::string_view name() const = 0;
  virtual Instant now() const = 0;

  // Starts `operation`. True: it is over already and its result is set. False: finish() (or
  // perform_when_run()) will be called from poll().
  virtual bool start(Operation& operation) = 0;

  // Asks a started operation to end soon. It still ends by finish(), with -ECANCELED or, when it
  // was quicker, with its result.
  virtual void cancel(Operation& operation) noexcept = 0;

  // The second half of an operation that ended with perform_when_run(). False: it goes on waiting.
  virtual bool perform(Operation& operation);

  // Reaps what has completed; waits for it until `until` at the latest when nothing has, and
  // returns early when woken by post(). `until` in the past: does not wait. False: nothing is
  // under way that could ever complete, which only a simulated world can know.
  virtual bool poll(Instant until) = 0;

  // How long poll() has waited because there was nothing to do, all in all.
  Duration waited() const noexcept { return waited_; }

  // Listens for connections; port 0 takes a free one, which `endpoint` then tells.
  virtual Result<Handle> listen(Endpoint& endpoint, int backlog) = 0;

  // Ends a socket, listener or file without waiting. REQUIRES: nothing is in flight on it.
  virtual void close(Handle handle) noexcept = 0;

  // A reader is done with a lent buffer.
  virtual void give_back(std::uint32_t buffer) noexcept = 0;

  // How many connections fit, whatever the limit on open files says; nothing: that limit decides.
  virtual std::optional<std::uint64_t> connections_max() const { return std::nullopt; }

  // Operations that were started and have not ended.
  virtual std::size_t operations_in_flight() const = 0;

  // Runs `item` on the loop's thread, soon. Any thread.
  void post(Ready& item) noexcept {
    if (inbox_.push(item)) wake();
  }
  Inbox& inbox() { return inbox_; }

 protected:
  // Makes a poll() that waits return. Any thread.
  virtual void wake() noexcept = 0;
  void add_wait(Duration took) noexcept { waited_ += took; }

 private:
  Inbox inbox_;
  Duration waited_ = Duration::zero();
};

enum class DriverKind : std::uint8_t { automatic, io_uring, epoll };

// `automatic` takes io_uring where the kernel allows it, else epoll.
// Fails with Errc::unsupported when the one asked for is not to be had.
Result<std::unique_ptr<Driver>> make_driver(DriverKind kind);

// "auto", "io_uring", "epoll". Fails with Errc::invalid_argument.
Result<DriverKind> parse_driver_kind(std::string_view text);

}  // namespace gossamer::async
