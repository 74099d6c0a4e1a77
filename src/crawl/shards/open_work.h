#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "async/loop.h"

namespace gossamer::crawler {

// How much of one crawl is open, and how much of it may still be claimed: counted together by all
// loops of the crawl, so that none of them believes that the end is there while another one still
// has something. Any thread may call any of it.
class OpenWork {
 public:
  // With `has_levels`, level() is kept.
  OpenWork(std::optional<std::uint64_t> pages_max, bool has_levels);

  // A target is open from when it is found until its end: waiting, claimed, or on its way from one
  // loop to another. Whoever finds it counts it before the end of the page that led there.
  void begin(std::uint16_t depth, std::uint64_t targets = 1);
  void end(std::uint16_t depth, std::uint64_t targets = 1);
  // What an earlier process left has begun: the level is that of the least deep of it.
  void begin_at_level();
  // Something is on its way that may turn out to be work: neither the end nor is_spent() before
  // that is known.
  void hold();
  // The same, unless all is done: then it stays so.
  [[nodiscard]] bool hold_unless_done();
  void release();
  bool is_done() const noexcept { return open_.load(std::memory_order_acquire) == 0; }
  // The least depth of which something is open.
  std::uint16_t level() const;

  // One of the pages that may be claimed in all. It ends: done (after its target's end()), or given
  // back.
  bool take_page();
  void finish_page();
  void give_back_page();
  bool has_pages() const;
  // As many as allowed have been claimed, all of these have ended, and something is left.
  bool is_spent() const;

  // Is called on its loop when all is done, when the level has risen, when all pages are spent, or
  // when there are some again after there were none; at once, if that is on this thread.
  class Listener {
   public:
    // BORROWS: both. REQUIRES: it is made and dies on the loop's thread.
    Listener(OpenWork& work, async::Loop& loop, std::move_only_function<void()> callback);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

   private:
    friend class OpenWork;
    struct Target;
    OpenWork& work_;
    std::shared_ptr<Target> target_;
  };

 private:
  void tell_all();
  // REQUIRES: the mutex is held.
  bool is_spent_now() const;

  const bool has_pages_max_;
  const bool has_levels_;
  std::atomic<std::uint64_t> open_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  std::uint64_t pages_left_;
  std::uint64_t pages_in_hand_ = 0;
  std::uint64_t held_ = 0;
  std::vector<std::uint64_t> open_at_depth_;
  std::uint16_t level_ = 0;
  std::vector<std::shared_ptr<Listener::Target>> listeners_;
};

}  // namespace gossamer::crawler
