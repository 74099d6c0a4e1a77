#include "async/drivers/epoll_driver.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "async/drivers/kernel_address.h"
#include "async/monotonic.h"
#include "base/check.h"

namespace gossamer::async {

namespace {

constexpr std::size_t kFileThreads = 2;
constexpr std::uint32_t kSocketEvents = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

int descriptor_of(const Operation& operation) { return static_cast<int>(operation.handle()); }

// epoll_wait has milliseconds. They are rounded up, so that a timer is never early.
int milliseconds_of(const timespec* limit) {
  if (limit == nullptr) return -1;
  const auto seconds = std::min<std::int64_t>(limit->tv_sec, 1'000'000);
  return static_cast<int>(seconds * 1'000 + (limit->tv_nsec + 999'999) / 1'000'000);
}

}  // namespace

Result<std::unique_ptr<Driver>> EpollDriver::make() {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return fail(Error::from_errno(errno, "epoll_create1"));
  const int wake_up = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (wake_up < 0) {
    const int error = errno;
    ::close(epoll);
    return fail(Error::from_errno(error, "eventfd"));
  }
  return std::unique_ptr<Driver>(new EpollDriver(epoll, wake_up));
}

EpollDriver::EpollDriver(int epoll, int wake_up) : epoll_(epoll), wake_up_(wake_up) {
  CHECK_EQ(add_to_epoll(wake_up_, EPOLLIN | EPOLLET), 0);
}

EpollDriver::~EpollDriver() {
  CHECK(in_flight_ == 0, "{} operations are in flight", in_flight_);
  file_threads_.reset();  // a thread may still be about to wake us
  ::close(wake_up_);
  ::close(epoll_);
}

Instant EpollDriver::now() const { return monotonic_now(); }

EpollDriver::Slot& EpollDriver::slot_of(int descriptor) {
  const auto index = static_cast<std::size_t>(descriptor);
  if (index >= slots_.size()) slots_.resize(index + 1 + index / 8);
  return slots_[index];
}

int EpollDriver::add_to_epoll(int descriptor, std::uint32_t events) {
  epoll_event event = {.events = events, .data = {.fd = descriptor}};
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0) return 0;
  if (errno == EEXIST && epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
  return -errno;
}

bool EpollDriver::start(Operation& operation) {
  ++in_flight_;
  switch (operation.kind()) {
    case Operation::Kind::connect: return start_connect(static_cast<ConnectOperation&>(operation));
    case Operation::Kind::accept:
    case Operation::Kind::receive: {
      Slot& slot = slot_of(descriptor_of(operation));
      CHECK(slot.reader == nullptr, "two readers on one socket");
      return slot.readable ? try_now(operation) : wait_for(slot.reader, operation);
    }
    case Operation::Kind::send: {
      Slot& slot = slot_of(descriptor_of(operation));
      CHECK(slot.writer == nullptr, "two writers on one socket");
      return slot.writable ? try_now(operation) : wait_for(slot.writer, operation);
    }
    case Operation::Kind::shutdown:
      return done(operation, ::shutdown(descriptor_of(operation), SHUT_WR) == 0 ? 0 : -errno);
    case Operation::Kind::watch: return start_watch(static_cast<WatchOperation&>(operation));
    default: return start_file(static_cast<FileOperation&>(operation));
  }
}

bool EpollDriver::done(Operation& operation, std::int64_t result) {
  --in_flight_;
  operation.set_result(result);
  return true;
}

bool EpollDriver::wait_for(Operation*& place, Operation& operation) {
  place = &operation;
  return false;
}

bool EpollDriver::try_now(Operation& operation) {
  if (immediate_left_ == 0) {
    operation.perform_when_run();
    return false;
  }
  --immediate_left_;
  return perform(operation);
}

bool EpollDriver::start_connect(ConnectOperation& operation) {
  const int descriptor = open_client(operation.peer, operation.source, Blocking::no);
  if (descriptor < 0) return done(operation, descriptor);
  const auto length = to_kernel(operation.peer, operation.socket_address);
  const auto* address = reinterpret_cast<const sockaddr*>(operation.socket_address.data());
  const bool connected = ::connect(descriptor, address, static_cast<socklen_t>(length)) == 0;
  int error = connected || errno == EINPROGRESS ? 0 : -errno;
  // Registered after connect(), because an unconnected socket would report a hang-up first.
  if (error == 0) error = add_to_epoll(descriptor, kSocketEvents);
  if (error != 0) {
    ::close(descriptor);
    return done(operation, error);
  }
  operation.set_handle(static_cast<Handle>(descriptor));
  Slot& slot = slot_of(descriptor);
  slot = {};
  if (!connected) return wait_for(slot.writer, operation);
  slot.writable = true;
  return done(operation, 0);
}

bool EpollDriver::start_watch(WatchOperation& operation) {
  std::uint32_t events = EPOLLONESHOT;
  if (includes(operation.interest, Readiness::readable)) events |= EPOLLIN | EPOLLRDHUP;
  if (includes(operation.interest, Readiness::writable)) events |= EPOLLOUT;
  Slot& slot = slot_of(operation.descriptor);
  CHECK(slot.reader == nullptr && slot.writer == nullptr, "two watches on one descriptor");
  slot = {};
  const int error = add_to_epoll(operation.descriptor, events);
  // Regular files cannot be polled, because they are always ready.
  if (error == -EPERM) return done(operation, static_cast<int>(operation.interest));
  if (error != 0) return done(operation, error);
  return wait_for(slot.reader, operation);
}

bool EpollDriver::start_file(FileOperation& operation) {
  if (!file_threads_) file_threads_.emplace(kFileThreads);
  operation.perform_when_posted();
  file_threads_->submit(operation);
  return false;
}

void EpollDriver::cancel(Operation& operation) noexcept {
  switch (operation.kind()) {
    case Operation::Kind::open:
    case Operation::Kind::read:
    case Operation::Kind::write:
    case Operation::Kind::sync:
      if (!file_threads_->withdraw(static_cast<FileOperation&>(operation))) return;
      operation.set_result(-ECANCELED);
      operation.perform_when_run();
      return;
    case Operation::Kind::watch: {
      const int descriptor = static_cast<WatchOperation&>(operation).descriptor;
      slot_of(descriptor).reader = nullptr;
      epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
      break;
    }
    case Operation::Kind::connect:
      slot_of(descriptor_of(operation)).writer = nullptr;
      ::close(descriptor_of(operation));
      break;
    case Operation::Kind::receive: std::erase(starving_, &operation); [[fallthrough]];
    case Operation::Kind::accept: slot_of(descriptor_of(operation)).reader = nullptr; break;
    default: slot_of(descriptor_of(operation)).writer = nullptr; break;
  }
  --in_flight_;
  operation.finish(-ECANCELED);
}

bool EpollDriver::perform(Operation& operation) {
  switch (operation.kind()) {
    case Operation::Kind::connect:
      return perform_connect(static_cast<ConnectOperation&>(operation));
    case Operation::Kind::accept: return perform_accept(operation);
    case Operation::Kind::receive:
      return perform_receive(static_cast<ReceiveOperation&>(operation));
    case Operation::Kind::send: return perform_send(static_cast<SendOperation&>(operation));
    default: return done(operation, operation.result());  // a file operation, done by a thread
  }
}

bool EpollDriver::perform_connect(ConnectOperation& operation) {
  const int descriptor = descriptor_of(operation);
  int error = 0;
  socklen_t length = sizeof(error);
  if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) != 0) error = errno;
  if (error != 0) ::close(descriptor);
  return done(operation, -error);
}

bool EpollDriver::perform_accept(Operation& operation) {
  const int listener = descriptor_of(operation);
  int descriptor = -1;
  do {  // a connection that ended in the backlog says nothing about those after it
    descriptor = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  } while (descriptor < 0 && errno == ECONNABORTED);
  if (descriptor < 0) {
    if (errno != EAGAIN) return done(operation, -errno);
    Slot& slot = slot_of(listener);
    slot.readable = false;
    return wait_for(slot.reader, operation);
  }
  if (const int error = add_to_epoll(descriptor, kSocketEvents); error != 0) {
    ::close(descriptor);
    return done(operation, error);
  }
  slot_of(descriptor) = {.writable = true};
  return done(operation, descriptor);
}

bool EpollDriver::perform_receive(ReceiveOperation& operation) {
  const auto buffer = buffers_.take();
  if (!buffer) {
    starving_.push_back(&operation);
    return false;
  }
  const int descriptor = descriptor_of(operation);
  const ssize_t count = recv(descriptor, buffers_.data(*buffer), LentBuffers::kBytes, 0);
  if (count > 0) [[likely]] {
    // Less than the buffer holds: the kernel has no more data, and a new edge will announce more.
    // This does not hold if the peer has hung up, because that edge has already passed.
    Slot& slot = slot_of(descriptor);
    slot.readable = static_cast<std::size_t>(count) == LentBuffers::kBytes || slot.hung_up;
    operation.data = buffers_.data(*buffer);
    operation.buffer = *buffer;
    return done(operation, count);
  }
  const int error = errno;
  give_back(*buffer);
  if (count == 0) return done(operation, 0);
  if (error != EAGAIN) return done(operation, -error);
  Slot& slot = slot_of(descriptor);
  slot.readable = false;
  return wait_for(slot.reader, operation);
}

bool EpollDriver::perform_send(SendOperation& operation) {
  const int descriptor = descriptor_of(operation);
  while (!operation.left.empty()) {
    const ssize_t count =
        ::send(descriptor, operation.left.data(), operation.left.size(), MSG_NOSIGNAL);
    if (count < 0) {
      if (errno != EAGAIN) return done(operation, -errno);
      Slot& slot = slot_of(descriptor);
      slot.writable = false;
      return wait_for(slot.writer, operation);
    }
    operation.left = operation.left.subspan(static_cast<std::size_t>(count));
  }
  return done(operation, 0);
}

void EpollDriver::wake_operation(Operation*& place) {
  if (place == nullptr) return;
  std::exchange(place, nullptr)->perform_when_run();
}

void EpollDriver::on_event(int descriptor, std::uint32_t events) {
  if (descriptor == wake_up_) {
    std::uint64_t count = 0;
    while (read(wake_up_, &count, sizeof(count)) > 0) {
    }
    return;
  }
  Slot& slot = slot_of(descriptor);
  if (slot.reader != nullptr && slot.reader->kind() == Operation::Kind::watch) {
    auto& watch = static_cast<WatchOperation&>(*std::exchange(slot.reader, nullptr));
    Readiness ready = Readiness::none;
    if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) ready = Readiness::readable;
    if ((events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) ready = ready | Readiness::writable;
    --in_flight_;
    watch.finish(static_cast<int>(ready));
    return;
  }
  if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) slot.hung_up = true;
  if ((events & EPOLLIN) != 0 || slot.hung_up) {
    slot.readable = true;
    wake_operation(slot.reader);
  }
  if ((events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) {
    slot.writable = true;
    wake_operation(slot.writer);
  }
}

bool EpollDriver::poll(Instant until) {
  std::array<epoll_event, kEventsMax> events;
  const int count = wait_for_events(until, events);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    on_event(event.data.fd, event.events);
  }
  immediate_left_ = kImmediateMax;
  return true;
}

int EpollDriver::wait_for_events(Instant until, std::span<epoll_event> events) {
  const int size = static_cast<int>(events.size());
  if (until == Instant::min() || !inbox().prepare_to_sleep()) {
    return epoll_wait(epoll_, events.data(), size, 0);
  }
  const Instant begun = now();
  const timespec timeout = time_left(begun, until);
  const timespec* const limit = until == base::kNever ? nullptr : &timeout;
  int count = epoll_pwait2(epoll_, events.data(), size, limit, nullptr);
  // Linux before 5.11 lacks the call, and filters of some containers forbid it.
  if (count < 0 && (errno == ENOSYS || errno == EPERM)) {
    count = epoll_wait(epoll_, events.data(), size, milliseconds_of(limit));
  }
  add_wait(now() - begun);
  inbox().woke_up();
  return count;
}

Result<Handle> EpollDriver::listen(Endpoint& endpoint, int backlog) {
  auto descriptor = open_listener(endpoint, backlog);
  if (!descriptor) return fail(std::move(descriptor).error());
  if (const int error = add_to_epoll(*descriptor, EPOLLIN | EPOLLET); error != 0) {
    ::close(*descriptor);
    return fail(Error::from_errno(-error, "epoll_ctl"));
  }
  slot_of(*descriptor) = {};
  return static_cast<Handle>(*descriptor);
}

void EpollDriver::close(Handle handle) noexcept {
  const int descriptor = static_cast<int>(handle);
  Slot& slot = slot_of(descriptor);
  CHECK(slot.reader == nullptr && slot.writer == nullptr, "closed with an operation in flight");
  slot = {};
  ::close(descriptor);
}

void EpollDriver::give_back(std::uint32_t buffer) noexcept {
  buffers_.give_back(buffer);
  if (starving_.empty()) return;
  ReceiveOperation& operation = *starving_.front();
  starving_.pop_front();
  operation.perform_when_run();
}

void EpollDriver::wake() noexcept {
  const std::uint64_t one = 1;
  static_cast<void>(write(wake_up_, &one, sizeof(one)));
}

}  // namespace gossamer::async
