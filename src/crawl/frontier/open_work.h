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

// Counts the open targets of a crawl and the remaining claims over all loops, so that no loop ends
// while another one still has work. All functions are thread-safe.
class OpenWork {
 public:
  // With `has_levels`, level() is maintained.
  OpenWork(std::optional<std::uint64_t> pages_max, bool has_levels);

  // A target is open from its discovery until its end: queued, claimed, or in transfer between
  // loops. The finder counts it before the page with the link ends.
  void begin(std::uint16_t depth, std::uint64_t targets = 1);
  void end(std::uint16_t depth, std::uint64_t targets = 1);
  // The first targets are open now: the level is the lowest of their depths.
  void begin_at_level();
  // Something in transfer may become work: prevents the end and is_spent() until that is known.
  void hold();
  // The same, unless the crawl is already done. Returns false then.
  [[nodiscard]] bool hold_unless_done();
  void release();
  bool is_done() const noexcept { return open_.load(std::memory_order_acquire) == 0; }
  // The lowest depth of an open target.
  std::uint16_t level() const;

  // Takes one page of the page limit. It ends as done (after its target's end()) or is given back.
  bool take_page();
  void finish_page();
  void give_back_page();
  // Raises the page limit. REQUIRES: there is one.
  void add_pages(std::uint64_t pages);
  // Lowers it to the pages that were claimed. Returns by how many.
  std::uint64_t take_back_pages();
  // Pages that may still be claimed, and claimed ones that have not ended.
  struct Pages {
    std::uint64_t left = 0;
    std::uint64_t in_hand = 0;
  };
  Pages pages() const;
  bool has_pages() const;
  // True if the page limit is reached, all claims have ended, and targets are left.
  bool is_spent() const;

  // Called on its loop when the crawl is done, when the level has risen, when the page limit is
  // reached, or when pages are available again; immediately, if that is this thread.
  class Listener {
   public:
    // BORROWS: both. REQUIRES: it is created and destroyed on the loop's thread.
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

  mutable std::mutex mutex_;  // guards the members below
  std::uint64_t pages_left_;
  std::uint64_t pages_in_hand_ = 0;
  std::uint64_t held_ = 0;
  std::vector<std::uint64_t> open_at_depth_;
  std::uint16_t level_ = 0;
  std::vector<std::shared_ptr<Listener::Target>> listeners_;
};

}  // namespace gossamer::crawler
