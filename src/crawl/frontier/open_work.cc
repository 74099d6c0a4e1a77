#include "frontier/open_work.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/check.h"

namespace gossamer::crawler {

struct OpenWork::Listener::Target {
  async::Loop* loop;
  std::thread::id thread;
  std::move_only_function<void()> callback;  // empty when the listener is gone
};

OpenWork::OpenWork(std::optional<std::uint64_t> pages_max, bool has_levels)
    : has_pages_max_(pages_max.has_value()),
      has_levels_(has_levels),
      pages_left_(pages_max.value_or(0)) {}

void OpenWork::begin(std::uint16_t depth, std::uint64_t targets) {
  open_.fetch_add(targets, std::memory_order_relaxed);
  if (!has_levels_) return;
  const std::scoped_lock lock(mutex_);
  if (open_at_depth_.size() <= depth) open_at_depth_.resize(depth + std::size_t{1});
  open_at_depth_[depth] += targets;
  level_ = std::min(level_, depth);
}

void OpenWork::begin_at_level() {
  const std::scoped_lock lock(mutex_);
  while (level_ < open_at_depth_.size() && open_at_depth_[level_] == 0) ++level_;
}

void OpenWork::end(std::uint16_t depth, std::uint64_t targets) {
  bool has_risen = false;
  if (has_levels_) {
    const std::scoped_lock lock(mutex_);
    CHECK(open_at_depth_[depth] >= targets);
    open_at_depth_[depth] -= targets;
    while (level_ < open_at_depth_.size() && open_at_depth_[level_] == 0) {
      ++level_;
      has_risen = true;
    }
  }
  const std::uint64_t before = open_.fetch_sub(targets, std::memory_order_acq_rel);
  CHECK(before >= targets);
  if (before == targets || has_risen) tell_all();
}

void OpenWork::hold() {
  open_.fetch_add(1, std::memory_order_relaxed);
  if (!has_pages_max_) return;
  const std::scoped_lock lock(mutex_);
  ++held_;
}

bool OpenWork::hold_unless_done() {
  std::uint64_t open = open_.load(std::memory_order_relaxed);
  do {
    if (open == 0) return false;
  } while (!open_.compare_exchange_weak(open, open + 1, std::memory_order_relaxed));
  if (!has_pages_max_) return true;
  const std::scoped_lock lock(mutex_);
  ++held_;
  return true;
}

void OpenWork::release() {
  bool is_news = open_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  if (has_pages_max_) {
    const std::scoped_lock lock(mutex_);
    --held_;
    is_news |= is_spent_now();
  }
  if (is_news) tell_all();
}

std::uint16_t OpenWork::level() const {
  if (!has_levels_) return 0;
  const std::scoped_lock lock(mutex_);
  return level_;
}

bool OpenWork::take_page() {
  if (!has_pages_max_) return true;
  const std::scoped_lock lock(mutex_);
  if (pages_left_ == 0) return false;
  --pages_left_;
  ++pages_in_hand_;
  return true;
}

void OpenWork::finish_page() {
  if (!has_pages_max_) return;
  bool is_spent = false;
  {
    const std::scoped_lock lock(mutex_);
    --pages_in_hand_;
    is_spent = is_spent_now();
  }
  if (is_spent) tell_all();
}

void OpenWork::give_back_page() {
  if (!has_pages_max_) return;
  bool is_first = false;
  {
    const std::scoped_lock lock(mutex_);
    --pages_in_hand_;
    is_first = pages_left_++ == 0;
  }
  if (is_first) tell_all();
}

void OpenWork::add_pages(std::uint64_t pages) {
  CHECK(has_pages_max_);
  {
    const std::scoped_lock lock(mutex_);
    pages_left_ += pages;
  }
  if (pages > 0) tell_all();
}

std::uint64_t OpenWork::take_back_pages() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(pages_left_, 0);
}

OpenWork::Pages OpenWork::pages() const {
  const std::scoped_lock lock(mutex_);
  return {.left = pages_left_, .in_hand = pages_in_hand_};
}

bool OpenWork::has_pages() const {
  if (!has_pages_max_) return true;
  const std::scoped_lock lock(mutex_);
  return pages_left_ > 0;
}

bool OpenWork::is_spent() const {
  if (!has_pages_max_) return false;
  const std::scoped_lock lock(mutex_);
  return is_spent_now();
}

bool OpenWork::is_spent_now() const {
  return pages_left_ == 0 && pages_in_hand_ == 0 && held_ == 0 && !is_done();
}

OpenWork::Listener::Listener(OpenWork& work, async::Loop& loop,
                             std::move_only_function<void()> callback)
    : work_(work),
      target_(std::make_shared<Target>(&loop, std::this_thread::get_id(), std::move(callback))) {
  const std::scoped_lock lock(work_.mutex_);
  work_.listeners_.push_back(target_);
}

OpenWork::Listener::~Listener() {
  const std::scoped_lock lock(work_.mutex_);
  std::erase(work_.listeners_, target_);
  target_->callback = nullptr;  // a posted call does nothing then
}

void OpenWork::tell_all() {
  std::vector<std::shared_ptr<Listener::Target>> listeners;
  {
    const std::scoped_lock lock(mutex_);
    listeners = listeners_;
  }
  const std::thread::id here = std::this_thread::get_id();
  for (std::shared_ptr<Listener::Target>& target : listeners) {
    if (target->thread == here) {
      if (target->callback) target->callback();
      continue;
    }
    target->loop->post([target] {
      if (target->callback) target->callback();
    });
  }
}

}  // namespace gossamer::crawler
