#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "async/endpoint.h"
#include "async/wait.h"
#include "async/worker_threads.h"
#include "base/bytes.h"

namespace gossamer::async {

class Driver;

// A driver's name for a socket or file. It is not a file descriptor: with io_uring it is a slot of
// a table in the kernel, in the simulation a number.
enum class Handle : std::int32_t { none = -1 };

// Bits of readiness of a foreign descriptor.
enum class Readiness : std::uint8_t { none = 0, readable = 1, writable = 2, both = 3 };
constexpr Readiness operator|(Readiness a, Readiness b) {
  return static_cast<Readiness>(static_cast<int>(a) | static_cast<int>(b));
}
constexpr bool includes(Readiness set, Readiness bit) {
  return (static_cast<int>(set) & static_cast<int>(bit)) != 0;
}

// Something a driver does for a coroutine: the wait and the request in one object, in the
// coroutine's frame. The kernel may own its buffers until finish() is called, so a cancelled
// operation still waits for its completion.
class Operation : public Wait {
 public:
  // clang-format off
  enum class Kind : std::uint8_t {
    connect, accept, receive, send, shutdown,  // sockets
    watch,                                     // a foreign descriptor
    open, read, write, sync,                   // files
  };
  // clang-format on

  Kind kind() const { return kind_; }
  Driver& driver() const { return driver_; }

  bool await_ready();
  void cancel() noexcept final;

  // For the driver: ends the operation. `result` is a count or a handle, or -errno.
  void finish(std::int64_t result) noexcept {
    result_ = result;
    performs_ = false;
    complete();
  }
  // For the driver: calls perform() when the loop runs this item, and resumes only if that returns
  // true.
  void perform_when_run() noexcept {
    performs_ = true;
    complete();
  }
  // The same for an operation that another thread will post().
  void perform_when_posted() noexcept { performs_ = true; }
  void set_result(std::int64_t result) noexcept { result_ = result; }
  std::int64_t result() const { return result_; }
  void set_handle(Handle handle) noexcept { handle_ = handle; }
  Handle handle() const { return handle_; }

 protected:
  Operation(Kind kind, Driver& driver, Handle handle) noexcept
      : kind_(kind), handle_(handle), driver_(driver) {}
  ~Operation() = default;

  // Returns Errc::cancelled, or what the result says. `what` names the call for people.
  Result<std::int64_t> outcome(const char* what) const;

 private:
  void run() noexcept final;

  Kind kind_;
  bool performs_ = false;
  Handle handle_;
  Driver& driver_;
  std::int64_t result_ = 0;
};

class ConnectOperation : public Operation {
 public:
  ConnectOperation(Driver& driver, const Endpoint& peer, const std::optional<Endpoint>& source)
      : Operation(Kind::connect, driver, Handle::none), peer(peer), source(source) {}
  const Endpoint peer;
  const std::optional<Endpoint> source;  // where to connect from; nothing: the kernel chooses
  alignas(8) std::array<std::byte, 32> socket_address = {};  // `peer` as a kernel structure

 protected:
  ~ConnectOperation() = default;
};

class AcceptOperation : public Operation {
 public:
  AcceptOperation(Driver& driver, Handle listener) : Operation(Kind::accept, driver, listener) {}
  Handle accepted = Handle::none;  // set by a driver that chooses the socket's slot in advance

 protected:
  ~AcceptOperation() = default;
};

// Receives into a buffer that the driver lends to the reader: a waiting connection owns no buffer.
class ReceiveOperation : public Operation {
 public:
  ReceiveOperation(Driver& driver, Handle socket) : Operation(Kind::receive, driver, socket) {}
  const std::byte* data = nullptr;
  std::uint32_t buffer = 0;  // the driver's index of the lent buffer

 protected:
  ~ReceiveOperation() = default;
};

// Sends everything or fails. `left` is the part that the kernel has not taken yet.
class SendOperation : public Operation {
 public:
  SendOperation(Driver& driver, Handle socket, Bytes bytes)
      : Operation(Kind::send, driver, socket), left(bytes) {}
  Bytes left;

 protected:
  ~SendOperation() = default;
};

class ShutdownOperation : public Operation {
 public:
  ShutdownOperation(Driver& driver, Handle socket) : Operation(Kind::shutdown, driver, socket) {}

 protected:
  ~ShutdownOperation() = default;
};

// Waits until a foreign descriptor (c-ares, a signalfd, a pipe) is ready.
class WatchOperation : public Operation {
 public:
  WatchOperation(Driver& driver, int descriptor, Readiness interest)
      : Operation(Kind::watch, driver, Handle::none), descriptor(descriptor), interest(interest) {}
  const int descriptor;
  const Readiness interest;

 protected:
  ~WatchOperation() = default;
};

enum class OpenMode : std::uint8_t {
  read,            // must exist
  write_new,       // created; must not exist
  write_truncate,  // created or emptied
  read_write,      // created if missing, else its content is kept
};

// Also a job, for a driver that must block a thread to execute it.
class FileOperation : public Operation, public Job {
 public:
  FileOperation(Kind kind, Driver& driver, Handle file) : Operation(kind, driver, file) {}
  void work() noexcept final;

  std::string path;                 // open
  OpenMode mode = OpenMode::read;   // open
  std::byte* read_into = nullptr;   // read
  const std::byte* data = nullptr;  // write
  std::size_t size = 0;             // read, write
  std::uint64_t offset = 0;         // read, write

 protected:
  ~FileOperation() = default;
};

}  // namespace gossamer::async
