#include "async/callbacks.h"

namespace gossamer::async {

TimerHandle::TimerHandle(TimerHandle&& other) noexcept
    : timer_(std::exchange(other.timer_, nullptr)) {}
TimerHandle& TimerHandle::operator=(TimerHandle&& other) noexcept {
  cancel();
  timer_ = std::exchange(other.timer_, nullptr);
  return *this;
}
TimerHandle::~TimerHandle() { cancel(); }

void TimerHandle::cancel() noexcept {
  if (timer_ != nullptr) std::exchange(timer_, nullptr)->let_go();
}
bool TimerHandle::pending() const noexcept { return timer_ != nullptr && timer_->will_run(); }

WatchHandle::WatchHandle() noexcept = default;
WatchHandle::WatchHandle(WatchHandle&&) noexcept = default;
WatchHandle& WatchHandle::operator=(WatchHandle&&) noexcept = default;
WatchHandle::~WatchHandle() = default;
WatchHandle::WatchHandle(std::unique_ptr<DescriptorWatch> watch) noexcept
    : watch_(std::move(watch)) {}

}  // namespace gossamer::async
