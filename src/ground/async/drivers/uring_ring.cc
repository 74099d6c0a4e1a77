#include "async/drivers/uring_ring.h"

#include <liburing.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/check.h"

namespace gossamer::async {

namespace {

constexpr unsigned kEntries = 256;
constexpr unsigned kCompletions = 4096;
constexpr int kBufferGroup = 0;
constexpr std::uint32_t kBuffersOfferedAtOnce = 8;

std::size_t buffer_ring_bytes(std::uint32_t count) { return count * sizeof(io_uring_buf); }

std::unexpected<Error> unsupported(int error, const char* what) {
  return fail(Errc::unsupported, std::string(what) + ": " + Error::from_errno(error).to_string());
}

}  // namespace

Result<std::unique_ptr<UringRing>> UringRing::make(const Options& options) {
  std::unique_ptr<UringRing> ring(new UringRing);
  ring->ring_ = std::make_unique<io_uring>();
  io_uring_params params = {};
  // Completions are processed only on request, by the one thread that submits. This is the cheapest
  // mode, and the only one in which nothing interrupts a coroutine.
  params.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
                 IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
  params.cq_entries = kCompletions;
  const int error = io_uring_queue_init_params(kEntries, ring->ring_.get(), &params);
  if (error < 0) return unsupported(-error, "io_uring_setup");
  ring->initialised_ = true;
  if (auto done = ring->set_up_descriptors(options.descriptors); !done) {
    return fail(std::move(done).error());
  }
  if (auto done = ring->set_up_buffers(options.buffers); !done) {
    return fail(std::move(done).error());
  }
  return ring;
}

UringRing::~UringRing() {
  if (initialised_) io_uring_queue_exit(ring_.get());
  if (buffer_ring_ != nullptr) munmap(buffer_ring_, buffer_ring_bytes(buffers_));
}

Result<void> UringRing::set_up_descriptors(std::uint32_t count) {
  const int error = io_uring_register_files_sparse(ring_.get(), count);
  if (error < 0) return unsupported(-error, "a table of direct descriptors");
  slots_ = count;
  return {};
}

Result<void> UringRing::set_up_buffers(std::uint32_t count) {
  void* const memory = mmap(nullptr, buffer_ring_bytes(count), PROT_READ | PROT_WRITE,
                            MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
  if (memory == MAP_FAILED) return fail(Error::from_errno(errno, "mmap"));
  buffer_ring_ = static_cast<io_uring_buf_ring*>(memory);
  buffers_ = count;
  io_uring_buf_reg registration = {};
  registration.ring_addr = reinterpret_cast<std::uintptr_t>(memory);
  registration.ring_entries = count;
  registration.bgid = kBufferGroup;
  const int error = io_uring_register_buf_ring(ring_.get(), &registration, 0);
  if (error < 0) return unsupported(-error, "a ring of buffers");
  io_uring_buf_ring_init(buffer_ring_);
  memory_ = std::make_unique_for_overwrite<std::byte[]>(count * kBufferBytes);
  offer_more_buffers(1);
  return {};
}

bool UringRing::offer_more_buffers(std::uint64_t turn) noexcept {
  if (std::exchange(last_offer_, turn) == turn)
    return true;  // still the burst that triggered the last offer
  const std::uint32_t end = std::min(buffers_offered_ + kBuffersOfferedAtOnce, buffers_);
  const bool is_more = buffers_offered_ < end;
  while (buffers_offered_ < end) give_back(buffers_offered_++);
  return is_more;
}

io_uring_sqe& UringRing::next_entry() {
  io_uring_sqe* entry = io_uring_get_sqe(ring_.get());
  while (entry == nullptr) {
    const int submitted = io_uring_submit(ring_.get());
    CHECK(submitted >= 0 || submitted == -EAGAIN || submitted == -EBUSY || submitted == -EINTR,
          "io_uring_submit: {}", submitted);
    entry = io_uring_get_sqe(ring_.get());
  }
  return *entry;
}

std::int32_t UringRing::take_slot() {
  if (!free_slots_.empty()) {
    const std::int32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }
  if (slots_used_ == slots_) return -1;
  return static_cast<std::int32_t>(slots_used_++);
}

void UringRing::give_back(std::uint32_t id) noexcept {
  io_uring_buf_ring_add(buffer_ring_, memory_.get() + id * kBufferBytes, kBufferBytes,
                        static_cast<unsigned short>(id), io_uring_buf_ring_mask(buffers_), 0);
  io_uring_buf_ring_advance(buffer_ring_, 1);
}

bool UringRing::has_work() const {
  return io_uring_cq_ready(ring_.get()) != 0 ||
         (IO_URING_READ_ONCE(*ring_->sq.kflags) & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) != 0;
}

bool UringRing::has_unsubmitted() const { return io_uring_sq_ready(ring_.get()) != 0; }

}  // namespace gossamer::async
