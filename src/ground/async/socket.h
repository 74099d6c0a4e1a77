#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "async/driver.h"
#include "async/endpoint.h"
#include "async/operation.h"
#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::async {

class Loop;

// Received bytes, in a buffer that belongs to the driver. Destroy it soon: the buffers are few, and
// when all are lent, receives wait.
class [[nodiscard]] Lent {
 public:
  Lent() = default;
  Lent(Driver& driver, std::uint32_t buffer, Bytes bytes) noexcept
      : driver_(&driver),
        data_(bytes.data()),
        size_(static_cast<std::uint32_t>(bytes.size())),
        buffer_(buffer) {}
  Lent(Lent&& other) noexcept
      : driver_(std::exchange(other.driver_, nullptr)),
        data_(other.data_),
        size_(std::exchange(other.size_, 0)),
        buffer_(other.buffer_) {}
  Lent& operator=(Lent&& other) noexcept {
    Lent old(std::move(*this));
    driver_ = std::exchange(other.driver_, nullptr);
    data_ = other.data_;
    size_ = std::exchange(other.size_, 0);
    buffer_ = other.buffer_;
    return *this;
  }
  ~Lent() {
    if (driver_ != nullptr) driver_->give_back(buffer_);
  }

  Bytes bytes() const { return {data_, size_}; }
  std::size_t size() const { return size_; }
  // Returns whether the peer has closed its side.
  bool end() const { return size_ == 0; }

 private:
  Driver* driver_ = nullptr;
  const std::byte* data_ = nullptr;
  std::uint32_t size_ = 0;  // small, because every reader's frame contains it
  std::uint32_t buffer_ = 0;
};

// A connected TCP stream. Its destructor closes it. At most one receive and one send can be in
// flight, and none when it is destroyed (a structured program guarantees that).
class [[nodiscard]] Socket {
 public:
  class Connect;
  class Receive;
  class Send;
  class Shutdown;

  Socket() = default;
  Socket(Driver& driver, Handle handle) noexcept : driver_(&driver), handle_(handle) {}
  Socket(Socket&& other) noexcept
      : driver_(other.driver_), handle_(std::exchange(other.handle_, Handle::none)) {}
  Socket& operator=(Socket&& other) noexcept {
    Socket old(std::move(*this));
    driver_ = other.driver_;
    handle_ = std::exchange(other.handle_, Handle::none);
    return *this;
  }
  ~Socket() { close(); }

  // co_await Socket::connect(endpoint) gives a Result<Socket>. With a source, the connection uses
  // that local address, and its port unless that is 0. Small sends are not delayed (TCP_NODELAY).
  // REQUIRES: the source has the peer's family.
  static Connect connect(const Endpoint& peer,
                         const std::optional<Endpoint>& source = std::nullopt);

  // co_await socket.receive() gives a Result<Lent>; an empty one means the end of the stream.
  Receive receive() noexcept;
  // co_await socket.send(bytes) gives a Result<void> when the kernel has taken all of them.
  // BORROWS: bytes, until it is over.
  Send send(Bytes bytes) noexcept;
  // co_await socket.shutdown() ends sending; receiving continues. Gives a Result<void>.
  Shutdown shutdown() noexcept;

  void close() noexcept {
    if (handle_ != Handle::none) driver_->close(std::exchange(handle_, Handle::none));
  }
  explicit operator bool() const { return handle_ != Handle::none; }

 private:
  Driver* driver_ = nullptr;
  Handle handle_ = Handle::none;
};

class [[nodiscard]] Socket::Connect final : public ConnectOperation {
 public:
  using ConnectOperation::ConnectOperation;
  Result<Socket> await_resume();
};

class [[nodiscard]] Socket::Receive final : public ReceiveOperation {
 public:
  using ReceiveOperation::ReceiveOperation;
  Result<Lent> await_resume() {
    if (result() > 0) [[likely]] {
      return Lent(driver(), buffer, Bytes(data, static_cast<std::size_t>(result())));
    }
    return failed_or_end();
  }

 private:
  Result<Lent> failed_or_end();
};

class [[nodiscard]] Socket::Send final : public SendOperation {
 public:
  using SendOperation::SendOperation;
  Result<void> await_resume() {
    if (result() >= 0) [[likely]]
      return {};
    return failed();
  }

 private:
  Result<void> failed();
};

class [[nodiscard]] Socket::Shutdown final : public ShutdownOperation {
 public:
  using ShutdownOperation::ShutdownOperation;
  Result<void> await_resume();
};

inline Socket::Receive Socket::receive() noexcept { return Receive(*driver_, handle_); }
inline Socket::Send Socket::send(Bytes bytes) noexcept { return Send(*driver_, handle_, bytes); }
inline Socket::Shutdown Socket::shutdown() noexcept { return Shutdown(*driver_, handle_); }

// A listening TCP socket.
class [[nodiscard]] Listener {
 public:
  class Accept;

  static constexpr int kBacklog = 4096;

  // Port 0 picks a free one; endpoint() returns it. REQUIRES: runs on a loop.
  static Result<Listener> bind(const Endpoint& endpoint, int backlog = kBacklog);
  static Result<Listener> bind(Loop& loop, const Endpoint& endpoint, int backlog = kBacklog);

  Listener(Listener&& other) noexcept
      : driver_(other.driver_),
        handle_(std::exchange(other.handle_, Handle::none)),
        endpoint_(other.endpoint_) {}
  Listener& operator=(Listener&&) = delete;
  ~Listener() {
    if (handle_ != Handle::none) driver_.close(handle_);
  }

  // co_await listener.accept() gives a Result<Socket>. One at a time.
  Accept accept() noexcept;
  const Endpoint& endpoint() const { return endpoint_; }

 private:
  Listener(Driver& driver, Handle handle, const Endpoint& endpoint) noexcept
      : driver_(driver), handle_(handle), endpoint_(endpoint) {}

  Driver& driver_;
  Handle handle_;
  Endpoint endpoint_;
};

class [[nodiscard]] Listener::Accept final : public AcceptOperation {
 public:
  using AcceptOperation::AcceptOperation;
  Result<Socket> await_resume();
};

inline Listener::Accept Listener::accept() noexcept { return Accept(driver_, handle_); }

}  // namespace gossamer::async
