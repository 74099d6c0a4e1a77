#include "async/drivers/uring_driver.h"

#include <fcntl.h>
#include <liburing.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "async/drivers/kernel_address.h"
#include "async/monotonic.h"
#include "async/open_flags.h"
#include "base/check.h"

namespace gossamer::async {

namespace {

// A handle:  0 | ring (14 bits) | slot (16 bits)     a direct descriptor
//            0 | 1 | descriptor                      an ordinary one (listeners, files)
constexpr std::uint32_t kOrdinary = 1u << 30;
constexpr std::uint32_t kRingsMax = 64;
constexpr std::uint32_t kSlotsMax = 1u << 15;

// Identifies the owner of a completion: an operation, tagged in its low bits, or one of these.
constexpr std::uint64_t kWakeUp = 1;
constexpr std::uint64_t kTagMask = 7;
constexpr std::uint64_t kCloseTag = 3;   // the rest is the handle
constexpr std::uint64_t kCancelTag = 4;  // a cancellation; the operation may be gone

constexpr std::uint32_t kFirstRingBuffers = 256;
constexpr std::uint32_t kFurtherRingBuffers = 64;

std::uint64_t name_of(const Operation& operation, std::uint64_t tag = 0) {
  return reinterpret_cast<std::uintptr_t>(&operation) | tag;
}

// Call it after io_uring_prep_*, which clears the flags.
void address(io_uring_sqe& entry, const Operation& operation, bool is_slot) {
  entry.user_data = name_of(operation);
  if (is_slot) entry.flags |= IOSQE_FIXED_FILE;
}

bool kernel_has_what_we_need(io_uring& ring) {
  io_uring_probe* const probe = io_uring_get_probe_ring(&ring);
  if (probe == nullptr) return false;
  const bool all = io_uring_opcode_supported(probe, IORING_OP_SHUTDOWN) != 0 &&
                   io_uring_opcode_supported(probe, IORING_OP_ASYNC_CANCEL) != 0;
  io_uring_free_probe(probe);
  return all;
}

}  // namespace

Result<std::unique_ptr<Driver>> UringDriver::make() {
  const int wake_up = eventfd(0, EFD_CLOEXEC);
  if (wake_up < 0) return fail(Error::from_errno(errno, "eventfd"));
  std::unique_ptr<UringDriver> driver(new UringDriver(wake_up));
  if (auto ring = driver->add_ring(); !ring) return fail(std::move(ring).error());
  if (!kernel_has_what_we_need(driver->rings_.front()->raw())) {
    return fail(Errc::unsupported, "this kernel's io_uring is too old");
  }
  driver->arm_wake_up();
  return std::unique_ptr<Driver>(std::move(driver));
}

UringDriver::~UringDriver() {
  CHECK(in_flight_ == 0, "{} operations are in flight", in_flight_);
  rings_.clear();
  ::close(wake_up_);
}

Instant UringDriver::now() const { return monotonic_now(); }

Result<void> UringDriver::add_ring() {
  if (rings_.size() == kRingsMax) return fail(Errc::no_resources, "too many rings");
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  const auto table = static_cast<std::uint32_t>(std::min<rlim_t>(limit.rlim_cur, kSlotsMax));
  const bool is_first = rings_.empty();
  auto ring = UringRing::make(
      {.descriptors = table, .buffers = is_first ? kFirstRingBuffers : kFurtherRingBuffers});
  if (!ring) return fail(std::move(ring).error());
  if (!is_first) {
    const int error = io_uring_register_eventfd(&(*ring)->raw(), wake_up_);
    if (error < 0) return fail(Error::from_errno(-error, "io_uring_register_eventfd"));
  }
  rings_.push_back(std::move(*ring));
  return {};
}

UringDriver::Place UringDriver::place_of(Handle handle) {
  const auto bits = static_cast<std::uint32_t>(handle);
  if (handle == Handle::none || (bits & kOrdinary) != 0) {
    return {*rings_.front(), static_cast<std::int32_t>(bits & ~kOrdinary), false};
  }
  return {*rings_[bits >> 16], static_cast<std::int32_t>(bits & 0xffff), true};
}

Handle UringDriver::take_slot() {
  for (std::size_t i = 0;; ++i) {
    if (i == rings_.size() && !add_ring()) return Handle::none;
    const std::int32_t slot = rings_[i]->take_slot();
    if (slot >= 0) return static_cast<Handle>(static_cast<std::int32_t>(i << 16) | slot);
  }
}

void UringDriver::release_slot(Handle handle) {
  const Place place = place_of(handle);
  place.ring.release_slot(place.index);
}

bool UringDriver::start(Operation& operation) {
  ++in_flight_;
  switch (operation.kind()) {
    case Operation::Kind::connect:
    case Operation::Kind::accept: {
      const Handle slot = take_slot();
      if (slot == Handle::none) {
        --in_flight_;
        operation.set_result(-ENFILE);
        return true;
      }
      if (operation.kind() == Operation::Kind::connect) {
        return start_connect(static_cast<ConnectOperation&>(operation), slot);
      }
      start_accept(static_cast<AcceptOperation&>(operation), slot);
      break;
    }
    case Operation::Kind::receive: start_receive(static_cast<ReceiveOperation&>(operation)); break;
    case Operation::Kind::send: start_send(static_cast<SendOperation&>(operation)); break;
    case Operation::Kind::shutdown: start_shutdown(operation); break;
    case Operation::Kind::watch: start_watch(static_cast<WatchOperation&>(operation)); break;
    default: start_file(static_cast<FileOperation&>(operation)); break;
  }
  return false;
}

UringRing& UringDriver::ring_of(const Operation& operation) {
  const bool accepts = operation.kind() == Operation::Kind::accept;
  return place_of(accepts ? static_cast<const AcceptOperation&>(operation).accepted
                          : operation.handle())
      .ring;
}

// Setting socket options inside the ring requires a recent kernel (6.7), and binding to a source an
// even later one. So the socket is made as an ordinary one and then moved into the table.
int UringDriver::make_socket(const ConnectOperation& operation, Place place) {
  const int descriptor = open_client(operation.peer, operation.source, Blocking::yes);
  if (descriptor < 0) return descriptor;
  const auto slot = static_cast<unsigned>(place.index);
  const int updated = io_uring_register_files_update(&place.ring.raw(), slot, &descriptor, 1);
  ::close(descriptor);
  return updated < 0 ? updated : 0;
}

bool UringDriver::start_connect(ConnectOperation& operation, Handle slot) {
  const Place place = place_of(slot);
  if (const int error = make_socket(operation, place); error < 0) {
    release_slot(slot);
    --in_flight_;
    operation.set_result(error);
    return true;
  }
  operation.set_handle(slot);
  const auto length = to_kernel(operation.peer, operation.socket_address);
  io_uring_sqe& entry = place.ring.next_entry();
  io_uring_prep_connect(&entry, place.index,
                        reinterpret_cast<const sockaddr*>(operation.socket_address.data()),
                        static_cast<socklen_t>(length));
  address(entry, operation, true);
  return false;
}

void UringDriver::start_accept(AcceptOperation& operation, Handle slot) {
  operation.accepted = slot;
  const Place target = place_of(slot);
  const Place listener = place_of(operation.handle());
  io_uring_sqe& entry = target.ring.next_entry();
  io_uring_prep_accept_direct(&entry, listener.index, nullptr, nullptr, 0,
                              static_cast<unsigned>(target.index));
  address(entry, operation, listener.is_slot);
}

void UringDriver::start_receive(ReceiveOperation& operation) {
  const Place place = place_of(operation.handle());
  io_uring_sqe& entry = place.ring.next_entry();
  io_uring_prep_recv(&entry, place.index, nullptr, UringRing::kBufferBytes, 0);
  address(entry, operation, true);
  entry.flags |= IOSQE_BUFFER_SELECT;
  entry.buf_group = 0;
  // The response is rarely there before the request is sent: wait first, then read.
  entry.ioprio |= IORING_RECVSEND_POLL_FIRST;
}

void UringDriver::start_send(SendOperation& operation) {
  const Place place = place_of(operation.handle());
  io_uring_sqe& entry = place.ring.next_entry();
  io_uring_prep_send(&entry, place.index, operation.left.data(), operation.left.size(),
                     MSG_NOSIGNAL | MSG_WAITALL);
  address(entry, operation, true);
}

void UringDriver::start_shutdown(Operation& operation) {
  const Place place = place_of(operation.handle());
  io_uring_sqe& entry = place.ring.next_entry();
  io_uring_prep_shutdown(&entry, place.index, SHUT_WR);
  address(entry, operation, true);
}

void UringDriver::start_watch(WatchOperation& operation) {
  unsigned events = 0;
  if (includes(operation.interest, Readiness::readable)) events |= POLLIN | POLLRDHUP;
  if (includes(operation.interest, Readiness::writable)) events |= POLLOUT;
  io_uring_sqe& entry = rings_.front()->next_entry();
  io_uring_prep_poll_add(&entry, operation.descriptor, events);
  address(entry, operation, false);
}

void UringDriver::start_file(FileOperation& operation) {
  const Place place = place_of(operation.handle());
  io_uring_sqe& entry = place.ring.next_entry();
  const auto size = static_cast<unsigned>(std::min<std::size_t>(operation.size, 1u << 30));
  switch (operation.kind()) {
    case Operation::Kind::open:
      io_uring_prep_openat(&entry, AT_FDCWD, operation.path.c_str(), open_flags(operation.mode),
                           kNewFilePermissions);
      break;
    case Operation::Kind::read:
      io_uring_prep_read(&entry, place.index, operation.read_into, size, operation.offset);
      break;
    case Operation::Kind::write:
      io_uring_prep_write(&entry, place.index, operation.data, size, operation.offset);
      break;
    default: io_uring_prep_fsync(&entry, place.index, IORING_FSYNC_DATASYNC); break;
  }
  address(entry, operation, false);
}

void UringDriver::cancel(Operation& operation) noexcept {
  UringRing& ring = ring_of(operation);
  if (operation.kind() == Operation::Kind::receive &&
      std::erase(ring.starving, &static_cast<ReceiveOperation&>(operation)) > 0) {
    return finish(operation, -ECANCELED);
  }
  // The kernel owns the operation until its own completion arrives; this request only speeds that
  // up.
  io_uring_sqe& entry = ring.next_entry();
  io_uring_prep_cancel64(&entry, name_of(operation), 0);
  entry.user_data = name_of(operation, kCancelTag);
}

void UringDriver::arm_wake_up() {
  io_uring_sqe& entry = rings_.front()->next_entry();
  io_uring_prep_read(&entry, wake_up_, &wake_up_count_, sizeof(wake_up_count_), 0);
  entry.user_data = kWakeUp;
}

bool UringDriver::poll(Instant until) {
  for (std::size_t i = 1; i < rings_.size(); ++i) {
    if (rings_[i]->has_unsubmitted()) io_uring_submit(&rings_[i]->raw());
  }
  ++turn_;
  wait(until);
  for (std::uint32_t i = 0; i < rings_.size(); ++i) {
    if (!rings_[i]->has_work()) continue;
    if (i > 0) io_uring_get_events(&rings_[i]->raw());
    reap(i);
  }
  return true;
}

void UringDriver::wait(Instant until) {
  UringRing& ring = *rings_.front();
  const bool may_sleep = until != Instant::min() && io_uring_cq_ready(&ring.raw()) == 0;
  if (!may_sleep || !inbox().prepare_to_sleep()) {
    if (ring.has_work() || ring.has_unsubmitted()) io_uring_submit_and_get_events(&ring.raw());
    return;
  }
  // Submitted operations may take long or complete immediately, so only the time after that counts
  // as waiting. Entries for which the kernel had no memory are retried in the next turn.
  io_uring_submit_and_get_events(&ring.raw());
  if (io_uring_cq_ready(&ring.raw()) == 0 && !ring.has_unsubmitted()) sleep(ring, until);
  inbox().woke_up();
}

void UringDriver::sleep(UringRing& ring, Instant until) {
  const Instant begun = now();
  auto timeout = time_left<__kernel_timespec>(begun, until);
  io_uring_cqe* completion = nullptr;
  io_uring_wait_cqes(&ring.raw(), &completion, 1, until == base::kNever ? nullptr : &timeout,
                     nullptr);
  add_wait(now() - begun);
}

void UringDriver::reap(std::uint32_t ring_index) {
  io_uring& ring = rings_[ring_index]->raw();
  io_uring_cqe* completion = nullptr;
  unsigned head = 0;
  unsigned count = 0;
  io_uring_for_each_cqe(&ring, head, completion) {
    ++count;
    on_completion(ring_index, *completion);
  }
  io_uring_cq_advance(&ring, count);
}

void UringDriver::on_completion(std::uint32_t ring_index, const io_uring_cqe& completion) {
  const std::uint64_t name = completion.user_data;
  if (name == kWakeUp) return arm_wake_up();
  if ((name & kTagMask) == kCloseTag) return release_slot(static_cast<Handle>(name >> 3));
  if ((name & kTagMask) == kCancelTag) return;
  auto& operation = *reinterpret_cast<Operation*>(name);
  switch (operation.kind()) {
    case Operation::Kind::connect:
      return on_connected(static_cast<ConnectOperation&>(operation), completion.res);
    case Operation::Kind::accept:
      return on_accepted(static_cast<AcceptOperation&>(operation), completion.res);
    case Operation::Kind::receive:
      return on_received(static_cast<ReceiveOperation&>(operation), ring_index, completion);
    case Operation::Kind::send:
      return on_sent(static_cast<SendOperation&>(operation), completion.res);
    case Operation::Kind::watch: {
      std::int32_t ready = completion.res;
      if (ready >= 0) {
        const auto events = static_cast<std::uint32_t>(ready);
        Readiness bits = Readiness::none;
        if ((events & ~static_cast<std::uint32_t>(POLLOUT)) != 0) bits = Readiness::readable;
        if ((events & (POLLOUT | POLLERR | POLLHUP)) != 0) bits = bits | Readiness::writable;
        ready = static_cast<std::int32_t>(bits);
      }
      return finish(operation, ready);
    }
    case Operation::Kind::open:
      if (completion.res < 0) return finish(operation, completion.res);
      return finish(operation, completion.res | static_cast<std::int32_t>(kOrdinary));
    default: {
      // Cancelling a file operation interrupts the kernel worker that executes it.
      const bool interrupted = completion.res == -EINTR && operation.cancel_requested();
      return finish(operation, interrupted ? -ECANCELED : completion.res);
    }
  }
}

void UringDriver::finish(Operation& operation, std::int64_t result) {
  --in_flight_;
  operation.finish(result);
}

void UringDriver::on_connected(ConnectOperation& operation, std::int32_t result) {
  if (result < 0) close(operation.handle());
  finish(operation, result);
}

void UringDriver::on_accepted(AcceptOperation& operation, std::int32_t result) {
  if (result >= 0) return finish(operation, static_cast<std::int32_t>(operation.accepted));
  release_slot(operation.accepted);
  finish(operation, result);
}

void UringDriver::on_received(ReceiveOperation& operation, std::uint32_t ring_index,
                              const io_uring_cqe& completion) {
  UringRing& ring = *rings_[ring_index];
  const std::uint32_t id = completion.flags >> IORING_CQE_BUFFER_SHIFT;
  const bool has_buffer = (completion.flags & IORING_CQE_F_BUFFER) != 0;
  if (completion.res > 0) [[likely]] {
    operation.data = ring.buffer(id);
    operation.buffer = ring_index << 16 | id;
    return finish(operation, completion.res);
  }
  if (has_buffer) ring.give_back(id);
  if (completion.res == -ENOBUFS && !operation.cancel_requested()) {
    if (ring.offer_more_buffers(turn_)) return start_receive(operation);
    ring.starving.push_back(&operation);
    return;
  }
  finish(operation, completion.res == -ENOBUFS ? -ECANCELED : completion.res);
}

void UringDriver::on_sent(SendOperation& operation, std::int32_t result) {
  if (result < 0) return finish(operation, result);
  operation.left = operation.left.subspan(static_cast<std::size_t>(result));
  if (operation.left.empty()) return finish(operation, 0);
  if (operation.cancel_requested()) return finish(operation, -ECANCELED);
  start_send(operation);
}

Result<Handle> UringDriver::listen(Endpoint& endpoint, int backlog) {
  auto descriptor = open_listener(endpoint, backlog);
  if (!descriptor) return fail(std::move(descriptor).error());
  return static_cast<Handle>(static_cast<std::uint32_t>(*descriptor) | kOrdinary);
}

void UringDriver::close(Handle handle) noexcept {
  const Place place = place_of(handle);
  if (!place.is_slot) {
    ::close(place.index);
    return;
  }
  io_uring_sqe& entry = place.ring.next_entry();
  io_uring_prep_close_direct(&entry, static_cast<unsigned>(place.index));
  entry.user_data = static_cast<std::uint64_t>(handle) << 3 | kCloseTag;
}

void UringDriver::give_back(std::uint32_t buffer) noexcept {
  UringRing& ring = *rings_[buffer >> 16];
  ring.give_back(buffer & 0xffff);
  if (ring.starving.empty()) return;
  ReceiveOperation& operation = *ring.starving.front();
  ring.starving.pop_front();
  start_receive(operation);
}

std::optional<std::uint64_t> UringDriver::connections_max() const {
  return std::uint64_t{kRingsMax} * rings_.front()->slots();
}

void UringDriver::wake() noexcept {
  const std::uint64_t one = 1;
  static_cast<void>(write(wake_up_, &one, sizeof(one)));
}

}  // namespace gossamer::async
