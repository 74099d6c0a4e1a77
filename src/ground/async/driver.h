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

// The loop's access to the world: it starts operations, tells the time and waits. There are three
// drivers (io_uring, epoll, and the seeded simulation in tests/simulated). Code that uses sockets
// and timers cannot distinguish them. Only the drivers' sources include kernel headers.
//
// It belongs to one loop and one thread; other threads may only call post().
class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  virtual std::string_view name() const = 0;
  virtual Instant now() const = 0;

  // Starts `operation`. Returns true if it has already ended and its result is set. Otherwise
  // poll() will call finish() (or perform_when_run()).
  virtual bool start(Operation& operation) = 0;

  // Requests that a started operation end soon. It still ends by finish(), with -ECANCELED or, if
  // it was faster, with its result.
  virtual void cancel(Operation& operation) noexcept = 0;

  // Does the second half of an operation that ended with perform_when_run(). Returns false if it
  // must wait again.
  virtual bool perform(Operation& operation);

  // Handles completions; if there are none, waits for them until `until`, or until post() wakes it.
  // Does not wait if `until` is in the past. Returns false if nothing is pending that could ever
  // complete, which only a simulated world can know.
  virtual bool poll(Instant until) = 0;

  // Returns how long poll() has waited in total because there was nothing to do.
  Duration waited() const noexcept { return waited_; }

  // Listens for connections; port 0 picks a free one and stores it in `endpoint`.
  virtual Result<Handle> listen(Endpoint& endpoint, int backlog) = 0;

  // Closes a socket, listener or file without waiting. REQUIRES: no operation on it is in flight.
  virtual void close(Handle handle) noexcept = 0;

  // Returns a lent buffer to the driver.
  virtual void give_back(std::uint32_t buffer) noexcept = 0;

  // Returns how many connections fit, whatever the limit on open files; nothing if that limit
  // decides.
  virtual std::optional<std::uint64_t> connections_max() const { return std::nullopt; }

  // Returns the number of operations that were started and have not ended.
  virtual std::size_t operations_in_flight() const = 0;

  // Runs `item` on the loop's thread, soon. Any thread may call it.
  void post(Ready& item) noexcept {
    if (inbox_.push(item)) wake();
  }
  Inbox& inbox() { return inbox_; }

 protected:
  // Wakes a waiting poll(). Any thread may call it.
  virtual void wake() noexcept = 0;
  void add_wait(Duration took) noexcept { waited_ += took; }

 private:
  Inbox inbox_;
  Duration waited_ = Duration::zero();
};

enum class DriverKind : std::uint8_t { automatic, io_uring, epoll };

// `automatic` uses io_uring if the kernel allows it, else epoll.
// Fails with Errc::unsupported if the requested driver is not available.
Result<std::unique_ptr<Driver>> make_driver(DriverKind kind);

// Parses "auto", "io_uring" or "epoll". Fails with Errc::invalid_argument.
Result<DriverKind> parse_driver_kind(std::string_view text);

}  // namespace gossamer::async
