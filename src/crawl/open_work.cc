#include "crawl/open_work.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace gossamer::crawl {

OpenWork::OpenWork(std::optional<std::uint64_t> pages_max, bool has_levels)
    : has_pages_max_(pages_max.has_value()),
      has_levels_(has_levels),
      pages_left_(pages_max.value_or(0)) {}

void OpenWork::begin(std::uint16_t depth) {
  open_.fetch_add(1, std::memory_order_relaxed);
  if (!has_levels_) return;
  const std::scoped_lock lock(mutex_);
  if (open_at_depth_.size() <= depth) open_at_depth_.resize(depth + std::size_t{1});
  ++open_at_depth_[depth];
  level_ = std::min(level_, depth);
}

void OpenWork::end(std::uint16_t depth) {
  bool has_risen = false;
  if (has_levels_) {
    const std::scoped_lock lock(mutex_);
    CHECK(open_at_depth_[depth] > 0);
    --open_at_depth_[depth];
    while (level_ < open_at_depth_.size() && open_at_depth_[level_] == 0) {
      ++level_;
      has_risen = true;
    }
  }
  const std::uint64_t before = open_.fetch_sub(1, std::memory_order_acq_rel);
  CHECK(before > 0);
  if (before == 1 || has_risen) tell_all();
}

void OpenWork::release() {
  if (open_.fetch_sub(1, std::memory_order_acq_rel) == 1) tell_all();
}

std::uint16_t OpenWork::level() const {
  if (!has_levels_) return 0;
  const std::scoped_lock lock(mutex_);
  return level_;
}

bool OpenWork::take_page() noexcept {
  if (!has_pages_max_) return true;
  // First in hand and then taken: nobody sees none left and none in hand while there is one.
  pages_in_hand_.fetch_add(1, std::memory_order_acq_rel);
  std::uint64_t left = pages_left_.load(std::memory_order_acquire);
  while (left > 0) {
    if (pages_left_.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel)) return true;
  }
  pages_in_hand_.fetch_sub(1, std::memory_order_acq_rel);
  return false;
}

void OpenWork::finish_page() noexcept {
  if (has_pages_max_) pages_in_hand_.fetch_sub(1, std::memory_order_acq_rel);
}

void OpenWork::give_back_page() {
  if (!has_pages_max_) return;
  const std::uint64_t before = pages_left_.fetch_add(1, std::memory_order_acq_rel);
  pages_in_hand_.fetch_sub(1, std::memory_order_acq_rel);
  if (before == 0) tell_all();
}

bool OpenWork::is_spent() const noexcept {
  return has_pages_max_ && pages_in_hand_.load(std::memory_order_acquire) == 0 &&
         pages_left_.load(std::memory_order_acquire) == 0 && !is_done();
}

OpenWork::Listener::Listener(OpenWork& work, async::Loop& loop,
                             std::move_only_function<void()> callback)
    : work_(work), target_(std::make_shared<Target>(&loop, std::move(callback))) {
  const std::scoped_lock lock(work_.mutex_);
  work_.listeners_.push_back(target_);
}

OpenWork::Listener::~Listener() {
  const std::scoped_lock lock(work_.mutex_);
  std::erase(work_.listeners_, target_);
  target_->callback = nullptr;  // what was posted finds nobody
}

void OpenWork::tell_all() {
  std::vector<std::shared_ptr<Listener::Target>> listeners;
  {
    const std::scoped_lock lock(mutex_);
    listeners = listeners_;
  }
  const async::Loop* const here = async::Loop::any_runs() ? &async::Loop::current() : nullptr;
  for (std::shared_ptr<Listener::Target>& target : listeners) {
    if (target->loop == here || here == nullptr) {
      if (target->callback) target->callback();
      continue;
    }
    target->loop->post([target] {
      if (target->callback) target->callback();
    });
  }
}

}  // namespace gossamer::crawl
