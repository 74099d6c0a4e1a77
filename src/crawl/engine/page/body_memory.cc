#include "engine/page/body_memory.h"

#include "base/check.h"

namespace gossamer::crawler {

BodyMemory::~BodyMemory() {
  CHECK(held_ == 0 && waiters_.empty(), "{} bytes of bodies are still held", held_);
}

void BodyMemory::serve() noexcept {
  while (!waiters_.empty()) {
    auto& first = static_cast<Hold&>(waiters_.front());
    if (!first.try_take()) return;
    async::QueuedWait::grant_first(waiters_);
  }
}

BodyMemory::Share::~Share() {
  if (memory_.favoured_ == this) memory_.favoured_ = nullptr;
  set(0);
  memory_.serve();
}

void BodyMemory::Share::set(std::uint64_t bytes) noexcept {
  memory_.held_ = memory_.held_ - bytes_ + bytes;
  bytes_ = bytes;
}

bool BodyMemory::Share::try_hold(std::uint64_t bytes) noexcept {
  const bool is_more = bytes > bytes_;
  if (is_more && memory_.favoured_ != this &&
      (!memory_.waiters_.empty() || !memory_.has_room(bytes - bytes_))) {
    return false;
  }
  set(bytes);
  if (!is_more) memory_.serve();
  return true;
}

bool BodyMemory::Hold::try_take() noexcept {
  BodyMemory& memory = share_.memory_;
  const bool fits = bytes_ <= share_.bytes_ || memory.has_room(bytes_ - share_.bytes_);
  if (!fits && memory.favoured_ == nullptr) memory.favoured_ = &share_;
  if (!fits && memory.favoured_ != &share_) return false;
  share_.set(bytes_);
  return true;
}

bool BodyMemory::Hold::await_ready() noexcept {
  if (cancelled()) return true;
  if (share_.try_hold(bytes_)) return grant_now();
  return share_.memory_.waiters_.empty() && try_take() && grant_now();
}

Result<void> BodyMemory::Hold::await_resume() noexcept {
  if (granted()) return {};
  share_.memory_.serve();  // those behind it
  return fail(Errc::cancelled);
}

}  // namespace gossamer::crawler
