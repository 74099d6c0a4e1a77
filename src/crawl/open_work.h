#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "async/loop.h"

namespace gossamer::crawl {

// How much of one crawl is open, and how much of it may still be claimed: counted together by all
// loops of the crawl, so that none of them believes that the end is there while another one still
// has something. Any thread may call any of it.
class OpenWork {
 public:
  // With `has_levels`, level() is kept.
  OpenWork(std::optional<std::uint64_t> pages_max, bool has_levels);

  // A target is open from when it is found until its end: waiting, claimed, or on its way from one
  // loop to another. Whoever finds it counts it before the end of the page that led there.
  void begin(std::uint16_t depth);
  void end(std::uint16_t depth);
  // As one target more, of no depth: the end waits for it, levels do not.
  void hold() noexcept { open_.fetch_add(1, std::memory_order_relaxed); }
  void release();
  bool is_done() const noexcept { return open_.load(std::memory_order_acquire) == 0; }
  // The least depth of which something is open.
  std::uint16_t level() const;

  // One of the pages that may be claimed in all. It ends: done, or given back.
  bool take_page() noexcept;
  void finish_page() noexcept;
  void give_back_page();
  bool has_pages() const noexcept {
    return !has_pages_max_ || pages_left_.load(std::memory_order_acquire) > 0;
  }
  // As many as allowed have been claimed, all of these have ended, and something is left.
  bool is_spent() const noexcept;

  // Is called on its loop when all is done, when the level has risen, or when there are pages again
  // after there were none; at once, if the loop is the one that runs.
  class Listener {
   public:
    // BORROWS: both. REQUIRES: dies on the loop's thread.
    Listener(OpenWork& work, async::Loop& loop, std::move_only_function<void()> callback);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

   private:
    friend class OpenWork;
    struct Target {
      async::Loop* loop;
      std::move_only_function<void()> callback;  // empty when the listener is gone
    };
    OpenWork& work_;
    std::shared_ptr<Target> target_;
  };

 private:
  void tell_all();

  const bool has_pages_max_;
  const bool has_levels_;
  std::atomic<std::uint64_t> open_ = 0;
  std::atomic<std::uint64_t> pages_left_;
  std::atomic<std::uint64_t> pages_in_hand_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::uint64_t> open_at_depth_;
  std::uint16_t level_ = 0;
  std::vector<std::shared_ptr<Listener::Target>> listeners_;
};

}  // namespace gossamer::crawl
